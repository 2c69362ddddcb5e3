/// @file
/// Folds over memory that this rank reaches.
#pragma once

#include <vector>

#include "transport/message.hpp"

namespace tutti::runtime {

/// How the result of a fold of so many bytes is best written: past the caches where it does not fit into them.
detail::Stores stores_for(std::int64_t bytes);

/// Computes `bytes` bytes of the fold from its byte `first` on; whole elements. All stretches are here. `pointers` is
/// room that is kept from call to call.
void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers);

}  // namespace tutti::runtime
