#include "pricing/symbolic_prices.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pricing/probed_runs.hpp"

namespace tutti {
namespace {

constexpr std::int64_t most_probed_messages = 1 << 14;
constexpr int most_segments_tried = 1 << 10;
constexpr int segments_shown = 8;
constexpr int looks_for_a_price = 5;
constexpr int checks_of_a_price = 16;
constexpr std::size_t most_cases = 6;

// Leaves out the terms of local work that takes no time on the machine.
SymbolicTime without_free_work(SymbolicTime time, const Machine& machine) {
  if (machine.tc == 0) time.combined = time.operations = {};
  if (machine.tr == 0) time.rearranged = {};
  return time;
}

// Adds the local rearrangement, which simulated schedules do not hold, to each formula. Returns whether it has a term.
bool add_rearrangement(TimeCases& cases, const Choice& choice, const Problem& problem, const Machine& machine) {
  if (machine.tr == 0) return true;
  constexpr double rounding = 1e-12;
  const double sorted =
      rearranged_elements(choice, problem) / static_cast<double>(std::max<std::int64_t>(1, problem.count));
  const auto rearranged = rational_near(sorted, rounding * std::max(1.0, sorted));
  if (!rearranged) return false;
  for (auto* times : {&cases.times, &cases.elsewhere}) {
    for (SymbolicTime& time : *times) time.rearranged = *rearranged;
  }
  return true;
}

/// A closed form in symbols, and what is known of it.
struct SymbolicForm {
  SymbolicTime time;
  std::string formula;
  bool exactly = true;
};

std::optional<SymbolicForm> form_of(const PricingRequest& request, const Choice& choice) {
  if (request.beyond_forms) return std::nullopt;
  Problem sized = request.problem;
  if (sized.collective != Collective::barrier && sized.counts.empty()) sized.count = symbolic_count(choice, sized);
  const auto priced = price(choice, sized, *request.topology, request.machine, request.layout);
  if (!priced) return std::nullopt;
  const auto time = symbolic(priced->terms, static_cast<double>(sized.count));
  if (!time) return std::nullopt;
  return SymbolicForm{without_free_work(*time, request.machine), priced->formula, priced->exactly};
}

Choice with_segments(const PricingRequest& request, const Algorithm& algorithm, int segments) {
  Parameters parameters = request.parameters;
  parameters.segments = segments;
  return {algorithm, parameters};
}

bool is_cut(const PricingRequest& request, const Algorithm& algorithm) {
  const auto whole = form_of(request, with_segments(request, algorithm, 1));
  const auto halves = form_of(request, with_segments(request, algorithm, 2));
  return whole && halves && whole->time != halves->time;
}

SymbolicPrice price_in_symbols(const PricingRequest& request, const Algorithm& algorithm, double m) {
  SymbolicPrice price{.algorithm = &algorithm, .parameters = request.parameters};
  if (price.parameters.segments == 0 && is_cut(request, algorithm)) price.parameters.segments = segments_shown;
  const Choice choice(algorithm, price.parameters);
  const auto form = form_of(request, choice);
  if (form) {
    price.formula = form->formula;
    price.basis = form->exactly ? Basis::closed_form : Basis::upper_bound;
    price.cases = {{form->time}, {}, {}, true, true};
    if (form->exactly) return price;
  }
  Problem sized = request.problem;
  if (sized.counts.empty() && sized.collective != Collective::barrier) sized.count = symbolic_count(choice, sized);
  if (recorded_size(choice, sized, request.layout).effort() > most_probed_messages) return price;
  const ProbedRun run = probed_run(choice, sized, request.topology, request.machine, request.layout, request.traffic);
  const Machine& machine = request.machine;
  const bool has_ratio = machine.ts > 0 && machine.tw > 0;
  TimeCases cases = time_cases(
      run, {looks_for_a_price, checks_of_a_price, most_cases, has_ratio ? machine.ts / (machine.tw * m) : 1});
  if (cases.times.empty() || !add_rearrangement(cases, choice, sized, machine)) return price;
  price.basis = Basis::simulation;
  price.cases = std::move(cases);
  return price;
}

// The machine with that ts, and a tw m of 1; th, tc and tr keep their ratio to ts.
Machine machine_by(Machine machine, double ratio) {
  const double factor = machine.ts > 0 ? ratio / machine.ts : 0;
  machine.ts = ratio;
  machine.tw = 1;
  machine.th *= factor;
  machine.tc *= factor;
  machine.tr *= factor;
  return machine;
}

// The ratios, and those at which any two of the formulas are equal, in order.
std::vector<double> with_crossings(std::vector<double> ratios, const std::vector<SymbolicTime>& times,
                                   const Machine& machine) {
  std::vector<std::pair<double, double>> lines;  // slope, and value at 0
  for (const SymbolicTime& time : times) {
    const double zero = seconds(time, machine_by(machine, 0), 1);
    lines.emplace_back(seconds(time, machine_by(machine, 1), 1) - zero, zero);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      const double slope = lines[a].first - lines[b].first;
      const double ratio = slope == 0 ? 0 : (lines[b].second - lines[a].second) / slope;
      if (ratio > 0) ratios.push_back(ratio);
    }
  }
  std::sort(ratios.begin(), ratios.end());
  ratios.erase(std::unique(ratios.begin(), ratios.end(), [](double a, double b) { return b <= a * (1 + 1e-9); }),
               ratios.end());
  return ratios;
}

// The prices in the order in which equally fast algorithms are preferred.
std::vector<SymbolicPrice> in_order_of_request(const PricingRequest& request, std::vector<SymbolicPrice> prices) {
  const auto place = [&](const SymbolicPrice& price) {
    return std::find(request.algorithms.begin(), request.algorithms.end(), price.algorithm);
  };
  std::stable_sort(prices.begin(), prices.end(),
                   [&](const SymbolicPrice& a, const SymbolicPrice& b) { return place(a) < place(b); });
  return prices;
}

/// Search for the fastest of many: each a candidate with one formula, or with several.
class WinnerSearch {
 public:
  WinnerSearch(const PricingRequest& request, const std::vector<SymbolicPrice>& prices) : machine_(request.machine) {
    for (const SymbolicPrice& price : in_order_of_request(request, prices)) {
      if (price.basis == Basis::none || !price.cases.is_whole) continue;
      const bool cuts = request.parameters.segments == 0 && price.parameters.segments != 0;
      if (!cuts) {
        candidates_.push_back(price);
        continue;
      }
      for (int segments = 1; segments <= most_segments_tried; segments *= 2) {
        const auto form = form_of(request, with_segments(request, *price.algorithm, segments));
        if (!form) continue;
        candidates_.push_back(price);
        candidates_.back().parameters.segments = segments;
        candidates_.back().cases = {{form->time}, {}, {}, true, true};
      }
    }
  }

  std::vector<SymbolicWinner> find() const {
    std::vector<SymbolicWinner> winners;
    if (candidates_.empty()) return winners;
    const std::vector<double> ratios = crossings();
    for (std::size_t k = ratios.size() + 1; k-- > 0;) {
      const double ratio = k == ratios.size() ? 2 * (ratios.empty() ? 1 : ratios.back())
                           : k == 0           ? ratios.front() / 2
                                              : std::sqrt(ratios[k - 1] * ratios[k]);
      add(winners, ratio);
    }
    return winners;
  }

 private:
  void add(std::vector<SymbolicWinner>& winners, double ratio) const {
    const Machine machine = machine_by(machine_, ratio);
    const SymbolicPrice* best = nullptr;
    double least = 0;
    for (const SymbolicPrice& candidate : candidates_) {
      const double time = seconds(candidate.cases, machine, 1);
      if (best != nullptr && time >= least * (1 - 1e-12)) continue;
      best = &candidate;
      least = time;
    }
    const SymbolicTime& time = best->cases.times[case_at(best->cases, machine, 1)];
    const int segments = best->parameters.segments;
    if (!winners.empty() && winners.back().algorithm == best->algorithm) {
      winners.back().last = time;
      winners.back().last_segments = segments;
    } else {
      winners.push_back({best->algorithm, time, time, segments, segments});
    }
  }

  std::vector<double> crossings() const {
    std::vector<SymbolicTime> times;
    std::vector<double> ratios;
    for (const SymbolicPrice& candidate : candidates_) {
      for (const TimeBoundary& boundary : candidate.cases.boundaries) ratios.push_back(boundary.ratio);
      for (const auto* list : {&candidate.cases.times, &candidate.cases.elsewhere})
        times.insert(times.end(), list->begin(), list->end());
    }
    return with_crossings(std::move(ratios), times, machine_);
  }

  Machine machine_;
  std::vector<SymbolicPrice> candidates_;
};

}  // namespace

std::vector<SymbolicPrice> symbolic_prices(const PricingRequest& request, double m) {
  std::vector<SymbolicPrice> prices;
  for (const Algorithm* algorithm : request.algorithms) prices.push_back(price_in_symbols(request, *algorithm, m));
  return prices;
}

double greatest_factor(const TimeCases& cases, const std::vector<SymbolicBound>& bounds, const Machine& machine) {
  if (!cases.is_whole || cases.times.empty() || bounds.empty()) return 0;
  std::vector<SymbolicTime> times = cases.times;
  for (const SymbolicBound& bound : bounds) times.push_back(bound.time);
  // Between two of these both are straight lines, so that their quotient is greatest at an end.
  std::vector<double> ratios = with_crossings({0x1p-40, 0x1p40}, times, machine);
  for (const TimeBoundary& boundary : cases.boundaries) {
    ratios.push_back(boundary.ratio * (1 - 1e-6));
    ratios.push_back(boundary.ratio * (1 + 1e-6));
  }
  double greatest = 0;
  for (const double ratio : ratios) {
    const Machine there = machine_by(machine, ratio);
    double least = 0;
    for (const SymbolicBound& bound : bounds) least = std::max(least, seconds(bound.time, there, 1));
    if (least > 0) greatest = std::max(greatest, seconds(cases, there, 1) / least);
  }
  return greatest;
}

std::vector<SymbolicWinner> symbolic_winners(const PricingRequest& request, const std::vector<SymbolicPrice>& prices) {
  return WinnerSearch(request, prices).find();
}

std::string where(const std::vector<SymbolicWinner>& winners, std::size_t at, const SymbolNames& names) {
  if (winners.size() == 1) return "always";
  std::string words;
  if (at > 0) words = where_not_below(winners[at - 1].last, winners[at].first, names);
  if (at + 1 < winners.size()) {
    if (!words.empty()) words += " and ";
    words += where_not_below(winners[at + 1].first, winners[at].last, names);
  }
  return words;
}

}  // namespace tutti
