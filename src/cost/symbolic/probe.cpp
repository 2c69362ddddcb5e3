#include "cost/symbolic/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tutti {
namespace {

constexpr double least_cost = 16411;  // a prime: parts of it are no sums of other costs by chance
constexpr double rounding = 1e-15;

// A cost of the machine, and how often it is taken.
struct Slope {
  double Machine::*cost;
  double times = 0;
};

struct Slopes {
  std::vector<Slope> all;
  double base = 0;   // seconds at the machine
  double error = 0;  // greatest error of a product of cost and times, to the base
  double rest = 0;   // seconds that no cost explains

  double of(double Machine::*cost) const {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Slope& slope) { return slope.cost == cost; });
    return found == all.end() ? 0 : found->times;
  }
};

std::vector<Slope> symbols_of(const Machine& machine) {
  std::vector<Slope> symbols{{&Machine::ts}, {&Machine::tw}};
  if (machine.th > 0) symbols.push_back({&Machine::th});
  if (machine.tc > 0) symbols.push_back({&Machine::tc});
  return symbols;
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-11 * std::max(std::abs(a), std::abs(b)); }

double stepped(const ProbedRun& run, double cost, double step) {
  return run.has_own_times ? cost * (1 + step) : cost + std::max(1.0, std::round(cost * step));
}

// The slopes around the machine, by steps of that fraction of each cost; nothing where they do not explain the time at
// the machine, and at one whose costs are all a little greater.
std::optional<Slopes> slopes_at(const ProbedRun& run, const Machine& machine, int scale, double step) {
  Slopes slopes{symbols_of(machine), run.time(machine, scale), rounding / step, 0};
  double explained = 0;
  Machine all_stepped = machine;
  for (Slope& slope : slopes.all) {
    Machine greater = machine;
    greater.*slope.cost = stepped(run, machine.*slope.cost, step);
    all_stepped.*slope.cost = greater.*slope.cost;
    slope.times = (run.time(greater, scale) - slopes.base) / (greater.*slope.cost - machine.*slope.cost);
    explained += slope.times * machine.*slope.cost;
  }
  slopes.rest = slopes.base - explained;
  if (!run.has_own_times && std::abs(slopes.rest) > 1e-9 * slopes.base) return std::nullopt;
  double expected = slopes.rest;
  for (const Slope& slope : slopes.all) expected += slope.times * all_stepped.*slope.cost;
  if (std::abs(run.time(all_stepped, scale) - expected) > 1e-9 * slopes.base) return std::nullopt;
  return slopes;
}

// The times that a cost is taken, divided by `unit`, as a fraction.
std::optional<Rational> coefficient(const Slopes& slopes, const Machine& machine, double Machine::*cost, double times,
                                    double unit) {
  if (machine.*cost == 0) return Rational{};
  const double error = slopes.base * slopes.error / machine.*cost + 1e-13 * std::abs(times);
  return rational_near(times / unit, 16 * error / unit);
}

// Returns the slope of a cost a byte, as so many times m and so many bytes beside.
struct BySize {
  std::optional<Rational> sizes;
  std::optional<Rational> rest;
};

BySize by_size(const Slopes& one, const std::optional<Slopes>& two, const Machine& machine, double Machine::*cost,
               double m) {
  const double times = one.of(cost);
  if (two) {
    const double twice = two->of(cost);
    const BySize found{coefficient(*two, machine, cost, twice - times, m),
                       coefficient(*two, machine, cost, 2 * times - twice, 1)};
    if (found.sizes && found.rest) return found;
  }
  return {coefficient(one, machine, cost, times, m), Rational{}};
}

BySize operations_of(const Slopes& one, const std::optional<Slopes>& two, const Machine& machine,
                     const ProbedRun& run) {
  if (!run.computes_apart) return by_size(one, two, machine, &Machine::tc, run.m);
  const auto operations = coefficient(one, machine, &Machine::tc, one.of(&Machine::tc), 1);
  return {operations ? std::optional(Rational{}) : std::nullopt, operations};
}

bool holds_at(const ProbedRun& run, const SymbolicTime& found, const Machine& machine) {
  return same(run.time(machine, 1), seconds(found, machine, run.m));
}

constexpr double steps[] = {0x1p-10, 0x1p-14};

}  // namespace

Machine machine_at(const ProbedRun& run, double ratio) {
  Machine machine = run.machine;
  const double usual_ts = run.machine.ts > 0 ? run.machine.ts : 1;
  const double hop = run.machine.th / usual_ts;
  const double combining = run.machine.tc / usual_ts;
  const double byte = 1 / (ratio * run.m);
  double least = std::min(1.0, byte);
  if (hop > 0) least = std::min(least, hop);
  if (combining > 0) least = std::min(least, combining);
  const double unit = least_cost / least;
  machine.ts = std::round(unit);
  machine.tw = std::round(unit * byte);
  machine.th = std::round(unit * hop);
  machine.tc = std::round(unit * combining);
  return machine;
}

std::optional<SymbolicTime> symbolic_time(const ProbedRun& run, const Machine& machine) {
  for (const double step : steps) {
    const auto one = slopes_at(run, machine, 1, step);
    if (!one) continue;
    const auto two = run.has_fixed_sizes ? slopes_at(run, machine, 2, step) : std::nullopt;
    const bool alike = two && std::abs(two->of(&Machine::ts) - one->of(&Machine::ts)) < 1e-3;
    const auto second = alike ? two : std::nullopt;
    const auto starts = coefficient(*one, machine, &Machine::ts, one->of(&Machine::ts), 1);
    const auto hops = coefficient(*one, machine, &Machine::th, one->of(&Machine::th), 1);
    const BySize sent = by_size(*one, second, machine, &Machine::tw, run.m);
    const BySize combined = operations_of(*one, second, machine, run);
    if (!starts || !hops || !sent.sizes || !combined.sizes) continue;
    const SymbolicTime found{.starts = *starts,
                             .sizes = *sent.sizes,
                             .bytes = *sent.rest,
                             .hops = *hops,
                             .combined = *combined.sizes,
                             .operations = *combined.rest,
                             .seconds = run.has_own_times && one->rest > 1e-9 * one->base ? one->rest : 0};
    if (run.has_own_times || holds_at(run, found, machine)) return found;
  }
  return std::nullopt;
}

bool holds_around(const ProbedRun& run, const SymbolicTime& time, const Machine& machine) {
  if (!holds_at(run, time, machine)) return false;
  const std::vector<Slope> symbols = symbols_of(machine);
  return std::all_of(symbols.begin(), symbols.end(), [&](const Slope& slope) {
    Machine greater = machine;
    greater.*slope.cost = stepped(run, machine.*slope.cost, steps[0]);
    return holds_at(run, time, greater);
  });
}

std::optional<SymbolicTime> symbolic_time_near(const ProbedRun& run, double ratio) {
  for (const double nudge : {1.0, 1.0071, 0.9937, 1.0219}) {
    Machine machine = run.machine;
    if (run.has_own_times) {
      machine.ts *= nudge;
    } else {
      machine = machine_at(run, ratio * nudge);
    }
    if (auto found = symbolic_time(run, machine)) return found;
  }
  return std::nullopt;
}

}  // namespace tutti
