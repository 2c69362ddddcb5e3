#include "algorithms/all_to_all/one_way.hpp"

#include <algorithm>
#include <vector>

#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

// The blocks of one origin for the `n` ranks that follow `rank` in the direction, where they lie in the origin's input.
Message blocks_beyond(Buffer buffer, const Blocks& blocks, int rank, Direction direction, int n) {
  const int p = blocks.size();
  const int first = direction == Direction::upwards ? (rank + 1) % p : modulo(rank - n, p);
  const int before_end = std::min(n, p - first);
  const auto run = [&](int from, int to) {
    return Slice{buffer, blocks.first(from), blocks.first(to) - blocks.first(from)};
  };
  return {run(first, first + before_end), run(0, n - before_end)};
}

}  // namespace

void pass_blocks(Script& me, const Problem& problem, Direction direction, int reach) {
  const int p = me.size();
  const int step = static_cast<int>(direction);
  const auto at = [&](int distance) { return modulo(me.rank() + distance * step, p); };

  // Elements to be forwarded after each step, for the places of two messages that take turns.
  std::vector<std::int64_t> onward(static_cast<std::size_t>(reach));
  std::int64_t second_place = 0;
  for (int k = 1; k <= reach; ++k) {
    const Blocks blocks = input_blocks(problem, at(-k));
    auto& elements = onward[static_cast<std::size_t>(k) - 1];
    elements = Slices(blocks_beyond(Buffer::input, blocks, me.rank(), direction, reach - k)).elements();
    if (k % 2 == 1) second_place = std::max(second_place, elements);
  }

  Message held = blocks_beyond(Buffer::input, input_blocks(problem, me.rank()), me.rank(), direction, reach);
  for (int k = 1; k <= reach; ++k) {
    const Slice mine = me.output(at(-k));
    const Slice rest = me.scratch(k % 2 == 1 ? 0 : second_place, onward[static_cast<std::size_t>(k) - 1]);
    me.send(held, at(1));
    // Upwards the nearest destination has the lowest number but for the ring's end, downwards the highest.
    if (direction == Direction::upwards) {
      me.receive({mine, rest}, at(-1));
    } else {
      me.receive({rest, mine}, at(-1));
    }
    me.wait();
    held = {rest};
  }
}

}  // namespace tutti::algorithms
