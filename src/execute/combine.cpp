#include "execute/combine.hpp"

#include <cstring>

namespace tutti::runtime {

void combine(std::byte* into, std::span<const void* const> operands, std::int64_t n, const Combination& how) {
  if (n == 0) return;
  if (operands.size() == 1) {
    std::memmove(into, operands.front(), static_cast<std::size_t>(n * how.element_size));
    return;
  }
  how.op->kernel(into, operands.data(), static_cast<int>(operands.size()), n, detail::Stores::cached,
                 how.op->state.get());
}

}  // namespace tutti::runtime
