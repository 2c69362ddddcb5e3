/// @file
/// Numbers: to so many digits, with or without a unit.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/units.hpp"
#include "exercises/checks.hpp"
#include "exercises/formula_text.hpp"

namespace tutti::exercises {
namespace {

// "1,400,000" as "1400000".
std::string without_grouping(std::string_view text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool parts = text[k] == ',' && k > 0 && std::isdigit(static_cast<unsigned char>(text[k - 1])) != 0;
    if (!parts) plain += text[k];
  }
  return plain;
}

bool ends_with_letter(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \n\t");
  return last != std::string_view::npos && std::isalpha(static_cast<unsigned char>(text[last])) != 0;
}

std::string without_blanks(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  return plain;
}

double number_of(const Exercise& exercise, std::string_view text) {
  if (exercise.unit == "s" && ends_with_letter(text)) return parse_seconds(without_blanks(text)).count;
  if (exercise.unit == "B" && ends_with_letter(text))
    return static_cast<double>(parse_bytes(without_blanks(text)).count);
  std::string plain = without_grouping(text);
  const std::size_t unit = exercise.unit.empty() ? std::string::npos : plain.rfind(exercise.unit);
  if (unit != std::string::npos) plain.resize(unit);
  return formula_value(plain, {});
}

bool agree(const Exercise& exercise, double given, double right) {
  constexpr double exactly = 1e-6;
  if (right == 0) return given == 0;
  if (exercise.digits == 0) return std::abs(given - right) <= exactly * std::abs(right);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(right))) - exercise.digits + 1);
  return std::abs(given - right) <= (0.5 + exactly) * unit;
}

std::string in_unit(const Exercise& exercise, double value) {
  if (exercise.unit == "s" && value >= 0) return text_of(Seconds{value});
  return fmt::format("{:.6g}{}", value, exercise.unit.size() == 1 ? exercise.unit : "");
}

// Factors that mistakes have, and what they may come from.
std::string factor_in_words(double factor) {
  constexpr std::array<std::pair<double, std::string_view>, 6> known{
      {{1000, "is a thousand times as large as it should be: look at the units"},
       {1e-3, "is a thousand times too small: look at the units"},
       {2, "is twice as large as it should be"},
       {0.5, "is half of what it should be"},
       {8, "is eight times as large as it should be: bits and bytes, perhaps"},
       {0.125, "is an eighth of what it should be: bits and bytes, perhaps"}}};
  for (const auto& [each, words] : known) {
    if (std::abs(factor / each - 1) < 1e-3) return std::string(words);
  }
  return factor > 1 ? "is too large" : "is too small";
}

}  // namespace

AnswerCheck check_number(const Exercise& exercise, std::string_view answer) {
  const double given = number_of(exercise, answer);
  const double right = number_of(exercise, exercise.answer);
  if (agree(exercise, given, right)) return {true, {}};
  for (const TypicalMistake& mistake : exercise.mistakes) {
    if (agree(exercise, given, number_of(exercise, mistake.answer))) return {false, mistake.sentence};
  }
  const bool comparable = right != 0 && given / right > 0;
  return {false, fmt::format("{} {}", in_unit(exercise, given),
                             comparable ? factor_in_words(given / right) : "is not it: look at its sign")};
}

}  // namespace tutti::exercises
