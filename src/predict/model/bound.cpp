#include "predict/model/bound.hpp"

#include <algorithm>
#include <vector>

#include "base/integers.hpp"
#include "predict/replay/call_sums.hpp"

namespace tutti {
namespace {

/// Elements in the blocks of a problem that has blocks, or in its message.
struct ProblemContent {
  double elements = 0;
  double of_root = 0;              ///< elements in the block of the root
  std::int64_t blocks = 0;         ///< blocks that have elements
  std::int64_t blocks_beside = 0;  ///< blocks of other ranks than the root that have elements
};

ProblemContent content_of(const Problem& problem) {
  if (!has_blocks(problem.collective)) {
    return {.elements = static_cast<double>(problem.count), .blocks = problem.count > 0 ? 1 : 0};
  }
  ProblemContent content;
  if (problem.counts.empty()) {
    const std::int64_t roots = problem.block_count(problem.root);
    content.elements = static_cast<double>(problem.ranks * problem.count + problem.extra);
    content.of_root = static_cast<double>(roots);
    content.blocks = problem.count > 0 ? problem.ranks : problem.extra;
    content.blocks_beside = content.blocks - (roots > 0 ? 1 : 0);
    return content;
  }
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const std::int64_t count = problem.block_count(rank);
    content.elements += static_cast<double>(count);
    if (count == 0) continue;
    ++content.blocks;
    if (rank == problem.root) {
      content.of_root = static_cast<double>(count);
    } else {
      ++content.blocks_beside;
    }
  }
  return content;
}

/// Returns the minimum for an all-to-all whose pairs differ.
NecessaryTraffic necessary_for_pairs(const Problem& problem) {
  std::vector<bool> sends(static_cast<std::size_t>(problem.ranks));
  NecessaryTraffic all;
  for (int from = 0; from < problem.ranks; ++from) {
    for (int to = 0; to < problem.ranks; ++to) {
      const std::int64_t count = from == to ? 0 : problem.pair_count(from, to);
      if (count == 0) continue;
      all.elements += static_cast<double>(count);
      all.mutual = all.mutual || problem.pair_count(to, from) > 0;
      sends[static_cast<std::size_t>(from)] = true;
    }
  }
  all.messages = std::count(sends.begin(), sends.end(), true);
  return all;
}

}  // namespace

NecessaryTraffic necessary_for(const Problem& problem) {
  using enum Collective;
  const std::int64_t others = problem.ranks - 1;
  if (others == 0) return {};
  if (problem.collective == barrier) return {problem.ranks, 0, true};
  if (problem.collective == all_to_all && !problem.counts.empty()) return necessary_for_pairs(problem);
  const ProblemContent content = content_of(problem);
  if (content.blocks == 0) return {};
  const double to_all_others = static_cast<double>(others) * content.elements;
  switch (problem.collective) {
    case barrier:
      break;
    case shift:
      if (modulo(problem.distance, problem.ranks) == 0) return {};
      return {content.blocks, content.elements};
    case broadcast:
    case reduce:
    case scan:
    case exclusive_scan:
      return {others, to_all_others};
    case scatter:
    case gather:
      return {content.blocks_beside, content.elements - content.of_root};
    case all_reduce:
      return {problem.ranks, 2 * to_all_others, true};
    case all_gather:
    case reduce_scatter:
      if (content.blocks == 1) return {others, to_all_others};
      return {problem.ranks, to_all_others, true};
    case all_to_all:
      return {problem.ranks, to_all_others, true};
  }
  return {};
}

bool moves_nothing(const Problem& problem) { return necessary_for(problem).messages == 0; }

double bound_seconds(const LevelCosts& costs, int cores, const Problem& problem, std::int64_t element_size) {
  const NecessaryTraffic necessary = necessary_for(problem);
  if (necessary.messages == 0) return 0;
  // Half of a message that is read in place its sender may read.
  const double byte =
      std::min(2 * least_of(costs, &MachineCosts::short_byte), least_byte(costs, problem.collective) / 2);
  const double bytes = necessary.elements * static_cast<double>(element_size) * byte;
  const double overhead = 2 * least_of(costs, &MachineCosts::overhead);
  Sums sums{.ranks = problem.ranks,
            .work = problem.ranks * costs.call() + static_cast<double>(necessary.messages) * overhead + bytes,
            .turns = necessary.mutual ? 1 : 0};
  if (necessary.mutual)
    sums.end = costs.call() + overhead + least_of(costs, &MachineCosts::latency) + bytes / problem.ranks;
  return seconds_of(sums, costs.inside(), cores);
}

}  // namespace tutti
