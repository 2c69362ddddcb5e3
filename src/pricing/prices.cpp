#include "pricing/prices.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "algorithms/catalogue.hpp"
#include "base/alike.hpp"
#include "cost/bounds/links.hpp"
#include "cost/forms/forms.hpp"
#include "cost/segments.hpp"

namespace tutti {
namespace {

// Work of recording one slice, in work of a simulation.
constexpr std::int64_t work_of_a_slice = 8;

// Whether to record one rank alone may take seconds: where ranks are many, and each sends blocks to many others.
bool is_slow_to_record(const Choice& choice, const PricingRequest& request) {
  constexpr int many_ranks = 1 << 14;
  constexpr std::int64_t many_messages = 64;
  const int ranks = request.problem.ranks;
  return ranks > many_ranks && choice.claims(request.problem, request.layout).messages / ranks > many_messages;
}

}  // namespace

std::vector<const Algorithm*> fitting_algorithms(const Problem& problem, const Layout& layout) {
  std::vector<const Algorithm*> found = algorithms::algorithms_for(problem.collective);
  std::erase_if(found, [&](const Algorithm* algorithm) { return unmet_need(*algorithm, problem, layout).has_value(); });
  return found;
}

Prices::Prices(PricingRequest request, std::vector<std::int64_t> listed, std::size_t drawn, const PricingEffort& effort)
    : request_(std::move(request)),
      listed_(std::move(listed)),
      effort_(effort),
      bounds_(request_.problem, 1, *request_.topology, request_.machine, request_.traffic.injection) {
  const PortSpeeds ports = port_speeds(*request_.topology, request_.machine);
  least_ts_ = ports.least_ts;
  most_ts_ = ports.most_ts;
  least_tw_ = ports.least_time;
  // Work that is too much at a large size may be little at a smaller one; the rest of a size's share is for the next.
  std::int64_t left_over = 0;
  for (auto bytes = listed_.rbegin(); bytes != listed_.rend(); ++bytes) {
    if (*bytes > largest_count(request_.problem)) continue;
    work_left_ = effort_of_a_size() + left_over;
    for (const Algorithm* algorithm : simulable_) work_left_ -= simulating_[algorithm];
    find_simulable(*bytes);
    left_over = std::max<std::int64_t>(0, work_left_);
  }
  work_left_ = std::numeric_limits<std::int64_t>::max();
  share_out_drawn(drawn);
}

// Finds the algorithms without a form that the work that is left suffices for at that size, but for those that are
// simulated at larger ones: each for no more than half of what is left, the fastest before the others; if no times are
// listed, all that may be the fastest.
void Prices::find_simulable(std::int64_t bytes) {
  struct Candidate {
    double least = 0;
    std::int64_t work = 0;
    const Algorithm* algorithm = nullptr;
  };
  std::vector<Candidate> candidates;
  for (const Algorithm* algorithm : request_.algorithms) {
    if (simulated_up_to_.contains(algorithm)) continue;
    // Sizes that are not listed are looked for at the largest alone; one of two consecutive sizes is not divided by p.
    const bool looks_further = bytes == listed_.back();
    if (has_exact_form(*algorithm, bytes) && (!looks_further || has_exact_form(*algorithm, bytes + 1))) continue;
    const Choice simulated_as = choice(*algorithm, bytes);
    if (is_slow_to_record(simulated_as, request_)) continue;
    const RecordedSize size = recorded_size(simulated_as, sized(bytes), request_.layout);
    recording_[algorithm] = size.messages * work_of_a_message + size.slices * work_of_a_slice;
    ports_[{algorithm, bytes}] = size.ports;
    candidates.push_back({least_seconds(*algorithm, bytes), recording_[algorithm], algorithm});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.least, a.work) < std::pair(b.least, b.work);
  });
  // Larger ones are given up at first, so that they leave enough for the others; what is left is for them.
  std::vector<const Algorithm*> larger;
  for (const Candidate& candidate : candidates) {
    if (candidate.work > work_left_) continue;
    // Congestion may take very long, while an algorithm of many messages and little congestion takes about as long as
    // to record it.
    const SimulationOptions limits{.most_work = std::min(work_left_, std::max(work_left_ / 4, 2 * candidate.work))};
    const std::optional<double> seconds = lists() ? simulated(*candidate.algorithm, bytes, limits) : std::nullopt;
    if (seconds || !lists()) {
      note_simulable(*candidate.algorithm, bytes);
    } else {
      larger.push_back(candidate.algorithm);
    }
  }
  for (const Algorithm* algorithm : larger) {
    if (recording_[algorithm] <= work_left_ && simulated(*algorithm, bytes, {.most_work = work_left_ / 2}))
      note_simulable(*algorithm, bytes);
  }
}

// Nothing says that sizes above the largest that is listed take longer.
void Prices::note_simulable(const Algorithm& algorithm, std::int64_t bytes) {
  simulable_.push_back(&algorithm);
  simulated_up_to_[&algorithm] = bytes == listed_.back() ? std::numeric_limits<std::int64_t>::max() : bytes;
}

// Finds the algorithms that a share of the effort for what is drawn suffices for, at each of so many sizes.
void Prices::share_out_drawn(std::size_t sizes) {
  if (sizes == 0) return;
  std::int64_t left = effort_.drawn / static_cast<std::int64_t>(sizes);
  for (const Algorithm* algorithm : simulable_) {
    const std::int64_t work = simulating_[algorithm];
    if (work <= left) {
      left -= work;
    } else {
      listed_alone_.insert(algorithm);
    }
  }
}

std::vector<const Algorithm*> Prices::unknown() const {
  std::vector<const Algorithm*> found;
  const auto is_unknown = [&](const Algorithm* algorithm) {
    return std::any_of(listed_.begin(), listed_.end(), [&](std::int64_t bytes) {
      return !form_price(*algorithm, bytes) && (!is_simulated(*algorithm, bytes) || given_up_.contains(algorithm));
    });
  };
  std::copy_if(request_.algorithms.begin(), request_.algorithms.end(), std::back_inserter(found), is_unknown);
  return found;
}

// Returns the parameters, with open segments filled in: as many as suit the algorithm's rounds, each of which takes as
// long as its slowest message, or as many as an eighth of the effort for a size is enough for, but not fewer than a
// few: in fewer a pipeline is none, and may be too large.
Parameters Prices::parameters(const Algorithm& algorithm, std::int64_t bytes) const {
  constexpr std::int64_t few = 8;
  Parameters found = request_.parameters;
  const Problem problem = sized(bytes);
  if (found.segments != 0 || problem.collective == Collective::all_to_all || bytes < 2) return found;
  Machine machine = request_.machine;
  machine.ts = most_ts_;
  machine.tw = least_tw_;
  found.segments = segments_by_rounds(algorithm, problem, machine);
  if (found.segments == 0) return found;
  const Claims one = algorithm.claims(claimable(problem), {.segments = 1});
  const std::int64_t most =
      effort_of_a_size() / (8 * (work_of_a_message + work_of_a_slice) * std::max<std::int64_t>(1, one.messages));
  found.segments = static_cast<int>(std::min<std::int64_t>(std::max(most, few), found.segments));
  return found;
}

std::optional<ClosedFormPrice> Prices::form_price(const Algorithm& algorithm, std::int64_t bytes) const {
  if (request_.beyond_forms) return std::nullopt;
  return tutti::price({algorithm, request_.parameters}, sized(bytes), *request_.topology, request_.machine,
                      request_.layout);
}

bool Prices::has_exact_form(const Algorithm& algorithm, std::int64_t bytes) const {
  const std::optional<ClosedFormPrice> closed_form = form_price(algorithm, bytes);
  return closed_form && closed_form->exactly;
}

bool Prices::is_simulated(const Algorithm& algorithm, std::int64_t bytes) const {
  const auto most = simulated_up_to_.find(&algorithm);
  return most != simulated_up_to_.end() && bytes <= most->second && !has_exact_form(algorithm, bytes);
}

// Ranks with one port send one message after the other, and receive them so: one that was recorded its own, and all of
// them together no faster than this. Where messages are empty, claims are too high to say the latter.
double Prices::least_seconds(const Algorithm& algorithm, std::int64_t bytes) const {
  const Problem problem = sized(bytes);
  const bool all_sent = has_blocks(problem.collective) ? bytes > 0 : bytes >= problem.ranks;
  if (request_.machine.ports != Ports::single) return 0;
  double least = 0;
  if (const auto ports = ports_.find({&algorithm, bytes}); ports != ports_.end()) {
    for (const PortLoad& load : ports->second) least = std::max(least, least_seconds_of(load));
  }
  if (!all_sent) return least;
  const Claims claims = choice(algorithm, bytes).claims(problem, request_.layout);
  return std::max(least, least_seconds_of({claims.messages, claims.elements}) / problem.ranks);
}

std::optional<double> Prices::exact_seconds(const Choice& choice, std::int64_t bytes) const {
  if (request_.beyond_forms) return std::nullopt;
  const auto closed_form = tutti::price(choice, sized(bytes), *request_.topology, request_.machine, request_.layout);
  if (!closed_form || !closed_form->exactly) return std::nullopt;
  return seconds(closed_form->terms, 1, request_.machine);
}

void Prices::search_segments(PricedAlgorithm& priced, std::int64_t bytes) const {
  if (request_.parameters.segments != 0 || bytes < 2) return;
  Parameters parameters = request_.parameters;
  const auto seconds_in = [&](int segments) {
    parameters.segments = segments;
    return exact_seconds({*priced.algorithm, parameters}, bytes);
  };
  // Algorithms that cut nothing take as long with any number.
  if (seconds_in(1) == seconds_in(2)) return;
  for (const int segments : segments_to_try(bytes)) {
    const auto time = seconds_in(segments);
    if (!time) continue;
    if (priced.parameters.segments != 0 && *time >= priced.seconds) continue;
    if (priced.parameters.segments == 0 && *time > priced.seconds) continue;
    priced.seconds = *time;
    priced.parameters.segments = segments;
  }
}

PricedAlgorithm Prices::price_of(const Algorithm& algorithm, std::int64_t bytes) {
  PricedAlgorithm priced{.algorithm = &algorithm, .parameters = request_.parameters};
  const std::optional<ClosedFormPrice> closed_form = form_price(algorithm, bytes);
  if (closed_form) {
    priced.form = closed_form->form;
    priced.formula = closed_form->formula;
    priced.seconds = seconds(closed_form->terms, 1, request_.machine);
    priced.basis = closed_form->exactly ? Basis::closed_form : Basis::upper_bound;
    if (closed_form->exactly) search_segments(priced, bytes);
    if (closed_form->exactly) return priced;
  }
  if (!is_simulated(algorithm, bytes) || given_up_.contains(&algorithm)) {
    // Segments of other numbers may be equal if the algorithm's own are not.
    if (closed_form) search_segments(priced, bytes);
    if (priced.parameters.segments != request_.parameters.segments) priced.basis = Basis::closed_form;
    return priced;
  }
  return {&algorithm, Basis::simulation, *simulated(algorithm, bytes), nullptr, parameters(algorithm, bytes)};
}

std::vector<PricedAlgorithm> Prices::ranking(std::int64_t bytes) {
  std::vector<PricedAlgorithm> found;
  for (const Algorithm* algorithm : request_.algorithms) found.push_back(price_of(*algorithm, bytes));
  std::stable_sort(found.begin(), found.end(), [](const PricedAlgorithm& a, const PricedAlgorithm& b) {
    return a.is_known() && b.is_known() ? a.seconds < b.seconds : a.is_known() && !b.is_known();
  });
  for (auto first = found.begin(); first != found.end() && first->is_known();) {
    const auto last = std::find_if(first, found.end(), [&](const PricedAlgorithm& priced) {
      return !priced.is_known() || priced.seconds > first->seconds * alike;
    });
    std::sort(first, last, [&](const PricedAlgorithm& a, const PricedAlgorithm& b) {
      const auto place = [&](const PricedAlgorithm& priced) {
        return std::find(request_.algorithms.begin(), request_.algorithms.end(), priced.algorithm);
      };
      return place(a) < place(b);
    });
    first = last;
  }
  return found;
}

}  // namespace tutti
