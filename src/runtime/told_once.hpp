/// @file
/// What several processes find alike, and one of them is to tell.
#pragma once

#include <string_view>

namespace tutti::runtime {

/// Whether no process that this one's parent has started tells the same text already: the first to ask does, until it
/// ends. True also where the system does not say.
bool is_first_to_tell(std::string_view text);

}  // namespace tutti::runtime
