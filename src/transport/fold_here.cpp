#include "transport/fold_here.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/copy.hpp"

namespace tutti::runtime {
namespace {

/// Computes that part of the fold into `into`.
void combine_into(std::byte* into, const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                  detail::Stores stores, std::vector<const void*>& pointers) {
  if (fold.operands.size() == 1) {
    copy_bytes(into, fold.operands.front().pointer() + first, static_cast<std::size_t>(bytes), stores);
    return;
  }
  pointers.clear();
  for (const Stretch& operand : fold.operands) pointers.push_back(operand.pointer() + first);
  how.op->kernel(into, pointers.data(), static_cast<int>(pointers.size()), bytes / how.element_size, stores,
                 how.op->state.get());
}

/// The same, stored at several places: computed in `into`, a part at a time, and copied from there while it lies in the
/// first cache.
void fold_to_several(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                     std::vector<const void*>& pointers) {
  constexpr std::int64_t part_bytes = 16 * 1024;
  const std::int64_t step = std::max<std::int64_t>(part_bytes / how.element_size, 1) * how.element_size;
  for (std::int64_t at = first; at < first + bytes; at += step) {
    const std::int64_t n = std::min(step, first + bytes - at);
    std::byte* const own = fold.into.pointer() + at;
    combine_into(own, fold, how, at, n, detail::Stores::cached, pointers);
    for (const Stretch& place : fold.also) std::memcpy(place.pointer() + at, own, static_cast<std::size_t>(n));
  }
}

}  // namespace

detail::Stores stores_for(std::int64_t bytes) {
  return bytes >= static_cast<std::int64_t>(streaming_from) ? detail::Stores::streaming : detail::Stores::cached;
}

void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers) {
  if (fold.also.empty()) {
    combine_into(fold.into.pointer() + first, fold, how, first, bytes, stores, pointers);
  } else {
    fold_to_several(fold, how, first, bytes, pointers);
  }
}

}  // namespace tutti::runtime
