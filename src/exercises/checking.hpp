/// @file
/// Checks of answers by the core: numbers and formulas by value, programs by proof, times by simulation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exercises/exercise.hpp"

namespace tutti::exercises {

/// Checks an answer. `seed` is that of the random points at which formulas are compared. Never throws for a wrong
/// answer, nor for one that cannot be read.
AnswerCheck check_answer(const Exercise& exercise, std::string_view answer, unsigned seed = 1);

/// Answers that are typically wrong: the exercise's own, and of a choice each statement that does not hold.
std::vector<std::string> wrong_answers(const Exercise& exercise);

}  // namespace tutti::exercises
