#include "heap/preloaded/large_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "heap/pages.hpp"

namespace tutti::heap {
namespace {

constexpr int collapse = 25;  // MADV_COLLAPSE of Linux 6.1

/// Whether no page of these is there yet.
bool is_untouched(std::byte* memory) {
  std::array<unsigned char, large_page / page> pages{};
  return mincore(memory, large_page, pages.data()) == 0 &&
         std::none_of(pages.begin(), pages.end(), [](unsigned char is_there) { return (is_there & 1) != 0; });
}

}  // namespace

void take_large_pages(std::byte* memory, std::size_t bytes) noexcept {
  const std::size_t skipped = (large_page - reinterpret_cast<std::uintptr_t>(memory) % large_page) % large_page;
  std::byte* const end = memory + bytes;
  for (std::byte* first = memory + std::min(skipped, bytes); end - first >= std::ptrdiff_t{large_page};) {
    std::byte* last = first;
    while (end - last >= std::ptrdiff_t{large_page} && is_untouched(last)) {
      // One page has to be there. It is read, because another thread may write it.
      [[maybe_unused]] const std::byte read = *static_cast<volatile std::byte*>(last);
      last += large_page;
    }
    if (last > first && madvise(first, static_cast<std::size_t>(last - first), collapse) != 0) return;
    first = last + large_page;
  }
}

}  // namespace tutti::heap
