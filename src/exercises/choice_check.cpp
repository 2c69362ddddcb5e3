/// @file
/// Choices: the letters of the statements that hold.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/check.hpp"
#include "base/units.hpp"
#include "exercises/checks.hpp"

namespace tutti::exercises {
namespace {

std::set<std::size_t> options_chosen(const Exercise& exercise, std::string_view answer) {
  std::set<std::size_t> chosen;
  for (const char c : answer) {
    if (c == ' ' || c == ',' || c == '\n' || c == '.' || c == ')') continue;
    const auto option = static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(c)) - 'a');
    require(std::isalpha(static_cast<unsigned char>(c)) != 0 && option < exercise.options.size(),
            "'{}' is no choice of letters; write one or several from a to {}, such as a,c", answer,
            letter_of(exercise.options.size() - 1));
    chosen.insert(option);
  }
  return chosen;
}

}  // namespace

AnswerCheck check_choice(const Exercise& exercise, std::string_view answer) {
  const std::set<std::size_t> chosen = options_chosen(exercise, answer);
  for (const std::size_t k : chosen) {
    const ChoiceOption& option = exercise.options[k];
    if (!option.holds) return {false, fmt::format("{} does not hold: {}", letter_of(k), option.why)};
  }
  const auto all = std::count_if(exercise.options.begin(), exercise.options.end(),
                                 [](const ChoiceOption& option) { return option.holds; });
  const auto missing = all - static_cast<std::ptrdiff_t>(chosen.size());
  if (missing == 0) return {true, exercise.options[*chosen.begin()].why};
  return {false, fmt::format("what is chosen holds, but {} of the others {}, too", missing == 1 ? "one" : "several",
                             missing == 1 ? "does" : "do")};
}

}  // namespace tutti::exercises
