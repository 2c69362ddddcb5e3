#include "cost/symbolic/symbolic_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/integers.hpp"
#include "cost/symbolic/probe.hpp"

namespace tutti {
namespace {

/// The formula of a bound for any p.
struct BoundFormula {
  std::string_view name;  ///< the bound's name
  std::string_view formula;
  double (*starts)(int p);
  double (*sizes)(int p);
};

constexpr auto none = [](int) { return 0.0; };
constexpr auto once = [](int) { return 1.0; };
constexpr auto doublings = [](int p) { return static_cast<double>(ceil_log2(p)); };
constexpr auto others = [](int p) { return p - 1.0; };

const BoundFormula formulas[] = {
    {"rounds", "ts ceil(log2 p)", doublings, none},
    {"rounds", "ts", once, none},
    {"bandwidth", "ts + tw m", once, once},
    {"bandwidth", "ts + tw m (p - 1)", once, others},
    {"bandwidth", "ts + 2 tw m (p - 1)/p", once, [](int p) { return 2 * (p - 1.0) / p; }},
    {"bandwidth", "ts", once, none},
};

bool same_coefficient(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

// With few ranks formulas agree by chance: 2 (p - 1)/p is 1 for two.
bool is_of(const BoundFormula& formula, Collective collective) {
  using enum Collective;
  const bool whole = collective == broadcast || collective == reduce || collective == scan ||
                     collective == exclusive_scan || collective == shift;
  if (formula.name == "rounds") return (formula.formula == "ts") == (collective == shift);
  if (collective == barrier) return formula.formula == "ts";
  if (collective == all_reduce) return formula.formula == "ts + 2 tw m (p - 1)/p";
  return formula.formula == (whole ? "ts + tw m" : "ts + tw m (p - 1)");
}

std::string_view formula_of(const SymbolicBound& bound, const Problem& problem) {
  if (!problem.counts.empty()) return {};
  for (const BoundFormula& formula : formulas) {
    if (formula.name != bound.name || !is_of(formula, problem.collective)) continue;
    const SymbolicTime expected{.starts = bound.time.starts, .sizes = bound.time.sizes};
    if (bound.time == expected && same_coefficient(formula.starts(problem.ranks), bound.time.starts.value()) &&
        same_coefficient(formula.sizes(problem.ranks), bound.time.sizes.value()))
      return formula.formula;
  }
  return {};
}

/// The bounds by machine: each is looked at once for all of them.
class BoundsByMachine {
 public:
  BoundsByMachine(Problem problem, const Topology& topology) : problem_(std::move(problem)), topology_(topology) {}

  const std::vector<LowerBound>& on(const Machine& machine) {
    const std::array key{machine.ts, machine.tw, machine.th, machine.tc};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_.emplace(key, lower_bounds(problem_, 1, topology_, machine)).first->second;
  }

  double seconds(std::string_view name, const Machine& machine) {
    const std::vector<LowerBound>& all = on(machine);
    const auto found = std::find_if(all.begin(), all.end(), [&](const LowerBound& b) { return b.name == name; });
    return found == all.end() ? 0 : found->seconds;
  }

 private:
  Problem problem_;
  const Topology& topology_;
  std::map<std::array<double, 4>, std::vector<LowerBound>> known_;
};

double symbolic_m(Problem& problem) {
  if (problem.collective == Collective::barrier) return 1;
  if (!problem.counts.empty()) {
    const std::int64_t all = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
    return static_cast<double>(std::max<std::int64_t>(1, all));
  }
  problem.count = problem.ranks;
  return problem.ranks;
}

}  // namespace

std::vector<SymbolicBound> symbolic_bounds(const Problem& problem, const Topology& topology, const Machine& machine) {
  Problem sized = problem;
  ProbedRun run{.time = {}, .machine = machine, .m = symbolic_m(sized)};
  run.machine.th = run.machine.tc = 0;  // left out by all of them
  BoundsByMachine bounds(sized, topology);
  const Machine at = machine_at(run, 1);
  std::vector<SymbolicBound> found;
  for (const LowerBound& bound : bounds.on(at)) {
    run.time = [&](const Machine& there, int) { return bounds.seconds(bound.name, there); };
    const auto time = symbolic_time(run, at);
    if (!time || *time == SymbolicTime{}) continue;
    found.push_back({bound.name, bound.reason, *time});
    if (machine.ports == Ports::single) found.back().formula = formula_of(found.back(), problem);
  }
  return found;
}

std::string_view least_growth(Collective collective) {
  switch (collective) {
    case Collective::barrier:
      return "ts log p";
    case Collective::shift:
      return "ts + tw m";
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return "ts log p + tw m p";
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::all_reduce:
    case Collective::scan:
    case Collective::exclusive_scan:
      break;
  }
  return "ts log p + tw m";
}

}  // namespace tutti
