#include "cost/bounds/volume.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "schedule/model/problem_blocks.hpp"

namespace tutti {
namespace {

double elements_of(const Problem& problem) { return static_cast<double>(problem.count); }

double block(const Problem& problem, int rank) { return static_cast<double>(problem.block_count(rank)); }

// Returns the elements that a personalized collective moves from one rank to another.
double pair(const Problem& problem, int from, int to) {
  switch (problem.collective) {
    case Collective::scatter:
      return from == problem.root ? block(problem, to) : 0;
    case Collective::gather:
      return to == problem.root ? block(problem, from) : 0;
    case Collective::shift:
      return modulo(from + modulo(problem.distance, problem.ranks), problem.ranks) == to ? block(problem, from) : 0;
    default:
      return static_cast<double>(problem.pair_count(from, to));
  }
}

template <typename See>
void for_each_pair(const Problem& problem, See&& see) {
  const int p = problem.ranks;
  const auto to_all = [&](int from) {
    for (int to = 0; to < p; ++to) {
      if (from != to) see(from, to);
    }
  };
  if (problem.collective == Collective::scatter) return to_all(problem.root);
  for (int from = 0; from < p; ++from) {
    if (problem.collective == Collective::all_to_all) {
      to_all(from);
    } else {
      const int to =
          problem.collective == Collective::gather ? problem.root : modulo(from + modulo(problem.distance, p), p);
      if (from != to) see(from, to);
    }
  }
}

bool uniform(const Problem& problem) { return problem.counts.empty() && problem.extra == 0; }

// The greatest row or column sum of what ranks send to others.
double greatest_exchange(const Problem& problem) {
  if (uniform(problem)) {
    return elements_of(problem) * (problem.collective == Collective::shift ? 1 : problem.ranks - 1);
  }
  std::vector<double> sent(static_cast<std::size_t>(problem.ranks));
  std::vector<double> received(sent.size());
  for_each_pair(problem, [&](int from, int to) {
    sent[static_cast<std::size_t>(from)] += pair(problem, from, to);
    received[static_cast<std::size_t>(to)] += pair(problem, from, to);
  });
  return std::max(*std::max_element(sent.begin(), sent.end()), *std::max_element(received.begin(), received.end()));
}

double least_block(const Problem& problem) {
  double least = block(problem, 0);
  for (int rank = 1; !uniform(problem) && rank < problem.ranks; ++rank) least = std::min(least, block(problem, rank));
  return least;
}

bool moves(const Problem& problem) {
  if (problem.collective == Collective::barrier) return problem.ranks > 1;
  if (problem.ranks == 1) return false;
  if (problem.collective == Collective::shift && modulo(problem.distance, problem.ranks) == 0) return false;
  return port_volume(problem) > 0;
}

constexpr int most_ranks_to_ask = 1 << 16;

// Whether an inside rank comes before an outside one, so that a scan's result there depends on it.
bool some_before_others(int ranks, const std::function<bool(int rank)>& inside) {
  if (inside(0) || !inside(ranks - 1)) return true;
  bool any = false;
  for (int rank = 0; rank < ranks && ranks <= most_ranks_to_ask; ++rank) {
    if (inside(rank)) {
      any = true;
    } else if (any) {
      return true;
    }
  }
  return false;
}

// Blocks that a shift brings from inside to outside. Of a single rank on either side, which is asked about for each
// rank, it is that rank's own block, or the one that comes to it.
double shifted_across(const Problem& problem, std::int64_t size, const std::function<bool(int rank)>& inside) {
  double blocks = 0;
  const int distance = modulo(problem.distance, problem.ranks);
  if (size == 1 || size == problem.ranks - 1) return distance == 0 ? 0 : 1;
  for (int rank = 0; rank < problem.ranks && problem.ranks <= most_ranks_to_ask; ++rank) {
    const int to = rank < problem.ranks - distance ? rank + distance : rank + distance - problem.ranks;
    if (inside(rank) && !inside(to)) ++blocks;
  }
  return blocks;
}

}  // namespace

bool personalized(Collective collective) {
  using enum Collective;
  return collective == scatter || collective == gather || collective == all_to_all || collective == shift;
}

int rounds_needed(const Problem& problem) {
  if (!moves(problem)) return 0;
  // Any block that is gathered reaches all ranks, and all contribute to any that is reduced. Of others, where some are
  // empty, some ranks need not be heard of; one message is needed all the same.
  const bool all = uniform(problem) ? problem.collective != Collective::shift : !personalized(problem.collective);
  return all ? ceil_log2(problem.ranks) : 1;
}

double port_volume(const Problem& problem) {
  const double p = problem.ranks;
  switch (problem.collective) {
    case Collective::barrier:
      return 0;
    case Collective::all_reduce:
      return 2 * elements_of(problem) * (p - 1) / p;
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return static_cast<double>(all_blocks(problem).total()) - least_block(problem);
    default:
      return problem.ranks == 1                 ? 0
             : personalized(problem.collective) ? greatest_exchange(problem)
                                                : elements_of(problem);
  }
}

double link_crossings(const Problem& problem, const std::function<int(int from, int to)>& distance) {
  const double others = problem.ranks - 1;
  if (personalized(problem.collective)) {
    if (!distance && uniform(problem) && problem.collective == Collective::all_to_all) {
      return elements_of(problem) * others * problem.ranks;
    }
    double sum = 0;
    for_each_pair(problem,
                  [&](int from, int to) { sum += pair(problem, from, to) * (distance ? distance(from, to) : 1); });
    return sum;
  }
  switch (problem.collective) {
    case Collective::barrier:
      return 0;
    case Collective::all_reduce:
      return 2 * others * elements_of(problem);
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return others * static_cast<double>(all_blocks(problem).total());
    default:
      return others * elements_of(problem);
  }
}

double volume_across(const Problem& problem, std::int64_t size, const std::function<bool(int rank)>& inside) {
  if (!uniform(problem)) return 0;
  const double elements = elements_of(problem);
  const auto here = static_cast<double>(size);
  const double there = problem.ranks - here;
  switch (problem.collective) {
    case Collective::barrier:
      return 0;
    case Collective::broadcast:
      return inside(problem.root) ? elements : 0;
    case Collective::scatter:
      return inside(problem.root) ? elements * there : 0;
    case Collective::reduce:
      return inside(problem.root) ? 0 : elements;
    case Collective::gather:
      return inside(problem.root) ? 0 : elements * here;
    case Collective::all_reduce:
      return elements;
    case Collective::scan:
    case Collective::exclusive_scan:
      return some_before_others(problem.ranks, inside) ? elements : 0;
    case Collective::all_gather:
      return elements * here;
    case Collective::reduce_scatter:
      return elements * there;
    case Collective::all_to_all:
      return elements * here * there;
    case Collective::shift:
      return elements * shifted_across(problem, size, inside);
  }
  return 0;
}

}  // namespace tutti
