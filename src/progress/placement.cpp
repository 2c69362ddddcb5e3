#include "progress/placement.hpp"

#include <sched.h>

#include <algorithm>
#include <vector>

namespace tutti::runtime {
namespace {

std::vector<int> members_of(const cpu_set_t& set) {
  std::vector<int> members;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) members.push_back(core);
  }
  return members;
}

std::vector<int> cores_of_ranks(const World& world) {
  std::vector<int> cores;
  for (int rank = 0; rank < world.size(); ++rank) {
    const RankRecord& record = world.record(rank);
    cores.push_back(record.has_ended() ? -1 : record.core());
  }
  return cores;
}

}  // namespace

std::optional<int> less_crowded_core(std::span<const int> cores, int rank, std::span<const int> allowed) {
  const int own = cores[static_cast<std::size_t>(rank)];
  const std::span<const int> earlier = cores.first(static_cast<std::size_t>(rank));
  if (own < 0 || allowed.empty() || std::find(earlier.begin(), earlier.end(), own) == earlier.end()) return {};
  const auto ranks_on = [&](int core) { return std::count(cores.begin(), cores.end(), core); };
  const int best = *std::min_element(allowed.begin(), allowed.end(),
                                     [&](int one, int other) { return ranks_on(one) < ranks_on(other); });
  // This rank counts where it is, and would count where it goes.
  if (ranks_on(best) + 1 >= ranks_on(own)) return {};
  return best;
}

void Placement::look(World& world, int rank) {
  const int core = sched_getcpu();
  RankRecord& mine = world.record(rank);
  if (core != mine.core()) mine.set_core(core);
  bool shared = false;
  for (int earlier = 0; earlier < rank && !shared; ++earlier) shared = world.record(earlier).core() == core;
  cpu_set_t allowed;
  const Clock::time_point now = Clock::now();
  if (!shared || now < next_ || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  const std::optional<int> better = less_crowded_core(cores_of_ranks(world), rank, members_of(allowed));
  if (!better) return;
  rest_ = now < next_ + longest_rest ? std::min(2 * rest_, longest_rest) : shortest_rest;
  next_ = now + rest_;
  cpu_set_t there;
  CPU_ZERO(&there);
  CPU_SET(*better, &there);
  if (sched_setaffinity(0, sizeof(there), &there) != 0) return;
  mine.set_core(*better);
  sched_setaffinity(0, sizeof(allowed), &allowed);
}

}  // namespace tutti::runtime
