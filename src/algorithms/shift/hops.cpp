#include "algorithms/shift/hops.hpp"

#include <algorithm>

#include "base/integers.hpp"

namespace tutti::algorithms {

int distance_of(const Problem& problem) { return modulo(problem.distance, problem.ranks); }

void follow(Script& me, const Problem& problem, const std::vector<ShiftHop>& hops) {
  if (hops.empty()) {
    me.copy(me.output(), me.input());
    return;
  }
  std::int64_t largest = 0;
  for (std::size_t k = 0; k + 1 < hops.size(); ++k) largest = std::max(largest, problem.block_count(hops[k].origin));

  Slice held = me.input();
  for (std::size_t k = 0; k < hops.size(); ++k) {
    const bool last = k + 1 == hops.size();
    const Slice arriving =
        last ? me.output() : me.scratch(k % 2 == 0 ? 0 : largest, problem.block_count(hops[k].origin));
    me.phase(hops[k].phase);
    me.send(held, hops[k].to);
    me.receive(arriving, hops[k].from);
    me.wait();
    held = arriving;
  }
}

}  // namespace tutti::algorithms
