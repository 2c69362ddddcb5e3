/// @file
/// Memory of a shared file that is there before it is touched.
#pragma once

#include <cstddef>

namespace tutti::runtime {

/// Gives the file pages for [offset, offset + bytes), so that touching them cannot fail; those it has stay as they are,
/// new ones are zero. Throws `Error(unsupported)` where the memory is used up, and then changes nothing.
void reserve_pages(int file, std::size_t offset, std::size_t bytes);

/// Makes [offset, offset + bytes) of the file, which is mapped at `memory`, read as zero, and takes pages that lie in it
/// as a whole from the file again, where the system allows it.
void give_back_pages(int file, std::size_t offset, std::byte* memory, std::size_t bytes) noexcept;

}  // namespace tutti::runtime
