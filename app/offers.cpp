#include "app/offers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "algorithms/catalogue.hpp"
#include "app/traffic_options.hpp"
#include "base/alike.hpp"
#include "base/units.hpp"
#include "cost/forms.hpp"
#include "cost/links.hpp"
#include "cost/segments.hpp"

namespace tutti::app {
namespace {

// What recording one takes, in work of a simulation.
constexpr std::int64_t work_of_a_slice = 8;

Problem sized(Problem problem, std::int64_t bytes) {
  if (problem.counts.empty()) problem.count = problem.collective == Collective::barrier ? 0 : bytes;
  return problem;
}

// Whether to record one rank alone may take seconds: where ranks are many, and each sends blocks to many others.
bool is_slow_to_record(const Choice& choice, const Question& question) {
  constexpr int many_ranks = 1 << 14;
  constexpr std::int64_t many_messages = 64;
  const int ranks = question.problem.ranks;
  return ranks > many_ranks && choice.claims(question.problem, question.layout).messages / ranks > many_messages;
}

// "1us", or what it is inside and between nodes where one of them is its own.
std::string by_level(double all, const std::optional<double>& inside, const std::optional<double>& between) {
  const std::string within = text_of(Seconds{inside.value_or(all)});
  const std::string beyond = text_of(Seconds{between.value_or(all)});
  return within == beyond ? within : fmt::format("{} inside and {} between nodes", within, beyond);
}

}  // namespace

std::vector<const Algorithm*> fitting_algorithms(const Problem& problem, const Layout& layout) {
  std::vector<const Algorithm*> found = algorithms::algorithms_for(problem.collective);
  std::erase_if(found, [&](const Algorithm* algorithm) { return unmet_need(*algorithm, problem, layout).has_value(); });
  return found;
}

std::string costs_in_words(const Question& question) {
  const Machine& m = question.machine;
  const NodeLinks links = question.node_links.value_or(NodeLinks());
  const std::string traffic = traffic_in_words(question.traffic);
  return fmt::format("{}; ts = {}, tw = {}, th = {}, tc = {}{}{}", name_of(m.switching),
                     by_level(m.ts, links.inside.ts, links.between.ts),
                     by_level(m.tw, links.inside.tw, links.between.tw), text_of(Seconds{m.th}), text_of(Seconds{m.tc}),
                     traffic.empty() ? "" : "; ", traffic);
}

std::string_view name_of(Basis basis) {
  switch (basis) {
    case Basis::closed_form:
      return "closed-form";
    case Basis::simulation:
      return "simulation";
    case Basis::upper_bound:
      return "upper-bound";
    case Basis::none:
      break;
  }
  return "";
}

Prices::Prices(Question question, std::vector<std::int64_t> listed, std::size_t drawn, const Effort& effort)
    : question_(std::move(question)),
      listed_(std::move(listed)),
      effort_(effort),
      bounds_(question_.problem, 1, *question_.topology, question_.machine, question_.traffic.injection) {
  const PortSpeeds ports = port_speeds(*question_.topology, question_.machine);
  least_ts_ = ports.least_ts;
  most_ts_ = ports.most_ts;
  least_tw_ = ports.least_time;
  const std::int64_t largest = listed_.back();
  if (largest > largest_count(question_.problem)) return;
  find_simulable();
  share_out_drawn(drawn);
}

// Of algorithms without a form those that a share of the effort suffices for, at the largest size, each for no more
// than half of what is left, the fastest before the others; where no times are listed, all that may be the fastest.
void Prices::find_simulable() {
  struct Candidate {
    double least = 0;
    std::int64_t work = 0;
    const Algorithm* algorithm = nullptr;
  };
  const std::int64_t largest = listed_.back();
  std::vector<Candidate> candidates;
  for (const Algorithm* algorithm : question_.algorithms) {
    // Of two sizes in a row p divides one at most.
    if (has_exact_form(*algorithm, largest) && has_exact_form(*algorithm, largest + 1)) continue;
    const Choice simulated_as = choice(*algorithm, largest);
    if (is_slow_to_record(simulated_as, question_)) continue;
    const RecordedSize size = recorded_size(simulated_as, sized(question_.problem, largest), question_.layout);
    recording_[algorithm] = size.messages * work_of_a_message + size.slices * work_of_a_slice;
    candidates.push_back({least_seconds(*algorithm, largest), recording_[algorithm], algorithm});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.least, a.work) < std::pair(b.least, b.work);
  });
  work_left_ = effort_of_a_size();
  // Those that take much work are given up at first, so that they leave enough for the others; what is left is for
  // them.
  std::vector<const Algorithm*> larger;
  for (const Candidate& candidate : candidates) {
    if (candidate.work > work_left_) continue;
    // What is congested may take very long, while what has many messages but little congestion takes about as long as
    // to record it.
    const SimulationOptions limits{.most_work = std::min(work_left_, std::max(work_left_ / 4, 2 * candidate.work))};
    const std::optional<double> seconds = lists() ? simulated(*candidate.algorithm, largest, limits) : std::nullopt;
    (seconds || !lists() ? simulable_ : larger).push_back(candidate.algorithm);
  }
  for (const Algorithm* algorithm : larger) {
    if (recording_[algorithm] <= work_left_ && simulated(*algorithm, largest, {.most_work = work_left_ / 2}))
      simulable_.push_back(algorithm);
  }
  work_left_ = std::numeric_limits<std::int64_t>::max();
}

// Those that a share of the effort for what is drawn suffices for, at each of so many sizes.
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
      return !price(*algorithm, bytes) && (!is_simulated(*algorithm, bytes) || given_up_.contains(algorithm));
    });
  };
  std::copy_if(question_.algorithms.begin(), question_.algorithms.end(), std::back_inserter(found), is_unknown);
  return found;
}

// Where segments are left open, they are as many as suit the algorithm's rounds, each of which takes as long as its
// slowest message, or as many as an eighth of the effort for a size is enough for, but not fewer than a few: in
// fewer a pipeline is none, and may be too large.
Parameters Prices::parameters(const Algorithm& algorithm, std::int64_t bytes) const {
  constexpr std::int64_t few = 8;
  Parameters found = question_.parameters;
  const Problem problem = sized(question_.problem, bytes);
  if (found.segments != 0 || problem.collective == Collective::all_to_all || bytes < 2) return found;
  Machine machine = question_.machine;
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

std::optional<ClosedFormPrice> Prices::price(const Algorithm& algorithm, std::int64_t bytes) const {
  if (question_.beyond_forms) return std::nullopt;
  return tutti::price({algorithm, question_.parameters}, sized(question_.problem, bytes), *question_.topology,
                      question_.machine, question_.layout);
}

bool Prices::has_exact_form(const Algorithm& algorithm, std::int64_t bytes) const {
  const std::optional<ClosedFormPrice> priced = price(algorithm, bytes);
  return priced && priced->exactly;
}

bool Prices::is_simulated(const Algorithm& algorithm, std::int64_t bytes) const {
  const bool simulable = std::find(simulable_.begin(), simulable_.end(), &algorithm) != simulable_.end();
  return simulable && !has_exact_form(algorithm, bytes);
}

std::optional<double> Prices::simulated(const Algorithm& algorithm, std::int64_t bytes,
                                        const SimulationOptions& limits) {
  const std::pair key(&algorithm, bytes);
  if (const auto known = simulated_.find(key); known != simulated_.end()) return known->second;
  SimulationOptions options = question_.traffic;
  options.most_work = limits.most_work;
  options.until = limits.until;
  Workload workload(choice(algorithm, bytes), sized(question_.problem, bytes), 1, question_.layout);
  const Simulation result = simulate(workload, *question_.topology, question_.machine, options);
  const std::int64_t work = std::max(result.work, recording_[&algorithm]);
  work_left_ -= work;
  if (!result.is_whole) return std::nullopt;
  simulating_[&algorithm] = work;
  return simulated_.emplace(key, result.seconds).first->second;
}

// Ranks with one port send one message after the other: all of them together no faster than this. Where messages are
// empty, claims are too high to say so.
double Prices::least_seconds(const Algorithm& algorithm, std::int64_t bytes) const {
  const Problem problem = sized(question_.problem, bytes);
  const bool all_sent = has_blocks(problem.collective) ? bytes > 0 : bytes >= problem.ranks;
  if (question_.machine.ports != Ports::single || !all_sent) return 0;
  const Claims claims = choice(algorithm, bytes).claims(problem, question_.layout);
  const double time =
      static_cast<double>(claims.messages) * least_ts_ + static_cast<double>(claims.elements) * least_tw_;
  return time / problem.ranks;
}

std::optional<double> Prices::exact_seconds(const Choice& choice, std::int64_t bytes) const {
  if (question_.beyond_forms) return std::nullopt;
  const auto priced =
      tutti::price(choice, sized(question_.problem, bytes), *question_.topology, question_.machine, question_.layout);
  if (!priced || !priced->exactly) return std::nullopt;
  return seconds(priced->terms, 1, question_.machine);
}

void Prices::search_segments(Offer& offer, std::int64_t bytes) const {
  if (question_.parameters.segments != 0 || bytes < 2) return;
  Parameters parameters = question_.parameters;
  const auto seconds_in = [&](int segments) {
    parameters.segments = segments;
    return exact_seconds({*offer.algorithm, parameters}, bytes);
  };
  // Algorithms that cut nothing take as long with any number.
  if (seconds_in(1) == seconds_in(2)) return;
  for (const int segments : segments_to_try(bytes)) {
    const auto time = seconds_in(segments);
    if (!time) continue;
    if (offer.parameters.segments != 0 && *time >= offer.seconds) continue;
    if (offer.parameters.segments == 0 && *time > offer.seconds) continue;
    offer.seconds = *time;
    offer.parameters.segments = segments;
  }
}

Offer Prices::offer(const Algorithm& algorithm, std::int64_t bytes) {
  Offer offer{.algorithm = &algorithm, .parameters = question_.parameters};
  const std::optional<ClosedFormPrice> priced = price(algorithm, bytes);
  if (priced) {
    offer.form = priced->form;
    offer.formula = priced->formula;
    offer.seconds = seconds(priced->terms, 1, question_.machine);
    offer.basis = priced->exactly ? Basis::closed_form : Basis::upper_bound;
    if (priced->exactly) search_segments(offer, bytes);
    if (priced->exactly) return offer;
  }
  if (!is_simulated(algorithm, bytes) || given_up_.contains(&algorithm)) {
    // Where the algorithm's own segments are not equal, those of other numbers may be.
    if (priced) search_segments(offer, bytes);
    if (offer.parameters.segments != question_.parameters.segments) offer.basis = Basis::closed_form;
    return offer;
  }
  return {&algorithm, Basis::simulation, *simulated(algorithm, bytes), nullptr, parameters(algorithm, bytes)};
}

std::vector<Offer> Prices::offers(std::int64_t bytes) {
  std::vector<Offer> found;
  for (const Algorithm* algorithm : question_.algorithms) found.push_back(offer(*algorithm, bytes));
  std::stable_sort(found.begin(), found.end(), [](const Offer& a, const Offer& b) {
    return a.is_known() && b.is_known() ? a.seconds < b.seconds : a.is_known() && !b.is_known();
  });
  for (auto first = found.begin(); first != found.end() && first->is_known();) {
    const auto last = std::find_if(first, found.end(), [&](const Offer& offer) {
      return !offer.is_known() || offer.seconds > first->seconds * alike;
    });
    std::sort(first, last, [&](const Offer& a, const Offer& b) {
      const auto place = [&](const Offer& offer) {
        return std::find(question_.algorithms.begin(), question_.algorithms.end(), offer.algorithm);
      };
      return place(a) < place(b);
    });
    first = last;
  }
  return found;
}

}  // namespace tutti::app
