#include "app/commands/plan/kept_winners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/units.hpp"
#include "calls/algorithm_trial.hpp"
#include "runtime/settings.hpp"
#include "schedule/model/planning.hpp"

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

bool rounds_doubles(const Problem& problem) { return runtime::rounds(call_of_doubles(problem), problem.ranks); }

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

Planning planning_of(const PlanQuestion& question) {
  const bool is_for_programs = question.heeds_environment && question.even == nullptr;
  return is_for_programs ? runtime::planning_in_environment() : Planning::estimate;
}

}  // namespace tutti::app
