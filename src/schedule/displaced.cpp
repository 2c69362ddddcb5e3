#include "schedule/displaced.hpp"

#include <algorithm>

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

}  // namespace

Program displaced(const Program& program, Buffer buffer, const Blocks& blocks,
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

}  // namespace tutti
