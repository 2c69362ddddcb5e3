#include "transport/fold_here.hpp"

#include "kernels/copy.hpp"

namespace tutti::runtime {

detail::Stores stores_for(std::int64_t bytes) {
  return bytes >= static_cast<std::int64_t>(streaming_from) ? detail::Stores::streaming : detail::Stores::cached;
}

void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers) {
  if (fold.operands.size() == 1) {
    copy_bytes(fold.into.pointer() + first, fold.operands.front().pointer() + first, static_cast<std::size_t>(bytes),
               stores);
    return;
  }
  pointers.clear();
  for (const Stretch& operand : fold.operands) pointers.push_back(operand.pointer() + first);
  how.op->kernel(fold.into.pointer() + first, pointers.data(), static_cast<int>(pointers.size()),
                 bytes / how.element_size, stores, how.op->state.get());
}

}  // namespace tutti::runtime
