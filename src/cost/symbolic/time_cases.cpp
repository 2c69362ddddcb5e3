#include "cost/symbolic/time_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace tutti {
namespace {

constexpr double least_ratio = 0x1p-16;
constexpr double greatest_ratio = 0x1p16;
constexpr double jump = 1.0005;  // ratios that are closer have a boundary between them that is a jump

double value_at(const ProbedRun& run, const SymbolicTime& time, double ratio) {
  return seconds(time, machine_at(run, ratio), run.m);
}

// The ratio at which two formulas are equal; 0 where there is none. Between two machines times are straight lines of
// ts, and so of the ratio, while tw m stays the same.
double crossing_of(const ProbedRun& run, const SymbolicTime& a, const SymbolicTime& b) {
  const double hop = run.machine.ts > 0 ? run.machine.th / run.machine.ts : run.machine.th;
  const double combining = run.machine.ts > 0 ? run.machine.tc / run.machine.ts : run.machine.tc;
  const auto by_ts = [&](const SymbolicTime& time) {
    return time.starts.value() + time.hops.value() * hop +
           (time.combined.value() * run.m + time.operations.value()) * combining;
  };
  const auto by_tw = [&](const SymbolicTime& time) { return time.sizes.value() + time.bytes.value() / run.m; };
  const double slope = by_ts(a) - by_ts(b);
  return slope == 0 ? 0 : (by_tw(b) - by_tw(a)) / slope;
}

/// Search for the formulas along growing ratios of ts to tw m.
class CaseSearch {
 public:
  CaseSearch(const ProbedRun& run, const CaseLimits& limits) : run_(run), limits_(limits) {}

  TimeCases find() {
    // From the middle, where no cost is lost beside the others, to both sides.
    for (int look = 0; look < limits_.looks; ++look) {
      const int from_middle = (look + 1) / 2 * (look % 2 == 0 ? 1 : -1);
      see(ratio_at((limits_.looks / 2 + from_middle) / (limits_.looks - 1.0)));
    }
    if (seen_.empty()) return {};
    connect();
    for (int check = 0; check < limits_.checks && !has_more_; ++check) {
      const double ratio = ratio_at((check + 0.5) / limits_.checks);
      const Machine machine = machine_at(run_, ratio);
      if (same(sample(machine), seconds(at(ratio), machine, run_.m))) continue;
      see(ratio);
      connect();
    }
    if (!has_more_) look_elsewhere();
    if (has_more_) {
      const auto nearby = symbolic_time_near(run_, limits_.nearby);
      return {nearby ? std::vector{*nearby} : std::vector<SymbolicTime>(), {}, {}, false, false};
    }
    return found();
  }

 private:
  static double ratio_at(double part) { return least_ratio * std::pow(greatest_ratio / least_ratio, part); }

  static bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

  void see(double ratio) {
    if (const auto time = probe(ratio)) seen_[ratio] = *time;
  }

  // Finds the cases between all that was seen, anew.
  void connect() {
    boundaries_.clear();
    times_ = {seen_.begin()->second};
    const std::map<double, SymbolicTime> seen = seen_;
    for (auto from = seen.begin(), to = std::next(from); to != seen.end(); from = to++)
      between(from->first, to->first, to->second);
  }

  // The case that holds at the ratio.
  const SymbolicTime& at(double ratio) const {
    std::size_t at = 0;
    while (at < boundaries_.size() && ratio > boundaries_[at].ratio) ++at;
    return times_[at];
  }

  TimeCases found() {
    TimeCases cases{std::move(times_), std::move(boundaries_), std::move(elsewhere_), true, false};
    std::reverse(cases.times.begin(), cases.times.end());
    std::reverse(cases.boundaries.begin(), cases.boundaries.end());
    cases.is_greatest = std::all_of(samples_.begin(), samples_.end(), [&](const auto& sample) {
      double greatest = 0;
      for (const auto* list : {&cases.times, &cases.elsewhere}) {
        for (const SymbolicTime& time : *list) greatest = std::max(greatest, seconds(time, sample.first, run_.m));
      }
      return same(greatest, sample.second);
    });
    return cases;
  }

  std::optional<SymbolicTime> probe(double ratio) { return probe(run_, ratio); }

  // A formula that is known already is tried first: where a cost is small beside the others, it is lost in rounding.
  std::optional<SymbolicTime> probe(const ProbedRun& run, double ratio) {
    const Machine machine = machine_at(run, ratio);
    sample(machine);
    for (const SymbolicTime& time : known_) {
      if (holds_around(run, time, machine)) return time;
    }
    const auto time = symbolic_time_near(run, ratio);
    if (time && std::find(known_.begin(), known_.end(), *time) == known_.end()) known_.push_back(*time);
    return time;
  }

  double sample(const Machine& machine) {
    samples_.emplace_back(machine, run_.time(machine, 1));
    return samples_.back().second;
  }

  // Adds what follows the last formula, which holds at `low`, up to `high`, where `last` does.
  void between(double low, double high, const SymbolicTime& last) {
    const SymbolicTime first = times_.back();
    if (first == last || has_more_) return;
    const double crossing = crossing_of(run_, first, last);
    const bool is_inside = crossing > low && crossing < high;
    if (is_inside) {
      const double time = sample(machine_at(run_, crossing));
      const double a = value_at(run_, first, crossing);
      const double b = value_at(run_, last, crossing);
      if (std::abs(time - std::max(a, b)) <= 1e-9 * time || std::abs(time - std::min(a, b)) <= 1e-9 * time)
        return add(last, {crossing, true});
    }
    if (high / low < jump) return add(last, {std::sqrt(low * high), false});
    const double middle = is_inside ? crossing : std::sqrt(low * high);
    const auto found = probe(middle);
    if (!found) return add(last, {middle, false});
    between(low, middle, *found);
    between(middle, high, last);
  }

  void add(const SymbolicTime& time, const TimeBoundary& boundary) {
    has_more_ = has_more_ || times_.size() >= limits_.most;
    times_.push_back(time);
    boundaries_.push_back(boundary);
  }

  void look_elsewhere() {
    constexpr double factors[] = {0x1p-8, 0x1p8};
    for (double Machine::*cost : {&Machine::th, &Machine::tc}) {
      if (run_.machine.*cost == 0) continue;
      for (const double factor : factors) {
        ProbedRun other = run_;
        other.machine.*cost *= factor;
        for (const double ratio : {0x1p-6, 1.0, 0x1p6}) {
          const auto found = probe(other, ratio);
          const auto is_known = [&](const std::vector<SymbolicTime>& list) {
            return std::find(list.begin(), list.end(), *found) != list.end();
          };
          if (found && !is_known(times_) && !is_known(elsewhere_)) elsewhere_.push_back(*found);
          has_more_ = has_more_ || times_.size() + elsewhere_.size() > limits_.most;
        }
      }
    }
  }

  const ProbedRun& run_;
  const CaseLimits limits_;
  bool has_more_ = false;
  std::map<double, SymbolicTime> seen_;  // by ratio
  std::vector<SymbolicTime> known_;      // in the order in which they were found
  std::vector<SymbolicTime> times_;      // by growing ratios
  std::vector<TimeBoundary> boundaries_;
  std::vector<SymbolicTime> elsewhere_;
  std::vector<std::pair<Machine, double>> samples_;
};

// The size at which the time jumps, as "m >= 1/3 ts/tw".
std::string beyond(const TimeBoundary& boundary, std::string_view relation, const SymbolNames& names) {
  return fmt::format("{} {} {:.4g} {}/{}", names.m, relation, 1 / boundary.ratio, names.ts, names.tw);
}

}  // namespace

TimeCases time_cases(const ProbedRun& run, const CaseLimits& limits) {
  if (!run.has_own_times) return CaseSearch(run, limits).find();
  const auto found = symbolic_time_near(run, limits.nearby);
  return found ? TimeCases{{*found}, {}, {}, true, false} : TimeCases{};
}

std::string where(const TimeCases& cases, std::size_t at, const SymbolNames& names) {
  std::string words;
  const SymbolicTime& time = cases.times[at];
  if (at > 0) {
    const TimeBoundary& boundary = cases.boundaries[at - 1];
    const bool grows = time.sizes.value() >= cases.times[at - 1].sizes.value();
    words = !boundary.is_crossing ? beyond(boundary, ">", names)
            : grows               ? where_not_below(time, cases.times[at - 1], names)
                                  : where_not_below(cases.times[at - 1], time, names);
  }
  if (at < cases.boundaries.size()) {
    const TimeBoundary& boundary = cases.boundaries[at];
    const bool grows = cases.times[at + 1].sizes.value() >= time.sizes.value();
    if (!words.empty()) words += " and ";
    words += !boundary.is_crossing ? beyond(boundary, "<", names)
             : grows               ? where_not_below(time, cases.times[at + 1], names)
                                   : where_not_below(cases.times[at + 1], time, names);
  }
  return words;
}

std::size_t case_at(const TimeCases& cases, const Machine& machine, double m) {
  if (cases.is_greatest) {
    const auto greatest = std::max_element(
        cases.times.begin(), cases.times.end(),
        [&](const SymbolicTime& a, const SymbolicTime& b) { return seconds(a, machine, m) < seconds(b, machine, m); });
    return static_cast<std::size_t>(greatest - cases.times.begin());
  }
  const double ratio = machine.ts / (machine.tw * m);
  std::size_t at = 0;
  while (at < cases.boundaries.size() && ratio < cases.boundaries[at].ratio) ++at;
  return at;
}

double seconds(const TimeCases& cases, const Machine& machine, double m) {
  double time = seconds(cases.times[case_at(cases, machine, m)], machine, m);
  if (!cases.is_greatest) return time;
  for (const SymbolicTime& other : cases.elsewhere) time = std::max(time, seconds(other, machine, m));
  return time;
}

}  // namespace tutti
