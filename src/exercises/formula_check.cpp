/// @file
/// Formulas: compared by their values at random points, and term by term where they differ.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "exercises/checks.hpp"
#include "exercises/formula_text.hpp"

namespace tutti::exercises {
namespace {

constexpr std::array<std::string_view, 11> costs{"ts",    "tw",  "th", "tc", "alpha", "beta",
                                                 "gamma", "tau", "a",  "b",  "t"};

bool is_cost(std::string_view name) { return std::find(costs.begin(), costs.end(), name) != costs.end(); }

/// Symbol of a formula, and which values it takes: "p" any number of ranks, "p=2^" powers of two, "p=square" squares,
/// "q<p" whole numbers from 1 to p - 1.
struct FormulaSymbol {
  std::string name;
  std::string rule;
};

FormulaSymbol symbol_of(const std::string& words) {
  const std::size_t end = std::min(words.find_first_of("=<"), words.size());
  return {words.substr(0, end), words.substr(end)};
}

// Returns a whole number of [least, most], each as likely. Distributions of the standard library differ between
// libraries; this one is D. Lemire, Fast Random Integer Generation in an Interval, 2019, as GCC's library has it.
int whole_number_between(std::mt19937_64& random, int least, int most) {
  const auto numbers = static_cast<std::uint64_t>(most - least) + 1;
  for (;;) {
    const std::uint64_t drawn = random();
    constexpr int half = 32;
    const std::uint64_t low = drawn * numbers;
    const std::uint64_t high = ((drawn >> half) * numbers + (((drawn & 0xffffffffU) * numbers) >> half)) >> half;
    if (low >= numbers || low >= (0 - numbers) % numbers) return least + static_cast<int>(high);
  }
}

double real_number_between(std::mt19937_64& random, double least, double most) {
  constexpr double numbers = 18446744073709551616.0;  // 2^64
  const double share = static_cast<double>(random()) / numbers;
  return std::min(share, std::nextafter(1.0, 0.0)) * (most - least) + least;
}

// Values of all symbols; `largest` bounds those that are whole numbers.
SymbolValues point_of(const Exercise& exercise, std::mt19937_64& random, int largest) {
  const auto between = [&](int least, int most) {
    return static_cast<double>(whole_number_between(random, least, std::max(least, most)));
  };
  SymbolValues values;
  for (const std::string& words : exercise.symbols) {
    const auto [name, rule] = symbol_of(words);
    if (rule == "=2^") {
      values[name] = std::exp2(between(1, std::max(2, floor_log2(largest))));
    } else if (rule == "=square") {
      values[name] = std::pow(between(2, std::max(3, static_cast<int>(std::sqrt(largest)))), 2);
    } else if (rule.starts_with('<')) {
      values[name] = between(1, static_cast<int>(values.at(rule.substr(1))) - 1);
    } else if (is_cost(name)) {
      values[name] = real_number_between(random, 0.1, 10);
    } else {
      values[name] = between(2, largest);
    }
  }
  return values;
}

bool same_value(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

// The first of many points at which the formulas differ; small numbers come first.
std::optional<SymbolValues> point_of_difference(const Exercise& exercise, std::string_view first,
                                                std::string_view second, unsigned seed) {
  constexpr int points = 60;
  std::mt19937_64 random(seed);
  for (int k = 0; k < points; ++k) {
    const SymbolValues values = point_of(exercise, random, 4 + 4 * k);
    const double a = formula_value(first, values);
    const double b = formula_value(second, values);
    if (!same_value(a, b)) return values;
  }
  return std::nullopt;
}

// "p = 8, m = 3": the symbols that are no costs.
std::string place_in_words(const SymbolValues& values) {
  std::string words;
  for (const auto& [name, value] : values) {
    if (!is_cost(name)) words += fmt::format("{}{} = {:g}", words.empty() ? "" : ", ", name, value);
  }
  return words;
}

// Returns the values with one cost, `name`, of 1 and the others of 0; none where the name is empty.
SymbolValues with_cost(SymbolValues values, std::string_view name) {
  for (auto& [each, value] : values) {
    if (is_cost(each)) value = each == name ? 1 : 0;
  }
  return values;
}

// Says which term differs, where costs are factors of terms.
std::string difference_in_words(const Exercise& exercise, std::string_view answer, const SymbolValues& at) {
  const std::string place = place_in_words(at);
  const std::string where = place.empty() ? "" : fmt::format("at {} ", place);
  const auto values = [&](const SymbolValues& point) {
    return std::pair(formula_value(answer, point), formula_value(exercise.answer, point));
  };
  std::string right_terms;
  std::string wrong_term;
  for (const auto& [name, value] : at) {
    if (!is_cost(name)) continue;
    const auto [given, right] = values(with_cost(at, name));
    if (!std::isfinite(given)) continue;
    if (same_value(given, right)) {
      right_terms += fmt::format("{}{}", right_terms.empty() ? "" : " and ", name);
    } else if (wrong_term.empty()) {
      wrong_term = fmt::format("the term in {0} is wrong: {1}it is {2:.6g} {0}, where {3:.6g} {0} are right", name,
                               where, given, right);
    }
  }
  if (!wrong_term.empty())
    return right_terms.empty() ? wrong_term : fmt::format("{}; that in {} is right", wrong_term, right_terms);
  const auto [given, right] = values(at);
  return fmt::format("{}it gives {:.6g}, where {:.6g} is right", where, given, right);
}

}  // namespace

AnswerCheck check_formula(const Exercise& exercise, std::string_view answer, unsigned seed) {
  const auto at = point_of_difference(exercise, answer, exercise.answer, seed);
  if (!at) return {true, {}};
  for (const TypicalMistake& mistake : exercise.mistakes) {
    if (!point_of_difference(exercise, answer, mistake.answer, seed)) return {false, mistake.sentence};
  }
  return {false, difference_in_words(exercise, answer, *at)};
}

}  // namespace tutti::exercises
