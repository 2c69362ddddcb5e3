#include "app/plan_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/guided_times.hpp"
#include "app/plan_check.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"
#include "plan/ranking.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t element = sizeof(double);

void check_request_for_guidelines(const PlanRequest& request) {
  require(!request.collective, "the guidelines are of all collectives; leave {} out", name_of(*request.collective));
  require(!request.topology && !request.nodes && !request.plot && !request.rules && request.skew.empty(),
          "the guidelines are held against one machine; leave --topology, --nodes, --plot, --rules and --skew out");
  require(!request.run || !request.cores, "ranks run on the cores that there are; leave --run or --cores out");
}

std::vector<int> ranks_of(const PlanRequest& request, const RankRange& usual, int most) {
  const RankRange asked = request.ranks.value_or(usual);
  require(asked.last <= most, "the guidelines are checked for 1 to {} ranks here, not for {}", most, asked.last);
  std::vector<int> ranks;
  for (int p = asked.first; p <= asked.last; ++p) ranks.push_back(p);
  return ranks;
}

// In elements. What is measured takes time: every fourth doubling.
std::vector<std::int64_t> counts_of(const PlanRequest& request) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t bytes : sizes_in(request.sizes.value_or(SizeRange{element, std::int64_t{1} << 20}))) {
    const std::int64_t count = std::max<std::int64_t>(1, bytes / element);
    const bool is_near = request.run && !request.sizes && !counts.empty() && count < 16 * counts.back();
    if (!is_near && (counts.empty() || count > counts.back())) counts.push_back(count);
  }
  return counts;
}

// One call a batch: guidelines compare calls by themselves.
measure::Effort effort_of(const PlanRequest& request) {
  measure::Effort effort = request.effort;
  effort.batch_seconds = 0;
  return effort;
}

Outcome report(const PlanRequest& request, const GuidedTimes& times, const std::vector<int>& ranks,
               Transport transport) {
  constexpr double noise = 0.1;
  const int cores = measure::cores();
  const Checked checked{.seconds = [&](const Problem& problem) { return times.of(problem); },
                        .noise = noise,
                        .what = "what one call was measured to take",
                        .costs = fmt::format("{} on {}", name_of(transport), counted(cores, "core")),
                        .element_size = element};
  return check_guidelines(checked, ranks, counts_of(request), request.json);
}

Outcome check_predictions(const PlanRequest& request) {
  const std::vector<int> ranks = ranks_of(request, {2, MachineModel::most_played_ranks - 1},
                                          MachineModel::most_played_ranks - 1);  // one more are played, too
  const auto model = model_of_machine(request, ranks.back());
  const auto of_long = model_without_short_messages(request, ranks.back());
  return check_guidelines(
      {.seconds = [&](const Problem& problem) { return least_once(problem, element, *model); },
       .seconds_if_long = [&](const Problem& problem) { return least_once(problem, element, *of_long); },
       .what = "what is predicted of one call",
       .costs = model->describe(),
       .element_size = element},
      ranks, counts_of(request), request.json);
}

constexpr int most_measured = 63;

}  // namespace

Outcome check_choices(const PlanRequest& request) {
  check_request_for_guidelines(request);
  if (!request.run) return check_predictions(request);
  require(request.transport != Transport::mpi,
          "ranks of MPI are started by an mpirun: mpirun -n 3 tutti plan --check --run");
  const int usual = std::max(2, measure::cores());
  const std::vector<int> ranks = ranks_of(request, {usual, usual}, most_measured);
  if (is_of_processes(request.transport)) start_again_as_ranks(ranks.back() + 1, *request.transport);
  GuidedTimes times;
  run(ranks.back() + 1, [&](Communicator& comm) {
    GuidedTimes of_rank = measure_guided(comm, ranks, counts_of(request), effort_of(request));
    if (comm.rank() == 0) times = std::move(of_rank);
  });
  return report(request, times, ranks, Transport::threads);
}

Outcome check_launched(PlanRequest& request, const Launched& launched) {
  std::vector<int> ranks;
  const auto prepare = [&] {
    read_values(request);
    check_request_for_guidelines(request);
    const int most = world().size() - 1;
    require(most >= 2, "the guidelines compare p ranks with p + 1: start 3 ranks at least, not {}", world().size());
    ranks = ranks_of(request, {most, most}, most);
  };
  return speak_as_ranks(launched, prepare, [&] {
    const GuidedTimes times = measure_guided(world(), ranks, counts_of(request), effort_of(request));
    return report(request, times, ranks, launched.transport);
  });
}

}  // namespace tutti::app
