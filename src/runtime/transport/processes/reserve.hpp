/// @file
/// Memory of a shared file that is there before it is touched.
#pragma once

#include <cstddef>

namespace tutti::runtime {

/// Gives the file pages for [offset, offset + bytes), so that touching them cannot fail; those it has stay as they are,
/// new ones are zero. Throws `Error(unsupported)` where the memory is used up, and then changes nothing.
void reserve_pages(int file, std::size_t offset, std::size_t bytes);

/// Takes the pages from the file again: they read as zero. A part of a page stays.
void give_back_pages(int file, std::size_t offset, std::size_t bytes) noexcept;

}  // namespace tutti::runtime
