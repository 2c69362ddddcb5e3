/// @file
/// Checks of answers, one for each kind of exercise. Each may throw `Error` for an answer that cannot be read.
#pragma once

#include <string_view>

#include "exercises/exercise.hpp"

namespace tutti::exercises {

AnswerCheck check_number(const Exercise& exercise, std::string_view answer);
AnswerCheck check_formula(const Exercise& exercise, std::string_view answer, unsigned seed);
AnswerCheck check_choice(const Exercise& exercise, std::string_view answer);
/// A program that is completed or mended, or beats a time.
AnswerCheck check_program(const Exercise& exercise, std::string_view answer);
/// The name of an algorithm that beats a time.
AnswerCheck check_algorithm(const Exercise& exercise, std::string_view answer);

}  // namespace tutti::exercises
