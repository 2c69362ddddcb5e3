/// @file
/// Large pages for memory of a file, which gets none by being touched unless the whole machine is set so.
#pragma once

#include <cstddef>

namespace tutti::heap {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// Gives the memory large pages wherever a whole one fits and nothing has been touched yet: its small pages would cost
/// a fault each, twelve times as much in all. Memory that has pages stays as it is, because to copy it costs what it
/// saves. The memory maps a file of memory, and offsets there and addresses are alike in a large page. Does nothing
/// where the system has no large pages to give.
void take_large_pages(std::byte* memory, std::size_t bytes) noexcept;

}  // namespace tutti::heap
