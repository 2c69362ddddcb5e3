/// @file
/// Messages as a transport sees them: bytes of some rank, somewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"
#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// Where a rank's buffers lie, and how large an element is.
struct Bindings {
  std::array<std::byte*, 3> base = {};  ///< by Buffer
  std::int64_t element_size = 1;

  std::byte* at(const Slice& slice) const {
    return base[static_cast<std::size_t>(slice.buffer)] + slice.first * element_size;
  }
};

/// Consecutive bytes of a rank. `here`: this rank reaches them at `address`; otherwise the address is one that only the
/// rank itself, and the engine that knows both, can make use of.
struct Stretch {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int32_t rank = -1;
  bool here = true;

  static Stretch of(const std::byte* pointer, std::int64_t bytes) {
    return {reinterpret_cast<std::uintptr_t>(pointer), bytes, -1, true};
  }
  std::byte* pointer() const {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));  // NOLINT: an address is what it is
  }
  Stretch part(std::int64_t from, std::int64_t n) const {
    return {address + static_cast<std::uint64_t>(from), n, rank, here};
  }
};

/// What is sent: slices of the sender's buffers, which last until the message is delivered.
struct Outgoing {
  std::span<const Slice> slices;
  const Bindings* bindings = nullptr;
  std::int64_t bytes = 0;
  std::uint64_t digest = 0;    ///< what the receiver compares: the call's, or the element type's
  std::string_view type_name;  ///< messages of the user's own: what is told where types differ
  int tag = 0;                 ///< messages of the user's own
  bool may_buffer = true;      ///< whether it may count as delivered before the receiver has come
};

/// How operands become a result: a copy without an operator.
struct Combination {
  const detail::Operator* op = nullptr;
  std::int64_t element_size = 1;
};

/// into = operands[0] ∘ operands[1] ∘ …, all of them consecutive and equally long.
struct Fold {
  Stretch into;
  std::span<const Stretch> operands;
};

}  // namespace tutti::runtime
