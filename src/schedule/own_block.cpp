#include "schedule/own_block.hpp"

#include <algorithm>
#include <optional>

namespace tutti {
namespace {

/// The same memory, by one name: what `slice` covers of the block, counted from the block's first element. Without
/// elements where it covers none.
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

}  // namespace

Program within_own_block(const Program& program, Buffer inner, const Slice& block) {
  if (auto kept = without_own_copies(program, inner, block)) return *std::move(kept);
  return with_scratch_for(program, inner, block.count);
}

}  // namespace tutti
