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

std::vector<int> cores_of_ranks(const RankDirectory& ranks) {
  std::vector<int> cores;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const RankRecord& record = ranks.record(rank);
    cores.push_back(record.has_ended() ? -1 : record.core());
  }
  return cores;
}

/// Tells the others on which core this rank is, and returns it.
int note_core(RankDirectory& ranks, int rank) {
  const int core = sched_getcpu();
  RankRecord& mine = ranks.record(rank);
  if (core != mine.core()) mine.set_core(core);
  return core;
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

SleepApart::SleepApart(const RankDirectory& ranks, int rank) {
  if (ranks.size() > few_ranks || sched_getaffinity(0, sizeof(allowed_), &allowed_) != 0) return;
  apart_ = allowed_;
  for (int other = 0; other < ranks.size(); ++other) {
    const RankRecord& record = ranks.record(other);
    if (other != rank && record.core() >= 0 && !record.has_ended()) CPU_CLR(record.core(), &apart_);
  }
  if (!CPU_ISSET(sched_getcpu(), &apart_) || CPU_EQUAL(&apart_, &allowed_)) return;
  is_apart_ = sched_setaffinity(0, sizeof(apart_), &apart_) == 0;
}

// Somebody else may have bound the thread meanwhile, and it stays as he wants it.
SleepApart::~SleepApart() {
  cpu_set_t now;
  if (!is_apart_ || sched_getaffinity(0, sizeof(now), &now) != 0 || !CPU_EQUAL(&now, &apart_)) return;
  sched_setaffinity(0, sizeof(allowed_), &allowed_);
}

bool Placement::is_beside_another(RankDirectory& ranks, int rank) {
  const int core = note_core(ranks, rank);
  for (int other = 0; other < ranks.size(); ++other) {
    const RankRecord& record = ranks.record(other);
    if (other != rank && record.core() == core && !record.has_ended()) return true;
  }
  return false;
}

void Placement::look(RankDirectory& ranks, int rank) {
  const int core = note_core(ranks, rank);
  RankRecord& mine = ranks.record(rank);
  bool shared = false;
  for (int earlier = 0; earlier < rank && !shared; ++earlier) shared = ranks.record(earlier).core() == core;
  cpu_set_t allowed;
  const Clock::time_point now = Clock::now();
  if (!shared || now < next_ || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  const std::optional<int> better = less_crowded_core(cores_of_ranks(ranks), rank, members_of(allowed));
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
