#include "app/planned.hpp"

#include <algorithm>

#include "app/plan_kept.hpp"
#include "cost/crossing.hpp"
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
    return decide(problem, Wish{.parameters = question.parameters}, question.element_size, *question.model,
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

// Who wins at which sizes. Between sizes that are asked about the model is asked, too, where that is quick.
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
  const int looks_a_doubling = question.search == Search::other_sizes ? 4 : 1;
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

}  // namespace

std::optional<double> error_of(const PlanRow& row) {
  return row.measured ? std::optional((row.priced.seconds - *row.measured) / *row.measured) : std::nullopt;
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
  if (sizes.size() > 1) each.search = Search::this_size;  // the winners of the range say more
  for (const std::int64_t bytes : sizes) planned.sizes.push_back(planned_for(each, bytes, measurements));
  if (sizes.size() == 1) return planned;
  planned.winners = winners_of(question, {sizes.front(), sizes.back()});
  if (question.even == nullptr) return planned;
  each.model = question.even;
  planned.even = winners_of(each, {sizes.front(), sizes.back()});
  return planned;
}

}  // namespace tutti::app
