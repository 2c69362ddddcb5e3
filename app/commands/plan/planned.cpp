#include "app/commands/plan/planned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/command_line/terminal.hpp"
#include "app/commands/plan/kept_winners.hpp"
#include "app/reports/descriptions.hpp"
#include "cost/crossing.hpp"
#include "measure/loop.hpp"
#include "schedule/model/planning.hpp"
#include "tuning/measured_communicator.hpp"
#include "verify/text.hpp"

namespace tutti::app {
namespace {

// Nothing where a proof would take more than a moment.
std::optional<bool> is_proved(const Choice& choice, const Problem& problem, const Layout& layout) {
  constexpr std::int64_t most_messages = 1 << 14;
  if (recorded_size(choice, problem, layout).effort() > most_messages) return std::nullopt;
  return verify(choice, problem, layout).proved();
}

Decision decision_for(const PlanQuestion& question, const Problem& problem) {
  if (question.heeds_environment) {
    return decide(problem, ChoiceRequest{.parameters = question.parameters}, question.element_size, *question.model,
                  question.rules);
  }
  return decide(problem, question.parameters, question.element_size, *question.model, question.rules);
}

// A rule that does not fit matters to nobody where the environment names the algorithm.
std::vector<std::string> rules_passed_over(const PlanQuestion& question, const Problem& problem) {
  if (question.heeds_environment && !algorithm_in_environment(problem.collective).empty()) return {};
  return passed_over(question.rules, problem, question.element_size, question.model->layout());
}

// Programs go by what an earlier run has found. Their ranks come together.
void take_kept(PlannedSize& planned, const PlanQuestion& question, const Problem& problem) {
  planned.kept = kept_for(question, problem);
  const KeptWinner* const taken = taken_of(planned.kept, problem);
  if (taken == nullptr) return;
  if (question.even != nullptr) {
    planned.even = taken->choice.algorithm;
  } else {
    planned.explanation.chosen = taken->choice;
    planned.explanation.why.insert(0, "By prediction alone, ");
  }
}

PlannedSize planned_for(const PlanQuestion& question, std::int64_t bytes, const Measurements& measurements) {
  const Problem problem = problem_of_size(question, bytes);
  const Layout& layout = question.model->layout();
  const Decision decided = decision_for(question, problem);
  PlannedSize planned{.bytes = bytes,
                      .explanation = explain(problem, decided.choice, decided.by, question.parameters,
                                             question.element_size, *question.model, question.search),
                      .rows = {},
                      .passed_over = rules_passed_over(question, problem)};
  if (question.even != nullptr)
    planned.even = choose(problem, question.parameters, question.element_size, *question.even).algorithm;
  if (decided.by.empty()) take_kept(planned, question, problem);
  for (const Priced& priced : planned.explanation.ranking) {
    const auto measured = measurements.find({priced.choice.algorithm, bytes});
    planned.rows.push_back(
        {.priced = priced,
         .parameters = parameters_in_words(priced.choice, problem, layout),
         .proved = is_proved(priced.choice, problem, layout),
         .measured = measured == measurements.end() ? std::nullopt : std::optional(measured->second)});
  }
  return planned;
}

Term term_at(const PlanQuestion& question, std::int64_t bytes) {
  const Problem problem = problem_of_size(question, bytes);
  const Decision decided = decision_for(question, problem);
  const Algorithm* const algorithm = decided.choice.algorithm;
  if (decided.by.empty()) return {{bytes, bytes}, algorithm, {}, algorithm};
  const Choice cheapest = choose(problem, question.parameters, question.element_size, *question.model);
  return {{bytes, bytes}, algorithm, decided.by, cheapest.algorithm};
}

// Returns the winners by ranges of sizes. Between sizes that are asked about the model is asked, too, if that is quick.
std::vector<Term> winners_of(const PlanQuestion& question, const SizeRange& range) {
  std::vector<Term> met;
  const auto winner = [&](std::int64_t bytes) {
    const Term term = term_at(question, bytes);
    const auto found = std::find_if(met.begin(), met.end(), [&](const Term& each) {
      return each.algorithm == term.algorithm && each.by == term.by && each.cheapest == term.cheapest;
    });
    if (found != met.end()) return static_cast<std::size_t>(found - met.begin());
    met.push_back(term);
    return met.size() - 1;
  };
  std::vector<std::int64_t> begins{range.least};
  const int looks_a_doubling = question.search == CrossoverSearch::other_sizes ? 4 : 1;
  for (const std::int64_t bytes : winner_changes(winner, range, looks_a_doubling)) {
    if (bytes > range.least) begins.push_back(bytes);
  }
  std::vector<Term> terms;
  for (std::size_t k = 0; k < begins.size(); ++k) {
    terms.push_back(met[winner(begins[k])]);
    terms.back().sizes = {begins[k], k + 1 < begins.size() ? begins[k + 1] - 1 : range.most};
  }
  return terms;
}

measure::Cell cell_of(const Problem& problem, std::int64_t bytes) {
  const std::int64_t blocks = has_blocks(problem.collective) ? problem.ranks : 1;
  return {problem.collective, problem.ranks, bytes * blocks};
}

Json json_of(const PlanRow& row, double bound) {
  const auto error = error_of(row);
  const bool known = std::isfinite(row.priced.seconds);
  Json needs = Json::array();
  for (const Need need : row.priced.choice.algorithm->needs) needs.push_back(name_of(need));
  return Json{{"algorithm", row.priced.choice.algorithm->name},
              {"parameters", row.parameters},
              {"needs", needs},
              {"proved", row.proved ? Json(*row.proved) : Json(nullptr)},
              {"predicted_seconds", known ? Json(row.priced.seconds) : Json(nullptr)},
              {"predicted_once_seconds", known ? Json(row.priced.once) : Json(nullptr)},
              {"measured_seconds", row.measured ? Json(*row.measured) : Json(nullptr)},
              {"error", error ? Json(*error) : Json(nullptr)},
              {"ratio", known && bound > 0 ? Json(row.priced.seconds / bound) : Json(nullptr)}};
}

Json json_of(const PlannedSize& size) {
  Json algorithms = Json::array();
  for (const PlanRow& row : size.rows) algorithms.push_back(json_of(row, size.explanation.bound));
  Json kept = Json::array();
  for (const KeptWinner& each : size.kept) {
    const Parameters& parameters = each.choice.parameters;
    kept.push_back(Json{{"elements", each.elements},
                        {"algorithm", each.choice.algorithm->name},
                        {"parameters", parameters == Parameters() ? "" : describe(parameters)},
                        {"seconds", each.seconds}});
  }
  return Json{{"bytes", size.bytes},
              {"count", size.explanation.problem.count},
              {"bound_seconds", size.explanation.bound},
              {"chosen", size.explanation.chosen.algorithm->name},
              {"rule", size.explanation.by.empty() ? Json(nullptr) : Json(size.explanation.by)},
              {"chosen_if_even", size.even == nullptr ? Json(nullptr) : Json(size.even->name)},
              {"kept", kept},
              {"why", size.explanation.why},
              {"algorithms", algorithms}};
}

}  // namespace

std::optional<double> error_of(const PlanRow& row) {
  return row.measured ? std::optional((row.priced.seconds - *row.measured) / *row.measured) : std::nullopt;
}

const PlanRow* row_of(const PlannedSize& size, const Algorithm* algorithm) {
  const auto found = std::find_if(size.rows.begin(), size.rows.end(),
                                  [&](const PlanRow& row) { return row.priced.choice.algorithm == algorithm; });
  return found == size.rows.end() ? nullptr : &*found;
}

std::vector<const Algorithm*> algorithms_in(const Planned& planned) {
  return candidates_for(planned.question.problem, *planned.question.model);
}

Problem problem_of_size(const PlanQuestion& question, std::int64_t bytes) {
  Problem problem = question.problem;
  if (problem.collective == Collective::barrier) return problem;
  problem.count = bytes / question.element_size;
  if (bytes > 0) problem.count = std::max<std::int64_t>(1, problem.count);
  return problem;
}

Planned plan_sizes(const PlanQuestion& question, const std::vector<std::int64_t>& sizes,
                   const Measurements& measurements) {
  Planned planned{.question = question, .sizes = {}, .winners = {}};
  PlanQuestion each = question;
  if (sizes.size() > 1) each.search = CrossoverSearch::this_size;  // the winners of the range say more
  for (const std::int64_t bytes : sizes) planned.sizes.push_back(planned_for(each, bytes, measurements));
  if (sizes.size() == 1) return planned;
  planned.winners = winners_of(question, {sizes.front(), sizes.back()});
  if (question.even == nullptr) return planned;
  each.model = question.even;
  planned.even = winners_of(each, {sizes.front(), sizes.back()});
  return planned;
}

std::string trials_in_words(const Planned& planned) {
  const Planning planning = planning_of(planned.question);
  const bool are_tried = std::any_of(planned.sizes.begin(), planned.sizes.end(), [](const PlannedSize& size) {
    return size.explanation.by.empty() && taken_of(size.kept, size.explanation.problem) == nullptr;
  });
  if (planning == Planning::estimate || !are_tried) return "";
  const Problem& problem = planned.question.problem;
  return fmt::format(
      "As TUTTI_PLAN is {}, programs try the fastest of these in their first calls, and keep the best{}.",
      name_of(planning), rounds_doubles(problem) ? "; not in sums of doubles, which round" : "");
}

void check_measurable(const Problem& problem, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t bytes : sizes) {
    measure::check(cell_of(problem, bytes));
    (void)measure::sets_for(cell_of(problem, bytes));
  }
}

Measurements measure_all(Communicator& comm, const Problem& problem, const std::vector<std::int64_t>& sizes,
                         const measure::Effort& effort) {
  const std::vector<const Algorithm*> candidates = candidates_for(problem, Layout{});
  const std::size_t total = candidates.size() * sizes.size();
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", total) : Progress();
  Measurements measurements;
  for (const std::int64_t bytes : sizes) {
    measure::CellMeasurement turns(cell_of(problem, bytes), comm.rank(), &measure::plain_memory);
    for (const Algorithm* algorithm : candidates) {
      if (progress) progress(measurements.size());
      MeasuredCommunicator measured(comm, MeasuredMemory::plain, algorithm->name, problem.commutative);
      measurements[{algorithm, bytes}] = turns.measure(measured, effort).summary.median;
    }
  }
  if (progress) clear_progress_bar();
  return measurements;
}

std::string plan_json(const Planned& planned) {
  const Explanation& told = planned.sizes.front().explanation;
  Json sizes = Json::array();
  for (const PlannedSize& size : planned.sizes) sizes.push_back(json_of(size));
  Json winners = Json::array();
  for (const Term& term : planned.winners) {
    winners.push_back(Json{{"from_bytes", term.sizes.least},
                           {"to_bytes", term.sizes.most},
                           {"algorithm", term.algorithm->name},
                           {"rule", term.by.empty() ? Json(nullptr) : Json(term.by)},
                           {"overrides", term.algorithm == term.cheapest ? Json(nullptr) : Json(term.cheapest->name)}});
  }
  return Json{{"collective", name_of(told.problem.collective)},
              {"ranks", told.problem.ranks},
              {"element_bytes", told.element_size},
              {"costs", told.costs},
              {"planning", name_of(planning_of(planned.question))},
              {"sizes", sizes},
              {"winners", winners}}
             .dump(2) +
         '\n';
}

}  // namespace tutti::app
