/// @file
/// Messages as a transport sees them: bytes of some rank, somewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "schedule/model/schedule.hpp"
#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// Bindings of a rank: the addresses of its buffers, and the size of an element.
struct Bindings {
  std::array<std::byte*, 3> base = {};  ///< by Buffer
  std::int64_t element_size = 1;

  std::byte* at(const Slice& slice) const {
    return base[static_cast<std::size_t>(slice.buffer)] + slice.first * element_size;
  }
};

/// Consecutive bytes of a rank, -1 for this one. `here`: this rank reaches them at `address`; otherwise the address is
/// one that only the rank itself, and the engine that knows both, can make use of.
struct MemoryRange {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int32_t rank = -1;
  bool here = true;
  std::uint64_t told = 0;  ///< here, but another's: what its owner calls it; 0 where it is this rank's own

  static MemoryRange of(const std::byte* pointer, std::int64_t bytes) {
    return {reinterpret_cast<std::uintptr_t>(pointer), bytes, -1, true};
  }
  std::byte* pointer() const {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));  // NOLINT: an address is what it is
  }
  MemoryRange part(std::int64_t from, std::int64_t n) const {
    const auto further = static_cast<std::uint64_t>(from);
    return {address + further, n, rank, here, told == 0 ? 0 : told + further};
  }
};

/// Message that is sent: slices of the sender's buffers, which last until the message is delivered.
struct Outgoing {
  std::span<const Slice> slices;
  const Bindings* bindings = nullptr;
  std::int64_t bytes = 0;
  std::uint64_t digest = 0;    ///< digest that the receiver compares: the call's, or the element type's
  std::string_view type_name;  ///< messages of the user's own: what is told where types differ
  int tag = 0;                 ///< messages of the user's own
  bool may_buffer = true;      ///< whether it may count as delivered before the receiver has come
  bool in_its_place = false;   ///< its bytes lie in the receiver's OpenPlace already
  MemoryRange copy = {};       ///< memory of the sender that is to hold the same bytes, if it has any: see LentCopy
};

/// Place in which the receiver of a message wants it, told before it is sent.
struct OpenPlace {
  MemoryRange where;
  bool is_sent = false;  ///< a message to who fills it lies there: each of its bytes is to be read before it is written
};

/// Copy that the reader of a message makes for its sender: the message, from byte `from` to its end, to `into`, which
/// is as long as the message. The sender has copied what is before.
struct LentCopy {
  MemoryRange into;
  std::int64_t from = 0;
};

/// Combination of operands to a result: a copy without an operator.
struct Combination {
  const detail::Operator* op = nullptr;
  std::int64_t element_size = 1;
};

/// into = operands[0] ∘ operands[1] ∘ …, all of them consecutive and equally long.
struct Fold {
  /// So that what helpers are told stays short: a communicator holds it for each rank and call slot.
  static constexpr std::size_t most_also = 3;

  MemoryRange into;
  std::span<const MemoryRange> operands;
  std::span<const MemoryRange> also = {};  ///< places in memory of other ranks, here, that get the result as well
  MemoryRange copy = {};                   ///< place, if it has any bytes, of operand number `copied`
  std::int32_t copied = 0;

  /// Whether memory of other ranks is written beside the result's.
  bool fills() const { return !also.empty() || copy.bytes > 0; }
};

}  // namespace tutti::runtime
