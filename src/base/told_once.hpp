/// @file
/// What several processes find alike, and one of them is to tell.
#pragma once

#include <string_view>

namespace tutti {

/// Whether none of the other processes that this one's parent has started has told the same text, as long as the one that
/// has is there. True also where the system does not say.
bool is_first_to_tell(std::string_view text);

}  // namespace tutti
