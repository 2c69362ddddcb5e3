// Parts of a fold: what one rank computes of it at a time, wherever the memory lies.

#include <algorithm>
#include <cstring>
#include <memory>

#include "transport/fold_here.hpp"
#include "transport/shared/cooperative_fold.hpp"

namespace tutti::runtime {
namespace {

/// What is brought here from another process before it is combined; operands together stay in the second-level cache.
constexpr std::int64_t stage_bytes = 64 * 1024;

}  // namespace

/// Computes `bytes` bytes from byte `first` on; says how many of them are done, less than all where memory cannot be
/// reached.
std::int64_t CooperativeFold::fold_part(const Fold& fold, const Combination& how, std::int64_t first,
                                        std::int64_t bytes, detail::Stores stores) {
  const bool all_here = fold.into.here && std::all_of(fold.operands.begin(), fold.operands.end(),
                                                      [](const Stretch& operand) { return operand.here; });
  const auto size = static_cast<std::size_t>(bytes);
  if (all_here) {
    fold_here(fold, how, first, bytes, stores, pointers_);
    return bytes;
  }
  if (fold.operands.size() > 1 || fold.fills()) return fold_through_stage(fold, how, first, bytes);
  const Stretch& from = fold.operands.front();
  if (fold.into.here) {
    return memory_.read(member(from.rank), from.address + static_cast<std::uint64_t>(first),
                        fold.into.pointer() + first, size)
               ? bytes
               : 0;
  }
  if (from.here) {
    // In whole elements or not: a copy may be done again.
    return static_cast<std::int64_t>(memory_.write(member(fold.into.rank),
                                                   fold.into.address + static_cast<std::uint64_t>(first),
                                                   from.pointer() + first, size, owners_gate_));
  }
  return fold_through_stage(fold, how, first, bytes);
}

// A part at a time: brings what lies elsewhere, combines, takes the result to where it belongs.
std::int64_t CooperativeFold::fold_through_stage(const Fold& fold, const Combination& how, std::int64_t first,
                                                 std::int64_t bytes) {
  const std::int64_t step = std::max(stage_bytes / how.element_size, std::int64_t{1}) * how.element_size;
  const std::size_t parts = fold.operands.size() + 1;
  stage_.resize(parts * static_cast<std::size_t>(step) + 64);
  void* aligned = stage_.data();
  std::size_t space = stage_.size();
  std::align(64, parts * static_cast<std::size_t>(step), aligned, space);
  for (std::int64_t at = first; at < first + bytes; at += step) {
    const std::int64_t n = std::min(step, first + bytes - at);
    std::byte* stage = static_cast<std::byte*>(aligned);
    bool reached = true;
    pointers_.clear();
    for (const Stretch& operand : fold.operands) {
      pointers_.push_back(brought(operand.part(at, n), stage, reached));
      stage += step;
    }
    written_ = 0;
    if (!reached) return at - first;
    if (fold.copy.bytes > 0) {
      const void* const copied = pointers_[static_cast<std::size_t>(fold.copied)];
      std::memcpy(fold.copy.part(at, n).pointer(), copied, static_cast<std::size_t>(n));
    }
    std::byte* const result = fold.into.here ? fold.into.pointer() + at : stage;
    if (pointers_.size() == 1) {
      std::memcpy(result, pointers_.front(), static_cast<std::size_t>(n));
    } else {
      how.op->kernel(result, pointers_.data(), static_cast<int>(pointers_.size()), n / how.element_size,
                     detail::Stores::cached, how.op->state.get());
    }
    for (const Stretch& place : fold.also)
      std::memcpy(place.part(at, n).pointer(), result, static_cast<std::size_t>(n));
    if (fold.into.here) continue;
    written_ = memory_.write(member(fold.into.rank), fold.into.address + static_cast<std::uint64_t>(at), result,
                             static_cast<std::size_t>(n), owners_gate_);
    if (written_ < static_cast<std::size_t>(n)) return at - first;
  }
  return bytes;
}

const void* CooperativeFold::brought(const Stretch& from, std::byte* stage, bool& reached) const {
  if (from.here) return from.pointer();
  reached = reached && memory_.read(member(from.rank), from.address, stage, static_cast<std::size_t>(from.bytes));
  return stage;
}

}  // namespace tutti::runtime
