/// @file
/// Winners that trials of earlier runs have kept for the calls that `tutti plan` looks at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/plan/plan_question.hpp"
#include "plan/wisdom.hpp"
#include "tutti/planning.hpp"

namespace tutti::app {

/// The winners that programs go by where nobody names an algorithm: of calls of that many bytes, whatever their
/// elements.
std::vector<KeptWinner> kept_for(const PlanQuestion& question, const Problem& problem);

/// The winner that a program with calls of doubles goes by from its first call on, which `tutti plan` speaks of; null
/// where there is none, and where a sum of them rounds, whose bits winners of trials leave as they are.
const KeptWinner* taken_of(const std::vector<KeptWinner>& kept, const Problem& problem);

/// Whether a sum of doubles rounds, so that winners of trials leave its bits as they are.
bool rounds_doubles(const Problem& problem);

/// "chain (8 segments), 12us for calls of double, sum".
std::string kept_in_words(const KeptWinner& kept);

/// Returns which programs go by winners of calls like this, "programs go by it".
std::string_view followers_in_words(const Problem& problem);

/// Sentences on each of the winners, and which programs go by it.
std::vector<std::string> sentences_on(const std::vector<KeptWinner>& kept, const Problem& problem);

/// Returns how programs find algorithms there, as TUTTI_PLAN has it; Planning::estimate for a question that is not
/// about programs. Throws `Error(invalid_argument)` for an unknown way to plan.
Planning planning_of(const PlanQuestion& question);
}  // namespace tutti::app
