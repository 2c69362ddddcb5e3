/// @file
/// Numbers: to so many digits, with or without a unit.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "exercises/checks.hpp"
#include "exercises/formula_text.hpp"

namespace tutti::exercises {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Whether three digits, and no fourth one, follow the comma at that place.
bool parts_thousands(std::string_view text, std::size_t comma) {
  const std::string_view group = text.substr(comma + 1, 4);
  return group.size() >= 3 && std::all_of(group.begin(), group.begin() + 3, is_digit) &&
         (group.size() == 3 || !is_digit(group[3]));
}

// Refuses a decimal comma in the number with which an answer begins: "1,95".
void check_commas(std::string_view answer) {
  const std::string_view number = answer.substr(0, answer.find_first_not_of("0123456789,. "));
  for (std::size_t at = number.find(','); at != std::string_view::npos; at = number.find(',', at + 1)) {
    require(parts_thousands(number, at), "a comma parts thousands, as in 1,400,000; write '{}' with a point", answer);
  }
}

// "1,400,000" as "1400000". Other commas part a function's arguments.
std::string without_grouping(std::string_view text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool parts = text[k] == ',' && k > 0 && is_digit(text[k - 1]) && parts_thousands(text, k);
    if (!parts) plain += text[k];
  }
  return plain;
}

// "4096 bytes" as "4096 B".
std::string in_short_units(std::string_view text) {
  for (const std::string_view word : {"bytes", "byte", "Bytes", "Byte"}) {
    const std::size_t at = text.rfind(word);
    if (at != std::string_view::npos && at + word.size() == text.size()) return std::string(text.substr(0, at)) + 'B';
  }
  return std::string(text);
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
  check_commas(text);
  if (exercise.unit == "s" && ends_with_letter(text)) return parse_seconds(without_blanks(text)).count;
  if (exercise.unit == "B" && ends_with_letter(text))
    return static_cast<double>(parse_bytes(without_blanks(in_short_units(text))).count);
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
