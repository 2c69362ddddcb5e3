/// @file
/// A message in the memory of the rank that sends it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::runtime {

/// Where a rank's buffers lie, and how large an element is.
struct Bindings {
  std::array<std::byte*, 3> base = {};  ///< by Buffer
  std::int64_t element_size = 1;

  std::byte* at(const Slice& slice) const {
    return base[static_cast<std::size_t>(slice.buffer)] + slice.first * element_size;
  }
};

/// What is sent: slices, where they lie, what they hold. All of it belongs to the sender and lasts until it is
/// delivered.
struct Message {
  std::span<const Slice> slices;
  const Bindings* bindings = nullptr;
  const detail::Datatype* type = nullptr;
};

}  // namespace tutti::runtime
