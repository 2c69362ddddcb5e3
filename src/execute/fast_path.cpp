// Collectives whose messages are all short: run from end to end as long as every message comes at once, without the
// bookkeeping that lets a compiled program stop and go on anywhere. With two processes, a broadcast of 8 bytes takes a
// third less than by Executor::advance (docs/decisions/0012-short-calls-in-one-go.md).

#include <algorithm>
#include <array>

#include "base/system/processor.hpp"
#include "execute/combine.hpp"
#include "execute/executor.hpp"
#include "transport/shared/short_slots.hpp"

namespace tutti::runtime {
namespace {

constexpr std::uint32_t most_operands = 16;
/// Looks that follow one another without a pause: a message that is about to come arrives within a few.
constexpr int eager_looks = 16;

const std::byte* await(ShortSlots& slots, const Route& route, std::uint64_t digest, std::int64_t bytes, int looks) {
  for (int look = 0;; ++look) {
    if (const std::byte* come = slots.come(route, digest, bytes)) {
      if (look == 0) slots.expect_next(route);
      return come;
    }
    if (look >= looks) return nullptr;
    if (look >= eager_looks) relax();
  }
}

}  // namespace

std::optional<std::int64_t> fast_path_elements(const CompiledProgram& compiled) {
  std::int64_t most = 0;
  for (const SendStep& send : compiled.sends) {
    if (send.index > 0) return {};
    most = std::max(most, send.elements);
  }
  for (const FoldStep& fold : compiled.folds) {
    if (fold.operands > most_operands) return {};
    most = std::max(most, fold.elements);
  }
  for (const FoldOperand& operand : compiled.operands) {
    if (operand.index > 0) return {};
  }
  return most;
}

bool Executor::run_fast_path(int looks) {
  ShortSlots& slots = *can_.short_slots;
  for (; !done(); ++step_) {
    if (!has_room(slots)) return false;
    for (std::uint32_t k = step().first_send; k < step().first_send + step().sends; ++k) {
      const SendStep& send = task_.compiled->sends[k];
      slots.put(task_.route(send.peer, send.index), outgoing(send));
    }
    for (std::uint32_t k = 0; k < step().folds; ++k) {
      if (fold_on_fast_path(slots, task_.compiled->folds[step().first_fold + k], looks)) continue;
      open_folds(k);
      return false;
    }
  }
  return true;
}

/// Whether the pairs of ranks of the step's messages have their memory already. A pair's first message takes it, in
/// Executor::advance().
bool Executor::has_room(const ShortSlots& slots) const {
  for (std::uint32_t k = step().first_send; k < step().first_send + step().sends; ++k) {
    const SendStep& send = task_.compiled->sends[k];
    if (!slots.has_room(send.peer, task_.bytes(send.elements))) [[unlikely]]
      return false;
  }
  return true;
}

bool Executor::fold_on_fast_path(ShortSlots& slots, const FoldStep& fold, int looks) {
  std::array<const void*, most_operands> from;
  bool is_whole = fold.into.count <= 1;
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& each = task_.operand(fold, k);
    if (each.peer >= 0) {
      from[k] = await(slots, task_.route(each.peer, each.index), task_.digest, task_.bytes(fold.elements), looks);
      if (from[k] == nullptr) return false;
    } else if (each.slices.count > 0) {
      from[k] = task_.at(each.slices);
      is_whole = is_whole && each.slices.count == 1;
    }
  }
  if (!is_whole) [[unlikely]] {
    folder_.fold_pieces(fold, {from.data(), fold.operands});
  } else if (fold.elements > 0) {
    combine(task_.at(fold.into), {from.data(), fold.operands}, fold.elements, task_.how);
  }
  folder_.release(fold);
  return true;
}

}  // namespace tutti::runtime
