#include "schedule/rewrite/rewrites.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tutti {
namespace {

/// The block that holds element `first`, of those that have any.
int block_at(const Blocks& blocks, std::int64_t first) {
  int low = 0;
  int high = blocks.size() - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (blocks.first(middle + 1) > first) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Returns the part of the block that `slice` covers, counted from the block's first element: one memory, by one name.
/// Without elements if it covers none.
Slice within_block(const Slice& slice, Buffer inner, const Slice& block) {
  if (slice.buffer == inner) return {inner, slice.first, slice.count};
  if (slice.buffer != block.buffer) return {inner, 0, 0};
  const std::int64_t begin = std::max(slice.first, block.first);
  const std::int64_t end = std::min(slice.end(), block.end());
  return {inner, begin - block.first, std::max<std::int64_t>(end - begin, 0)};
}

/// Whether the op copies elements of the block to where they are.
bool copies_in_place(const Program& program, const Op& op, Buffer inner, const Slice& block) {
  if (op.kind != OpKind::copy || op.slices != 1 || op.operand != 1) return false;
  const Slice& into = program.slices(op).front();
  const Slice& from = program.operand(op).front();
  const Slice place = within_block(into, inner, block);
  return place.count == into.count && place == within_block(from, inner, block);
}

bool writes_block(const Program& program, const Op& op, Buffer inner, const Slice& block) {
  if (op.kind == OpKind::send) return false;
  const auto written = program.slices(op);
  return std::any_of(written.begin(), written.end(),
                     [&](const Slice& slice) { return within_block(slice, inner, block).count > 0; });
}

/// The program without its copies of the block to its own place; nothing if it writes anything else there.
std::optional<Program> without_own_copies(const Program& program, Buffer inner, const Slice& block) {
  Program result = program;
  for (Op& op : result.ops) {
    if (copies_in_place(program, op, inner, block)) {
      op.slices = op.operand = 0;
    } else if (writes_block(program, op, inner, block)) {
      return {};
    }
  }
  return result;
}

/// The program with scratch of its own instead of `inner`, which has that many elements.
Program with_scratch_for(const Program& program, Buffer inner, std::int64_t elements) {
  Program result = program;
  const std::int64_t at = program.scratch;
  for (Slice& slice : result.pool) {
    if (slice.buffer == inner) slice = {Buffer::scratch, at + slice.first, slice.count};
  }
  result.scratch += elements;
  if (inner != Buffer::input || elements == 0) return result;
  Op copy{.kind = OpKind::copy, .ends_step = true, .slices = 1, .operand = 1};
  copy.at = static_cast<std::uint32_t>(result.pool.size());
  result.pool.push_back({Buffer::scratch, at, elements});
  result.pool.push_back({inner, 0, elements});
  result.ops.insert(result.ops.begin(), copy);
  for (PhaseMark& phase : result.phases) phase.op += phase.op > 0 ? 1 : 0;
  for (PrunedSend& pruned : result.pruned) ++pruned.op;
  return result;
}

bool overlap(const Slice& a, const Slice& b) { return a.buffer == b.buffer && a.first < b.end() && b.first < a.end(); }

class DirectStoreFinder {
 public:
  explicit DirectStoreFinder(CompiledProgram& compiled) : compiled_(compiled) {}

  void find() {
    for (std::size_t k = 0; k + 1 < compiled_.steps.size(); ++k) {
      CompiledStep& step = compiled_.steps[k];
      const CompiledStep& next = compiled_.steps[k + 1];
      step.first_direct_store = static_cast<std::uint32_t>(compiled_.direct_stores.size());
      if (std::max(step.sends + step.folds, next.sends + next.folds) > most_operations_of_a_step) continue;
      find_places(step, next);
      step.direct_stores = static_cast<std::uint32_t>(compiled_.direct_stores.size()) - step.first_direct_store;
      for (std::uint32_t fold = 0; fold < step.folds; ++fold) find_onward(step, fold, next);
    }
  }

 private:
  void find_places(const CompiledStep& step, const CompiledStep& next) {
    for (std::uint32_t k = next.first_fold; k < next.first_fold + next.folds; ++k) {
      const FoldStep& fold = compiled_.folds[k];
      if (fold.chained || fold.operands != 1 || fold.into.count != 1 || fold.elements == 0) continue;
      const int peer = compiled_.operands[fold.first_operand].peer;
      if (peer < 0) continue;
      const auto sent = times_sent(step, compiled_.slices(fold.into).front(), peer);
      if (sent && *sent <= 1) compiled_.direct_stores.push_back({k, *sent == 1});
    }
  }

  /// Returns how many messages of the step to the peer are just that slice; nothing if another operation touches it.
  std::optional<int> times_sent(const CompiledStep& step, const Slice& place, int peer) const {
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      if (touches(fold.into, place)) return std::nullopt;
      for (const FoldOperand& operand : compiled_.operands_of(fold)) {
        if (operand.peer < 0 && touches(operand.slices, place)) return std::nullopt;
      }
    }
    int times = 0;
    for (const SendStep& send : compiled_.sends_of(step)) {
      if (!touches(send.slices, place)) continue;
      if (send.peer != peer || !is_just(send.slices, place)) return std::nullopt;
      ++times;
    }
    return times;
  }

  void find_onward(const CompiledStep& step, std::uint32_t which, const CompiledStep& next) {
    FoldStep& fold = compiled_.folds[step.first_fold + which];
    fold.first_onward = static_cast<std::uint32_t>(compiled_.onward.size());
    const bool goes_on = which + 1 < step.folds && compiled_.folds[step.first_fold + which + 1].chained;
    if (goes_on || fold.operands < 2 || fold.elements == 0) return;
    const auto result = compiled_.slices(fold.into);
    for (std::uint32_t k = next.first_send; k < next.first_send + next.sends; ++k) {
      const auto sent = compiled_.slices(compiled_.sends[k].slices);
      if (std::equal(sent.begin(), sent.end(), result.begin(), result.end())) compiled_.onward.push_back(k);
    }
    fold.onward = static_cast<std::uint32_t>(compiled_.onward.size()) - fold.first_onward;
  }

  bool touches(const SliceRange& range, const Slice& place) const {
    const auto slices = compiled_.slices(range);
    return std::any_of(slices.begin(), slices.end(), [&](const Slice& slice) { return overlap(slice, place); });
  }
  bool is_just(const SliceRange& range, const Slice& place) const {
    return range.count == 1 && compiled_.slices(range).front() == place;
  }

  CompiledProgram& compiled_;
};

bool is_lone_copy(const CompiledProgram& compiled, const CompiledStep& step, std::uint32_t which) {
  const FoldStep& fold = compiled.folds[step.first_fold + which];
  const bool goes_on = which + 1 < step.folds && compiled.folds[step.first_fold + which + 1].chained;
  return !fold.chained && !goes_on && fold.operands == 1 && compiled.operands[fold.first_operand].peer < 0 &&
         fold.into.count == 1 && fold.elements > 0;
}

/// The step's last message to each peer.
std::vector<std::uint32_t> last_messages(const CompiledProgram& compiled, const CompiledStep& step) {
  const auto sends = compiled.sends_of(step);
  std::vector<std::uint32_t> last;
  for (std::uint32_t k = 0; k < step.sends; ++k) {
    const bool goes_on = std::any_of(sends.begin() + k + 1, sends.end(),
                                     [&](const SendStep& later) { return later.peer == sends[k].peer; });
    if (!goes_on) last.push_back(step.first_send + k);
  }
  return last;
}

void lend(CompiledProgram& compiled, const CompiledStep& step, std::uint32_t which,
          const std::vector<std::uint32_t>& messages) {
  const FoldStep& fold = compiled.folds[step.first_fold + which];
  const auto copied = compiled.slices(compiled.operands[fold.first_operand].slices);
  for (const std::uint32_t k : messages) {
    SendStep& send = compiled.sends[k];
    const auto sent = compiled.slices(send.slices);
    if (send.copy >= 0 || !std::equal(sent.begin(), sent.end(), copied.begin(), copied.end())) continue;
    send.copy = static_cast<std::int32_t>(which);
    return;
  }
}

}  // namespace

Program with_displacements(const Program& program, Buffer buffer, const Blocks& blocks,
                           std::span<const std::int64_t> displacements) {
  Program result;
  result.scratch = program.scratch;
  result.ops = program.ops;
  result.phases = program.phases;
  result.pruned = program.pruned;
  const auto move = [&](std::span<const Slice> slices) {
    const std::size_t begin = result.pool.size();
    for (Slice slice : slices) {
      if (slice.buffer != buffer || slice.count == 0) {
        result.pool.push_back(slice);
        continue;
      }
      for (int b = block_at(blocks, slice.first); slice.count > 0; ++b) {
        const std::int64_t n = std::min(slice.count, blocks.first(b + 1) - slice.first);
        if (n == 0) continue;
        const std::int64_t to = displacements[static_cast<std::size_t>(b)] + slice.first - blocks.first(b);
        result.pool.push_back({buffer, to, n});
        slice.first += n;
        slice.count -= n;
      }
    }
    return static_cast<std::uint32_t>(result.pool.size() - begin);
  };
  for (Op& op : result.ops) {
    const Op before = op;
    op.at = static_cast<std::uint32_t>(result.pool.size());
    op.slices = move(program.slices(before));
    op.operand = move(program.operand(before));
    op.second = move(program.second(before));
  }
  return result;
}

Program with_read_only(const Program& program, Buffer buffer) {
  Program result = program;
  std::int64_t longest = 0;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::send) continue;
    for (std::uint32_t k = op.at; k < op.at + op.slices; ++k) {
      Slice& slice = result.pool[k];
      if (slice.buffer != buffer) continue;
      longest = std::max(longest, slice.end());
      slice = {Buffer::scratch, program.scratch + slice.first, slice.count};
    }
  }
  result.scratch += longest;
  return result;
}

Program with_in_place_block(const Program& program, Buffer inner, const Slice& block) {
  if (auto kept = without_own_copies(program, inner, block)) return *std::move(kept);
  return with_scratch_for(program, inner, block.count);
}

void find_direct_stores(CompiledProgram& compiled) { DirectStoreFinder(compiled).find(); }

void find_receiver_copies(CompiledProgram& compiled) {
  for (const CompiledStep& step : compiled.steps) {
    if (step.sends == 0 || step.sends + step.folds > most_operations_of_a_step) continue;
    std::vector<std::uint32_t> messages;
    for (std::uint32_t which = 0; which < step.folds; ++which) {
      if (!is_lone_copy(compiled, step, which)) continue;
      if (messages.empty()) messages = last_messages(compiled, step);
      lend(compiled, step, which, messages);
    }
  }
}

}  // namespace tutti
