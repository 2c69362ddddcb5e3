/// @file
/// What trials of earlier runs have kept for the calls that `tutti plan` looks at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/planned.hpp"
#include "tutti/planning.hpp"

namespace tutti::app {

/// The winners that programs go by where nobody names an algorithm: of calls of that many bytes, whatever their
/// elements.
std::vector<KeptWinner> kept_for(const PlanQuestion& question, const Problem& problem);

/// The winner that a program with calls of doubles goes by from its first call on, which `tutti plan` speaks of; null
/// where there is none, and where a sum of them rounds, whose bits winners of trials leave as they are.
const KeptWinner* taken_of(const std::vector<KeptWinner>& kept, const Problem& problem);

/// "chain (8 segments), 12us for calls of double, sum".
std::string kept_in_words(const KeptWinner& kept);

/// Which programs go by winners of calls like this, "programs go by it".
std::string_view followers_in_words(const Problem& problem);

/// Sentences on each of the winners, and which programs go by it.
std::vector<std::string> sentences_on(const std::vector<KeptWinner>& kept, const Problem& problem);

/// How programs find algorithms there, as TUTTI_PLAN has it; Planning::estimate of what is not for programs. Throws
/// `Error(invalid_argument)` for what is no way to plan.
Planning planning_of(const PlanQuestion& question);
/// A sentence on what programs try by themselves; empty where they do not, or go by what is named or kept.
std::string trials_in_words(const Planned& planned);

}  // namespace tutti::app
