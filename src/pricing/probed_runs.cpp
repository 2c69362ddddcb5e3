#include "pricing/probed_runs.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tutti {
namespace {

constexpr double usual_tc = 1e-6;  // seconds an operation to those a message: the lecture's 10^-12 to 10^-6

// Whether links of the network have times of their own, which no symbol stands for.
bool has_own_times(const Topology& topology) {
  if (topology.uniform()) return false;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const LinkCost cost = topology.link(id).cost;
    if (cost.ts || cost.tw || cost.th) return true;
  }
  return false;
}

bool has_own_times(const SimulationOptions& options) {
  const auto is_late = [](const Skew& skew) { return skew.start > 0; };
  const auto is_kept_back = [](const Release& release) { return release.start > 0; };
  return options.injection > 0 || std::any_of(options.skew.begin(), options.skew.end(), is_late) ||
         std::any_of(options.releases.begin(), options.releases.end(), is_kept_back);
}

// Workloads with messages as long as they are, and twice as long.
using Workloads = std::array<std::shared_ptr<Workload>, 2>;

ProbedRun run_of(const Workloads& workloads, const TopologyPtr& topology, const Machine& machine,
                 const SimulationOptions& options, std::int64_t m) {
  SimulationOptions plain = options;
  plain.timeline = false;
  plain.progress = {};
  ProbedRun run{.time =
                    [=](const Machine& at, int scale) {
                      Workload& workload = *workloads[scale == 1 ? 0 : 1];
                      const double seconds = simulate(workload, *topology, at, plain).seconds;
                      workload.forget_meetings();
                      return seconds;
                    },
                .machine = machine,
                .m = static_cast<double>(m),
                .has_own_times = has_own_times(*topology) || has_own_times(options),
                .has_fixed_sizes = machine.packet > 0};
  if (machine.switching == Switching::cut_through && machine.th == 0) run.machine.th = machine.ts / 128;
  return run;
}

}  // namespace

std::int64_t symbolic_count(const Choice& choice, const Problem& problem) {
  constexpr std::int64_t usual_segments = 8;
  constexpr std::int64_t other_parts = 15;
  const std::int64_t segments = choice.parameters.segments > 0 ? choice.parameters.segments : usual_segments;
  const std::int64_t parts = std::lcm(segments, other_parts * usual_segments);
  return has_blocks(problem.collective) ? parts : std::lcm(parts, std::int64_t{problem.ranks});
}

ProbedRun probed_run(const Choice& choice, const Problem& problem, const TopologyPtr& topology, const Machine& machine,
                     const Layout& layout, const SimulationOptions& options) {
  Problem sized = problem;
  std::int64_t m = 1;
  if (problem.collective == Collective::barrier) {
    sized.count = 0;
  } else if (!problem.counts.empty()) {
    m = std::max<std::int64_t>(1, std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0}));
  } else if (machine.packet == 0 && !options.eager) {
    m = sized.count = symbolic_count(choice, problem);
  } else {
    m = std::max<std::int64_t>(1, problem.count);
  }
  Workloads workloads;
  for (std::size_t k = 0; k < workloads.size(); ++k) {
    if (k > 0 && machine.packet == 0) break;
    workloads[k] = std::make_shared<Workload>(choice, sized, static_cast<std::int64_t>(k) + 1, layout);
  }
  return run_of(workloads, topology, machine, options, m);
}

ProbedRun probed_run(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                     const SimulationOptions& options) {
  Workloads workloads;
  for (std::size_t k = 0; k < workloads.size(); ++k)
    workloads[k] = std::make_shared<Workload>(schedule, static_cast<std::int64_t>(k) + 1);
  std::int64_t m = 0;
  for (const Move& move : workloads[0]->moves()) {
    if (move.kind == OpKind::send) m = std::gcd(m, move.bytes);
  }
  ProbedRun run = run_of(workloads, topology, machine, options, std::max<std::int64_t>(1, m));
  run.computes_apart = true;
  const std::span<const Move> moves = std::as_const(*workloads[0]).moves();
  const bool computes = std::any_of(moves.begin(), moves.end(), [](const Move& move) {
    return move.kind == OpKind::receive_reduce || move.kind == OpKind::reduce;
  });
  if (computes && machine.tc == 0) run.machine.tc = usual_tc * machine.ts;
  return run;
}

}  // namespace tutti
