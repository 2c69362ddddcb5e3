#include "app/plan_kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/units.hpp"
#include "calls/measuring.hpp"
#include "runtime/settings.hpp"
#include "schedule/planning.hpp"

namespace tutti::app {
namespace {

std::string calls_in_words(const KeptWinner& kept) {
  return kept.elements.empty() ? "such calls" : "calls of " + kept.elements;
}

untyped::Call call_of_doubles(const Problem& problem) {
  untyped::Call call{.collective = problem.collective, .op = {.name = "sum"}};
  if (problem.collective != Collective::barrier) call.type = detail::datatype_of<double>();
  return call;
}

}  // namespace

std::vector<KeptWinner> kept_for(const PlanQuestion& question, const Problem& problem) {
  std::vector<KeptWinner> kept;
  for (const std::string& place : question.places) {
    std::vector<KeptWinner> there =
        kept_winners({problem, question.element_size, question.parameters, place}, question.model->layout());
    std::move(there.begin(), there.end(), std::back_inserter(kept));
  }
  return kept;
}

const KeptWinner* taken_of(const std::vector<KeptWinner>& kept, const Problem& problem) {
  const untyped::Call call = call_of_doubles(problem);
  if (runtime::rounds(call, problem.ranks)) return nullptr;
  const std::string elements = elements_in_words(call.collective, call.type.name, call.op.name);
  const auto found =
      std::find_if(kept.begin(), kept.end(), [&](const KeptWinner& each) { return each.elements == elements; });
  return found == kept.end() ? nullptr : &*found;
}

std::string kept_in_words(const KeptWinner& kept) {
  return fmt::format("{}, {} for {}", choice_in_words(kept.choice), text_of(Seconds{kept.seconds}),
                     calls_in_words(kept));
}

std::string_view followers_in_words(const Problem& problem) {
  return reduces(problem.collective)
             ? "programs go by it, those whose operator rounds or is their own only where they measure"
             : "programs go by it";
}

std::vector<std::string> sentences_on(const std::vector<KeptWinner>& kept, const Problem& problem) {
  std::vector<std::string> sentences;
  for (const KeptWinner& each : kept) {
    sentences.push_back(fmt::format("{} was found to be the fastest for {} in an earlier run on this machine, {}; {}.",
                                    choice_in_words(each.choice), calls_in_words(each), text_of(Seconds{each.seconds}),
                                    followers_in_words(problem)));
  }
  return sentences;
}

std::string trials_in_words(const Planned& planned) {
  const Planning planning = planning_of(planned.question);
  const bool are_tried = std::any_of(planned.sizes.begin(), planned.sizes.end(), [](const PlannedSize& size) {
    return size.explanation.by.empty() && taken_of(size.kept, size.explanation.problem) == nullptr;
  });
  if (planning == Planning::estimate || !are_tried) return "";
  const Problem& problem = planned.question.problem;
  const bool round = runtime::rounds(call_of_doubles(problem), problem.ranks);
  return fmt::format(
      "As TUTTI_PLAN is {}, programs try the fastest of these in their first calls, and keep the best{}.",
      name_of(planning), round ? "; not in sums of doubles, which round" : "");
}

Planning planning_of(const PlanQuestion& question) {
  const bool is_for_programs = question.heeds_environment && question.even == nullptr;
  return is_for_programs ? runtime::planning_in_environment() : Planning::estimate;
}

}  // namespace tutti::app
