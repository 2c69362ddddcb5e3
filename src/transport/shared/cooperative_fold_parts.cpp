// Parts of a fold: what one rank computes of it at a time, wherever the memory lies.

#include <algorithm>
#include <cstring>
#include <memory>

#include "transport/shared/cooperative_fold.hpp"

namespace tutti::runtime {
namespace {

/// Bytes that are brought here from another process before they are combined; operands together stay in the
/// second-level cache.
constexpr std::int64_t stage_bytes = 128 * 1024;

/// Returns the bytes of each operand that are brought at a time: whole elements.
std::int64_t stage_step(const Combination& how) {
  return std::max(stage_bytes / how.element_size, std::int64_t{1}) * how.element_size;
}

}  // namespace

/// Whether this rank reaches the result and all operands as if they were its own.
bool CooperativeFold::is_here(const Fold& fold) {
  return fold.into.here && std::all_of(fold.operands.begin(), fold.operands.end(),
                                       [](const MemoryRange& operand) { return operand.here; });
}

/// Whether the fold is computed here of operands that are brought here: a copy to or from here needs no stage.
bool CooperativeFold::needs_stage(const Fold& fold) {
  if (is_here(fold)) return false;
  return fold.operands.size() > 1 || fold.fills() || !(fold.into.here || fold.operands.front().here);
}

/// Computes `bytes` bytes from byte `first` on; says how many of them are done, less than all where memory cannot be
/// reached.
std::int64_t CooperativeFold::fold_part(const Fold& fold, const Combination& how, std::int64_t first,
                                        std::int64_t bytes, detail::Stores stores) {
  const auto size = static_cast<std::size_t>(bytes);
  if (is_here(fold)) {
    fold_here(fold, how, first, bytes, stores, room_.pointers);
    return bytes;
  }
  if (needs_stage(fold)) return fold_through_stage(fold, how, first, bytes);
  const MemoryRange& from = fold.operands.front();
  if (fold.into.here) {
    return memory_.read(member(from.rank), from.address + static_cast<std::uint64_t>(first),
                        fold.into.pointer() + first, size)
               ? bytes
               : 0;
  }
  // In whole elements or not: a copy may be done again.
  return static_cast<std::int64_t>(memory_.write(member(fold.into.rank),
                                                 fold.into.address + static_cast<std::uint64_t>(first),
                                                 from.pointer() + first, size, owners_gate_));
}

/// A stage for each operand and one for the result, one behind the other.
std::byte* CooperativeFold::make_stage(const Fold& fold, const Combination& how) {
  const std::size_t bytes = (fold.operands.size() + 1) * static_cast<std::size_t>(stage_step(how));
  room_.stage.resize(bytes + 64);
  void* aligned = room_.stage.data();
  std::size_t space = room_.stage.size();
  return static_cast<std::byte*>(std::align(64, bytes, aligned, space));
}

// A part at a time: brings what lies elsewhere, combines, takes the result to where it belongs.
std::int64_t CooperativeFold::fold_through_stage(const Fold& fold, const Combination& how, std::int64_t first,
                                                 std::int64_t bytes) {
  const std::int64_t step = stage_step(how);
  std::byte* const first_stage = make_stage(fold, how);
  for (std::int64_t at = first; at < first + bytes; at += step) {
    const std::int64_t n = std::min(step, first + bytes - at);
    std::byte* stage = first_stage;
    bool reached = true;
    room_.pointers.clear();
    for (const MemoryRange& operand : fold.operands) {
      room_.pointers.push_back(brought(operand.part(at, n), stage, reached));
      stage += step;
    }
    written_ = 0;
    if (!reached) return at - first;
    if (fold.copy.bytes > 0) {
      const void* const copied = room_.pointers[static_cast<std::size_t>(fold.copied)];
      std::memcpy(fold.copy.part(at, n).pointer(), copied, static_cast<std::size_t>(n));
    }
    std::byte* const result = fold.into.here ? fold.into.pointer() + at : stage;
    if (room_.pointers.size() == 1) {
      std::memcpy(result, room_.pointers.front(), static_cast<std::size_t>(n));
    } else {
      how.op->kernel(result, room_.pointers.data(), static_cast<int>(room_.pointers.size()), n / how.element_size,
                     detail::Stores::cached, how.op->state.get());
    }
    for (const MemoryRange& place : fold.also)
      std::memcpy(place.part(at, n).pointer(), result, static_cast<std::size_t>(n));
    if (fold.into.here) continue;
    written_ = memory_.write(member(fold.into.rank), fold.into.address + static_cast<std::uint64_t>(at), result,
                             static_cast<std::size_t>(n), owners_gate_);
    if (written_ < static_cast<std::size_t>(n)) return at - first;
  }
  return bytes;
}

const void* CooperativeFold::brought(const MemoryRange& from, std::byte* stage, bool& reached) const {
  if (from.here) return from.pointer();
  reached = reached && memory_.read(member(from.rank), from.address, stage, static_cast<std::size_t>(from.bytes));
  return stage;
}

}  // namespace tutti::runtime
