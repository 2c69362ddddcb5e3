#include "predict/bound.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "predict/estimate.hpp"
#include "predict/sums.hpp"

namespace tutti {
namespace {

/// Elements in all blocks of a rank's side of the problem, or in its message.
double whole(const Problem& problem) {
  const double blocks = has_blocks(problem.collective) ? problem.ranks : 1;
  return static_cast<double>(problem.count) * blocks + static_cast<double>(problem.extra);
}

Necessary necessary_of_even(const Problem& problem) {
  return necessary_for(problem.counts.empty() ? problem : with_even_blocks(problem));
}

}  // namespace

Necessary necessary_for(const Problem& problem) {
  using enum Collective;
  const std::int64_t others = problem.ranks - 1;
  const auto part = static_cast<double>(others) / problem.ranks;
  if (others == 0) return {};
  switch (problem.collective) {
    case barrier:
      return {problem.ranks, 0, true};
    case shift:
      if (modulo(problem.distance, problem.ranks) == 0) return {};
      return {problem.ranks, whole(problem)};
    case broadcast:
    case reduce:
    case scan:
      return {others, static_cast<double>(others) * whole(problem)};
    case exclusive_scan:
      return {others, static_cast<double>(others) * whole(problem)};
    case scatter:
    case gather:
      return {others, part * whole(problem)};
    case all_reduce:
      return {problem.ranks, 2 * static_cast<double>(others) * whole(problem), true};
    case all_gather:
    case reduce_scatter:
    case all_to_all:
      return {problem.ranks, static_cast<double>(others) * whole(problem), true};
  }
  return {};
}

bool moves_nothing(const Problem& problem) {
  const Necessary necessary = necessary_of_even(problem);
  return necessary.messages == 0 || (necessary.elements == 0 && problem.collective != Collective::barrier);
}

double bound_seconds(const LevelCosts& costs, int cores, const Problem& problem, std::int64_t element_size) {
  if (moves_nothing(problem)) return 0;
  const Necessary necessary = necessary_of_even(problem);
  const auto least = [&](double MachineCosts::*of) { return std::min(costs.inside().*of, costs.between_nodes().*of); };
  // Half of a message that is read in place its sender may read.
  const double byte = std::min(2 * least(&MachineCosts::short_byte), least(&MachineCosts::byte) / 2);
  const double bytes = necessary.elements * static_cast<double>(element_size) * byte;
  const double overhead = 2 * least(&MachineCosts::overhead);
  Sums sums{.ranks = problem.ranks,
            .work = problem.ranks * costs.call() + static_cast<double>(necessary.messages) * overhead + bytes,
            .turns = necessary.mutual ? 1 : 0};
  if (necessary.mutual) sums.end = costs.call() + overhead + least(&MachineCosts::latency) + bytes / problem.ranks;
  return seconds_of(sums, costs.inside(), cores);
}

}  // namespace tutti
