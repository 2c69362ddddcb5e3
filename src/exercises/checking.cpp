#include "exercises/checking.hpp"

#include "base/check.hpp"
#include "exercises/checks.hpp"

namespace tutti::exercises {
namespace {

AnswerCheck checked(const Exercise& exercise, std::string_view answer, unsigned seed) {
  switch (exercise.kind) {
    case ExerciseKind::number:
      return check_number(exercise, answer);
    case ExerciseKind::formula:
      return check_formula(exercise, answer, seed);
    case ExerciseKind::choice:
      return check_choice(exercise, answer);
    case ExerciseKind::program:
    case ExerciseKind::mend:
      return check_program(exercise, answer);
    case ExerciseKind::time:
      break;
  }
  return exercise.collective ? check_algorithm(exercise, answer) : check_program(exercise, answer);
}

}  // namespace

AnswerCheck check_answer(const Exercise& exercise, std::string_view answer, unsigned seed) {
  try {
    if (answer.find_first_not_of(" \t\n") == std::string_view::npos) return {false, "the answer is empty"};
    return checked(exercise, answer, seed);
  } catch (const Error& error) {
    return {false, error.what()};
  }
}

std::vector<std::string> wrong_answers(const Exercise& exercise) {
  std::vector<std::string> found;
  for (const TypicalMistake& mistake : exercise.mistakes) found.push_back(mistake.answer);
  for (std::size_t k = 0; k < exercise.options.size(); ++k) {
    if (!exercise.options[k].holds) found.emplace_back(1, letter_of(k));
  }
  return found;
}

}  // namespace tutti::exercises
