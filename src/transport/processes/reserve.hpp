/// @file
/// Memory of a shared file that is there before it is touched.
#pragma once

#include <cstddef>

#include "transport/processes/segment_file.hpp"

namespace tutti::runtime {

/// Gives a file that this process has just made pages for so many bytes from `offset` on, so that touching them cannot
/// fail. Throws `Error(unsupported)` where the memory is used up.
void reserve_file(int file, std::size_t offset, std::size_t bytes);

/// Gives [memory, memory + bytes), which holds nothing yet and maps the file from `offset` on, pages, so that touching
/// them cannot fail; those that are there stay as they are, new ones are zero. Goes by address where the system can
/// (Linux 5.14 and later), and needs the descriptor elsewhere.
/// Throws `Error(unsupported)` where the memory is used up, and then changes nothing.
void reserve_pages(const SegmentFile& file, std::size_t offset, std::byte* memory, std::size_t bytes);

/// Makes [memory, memory + bytes) of a shared file read as zero, and takes pages that lie in it as a whole from the
/// file again, where the system allows it. Goes by address.
void give_back_pages(std::byte* memory, std::size_t bytes) noexcept;

}  // namespace tutti::runtime
