#include "exercises/formula_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text/real_number.hpp"

namespace tutti::exercises {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Signs beyond ASCII by the words of the grammar.
std::string in_ascii(std::string_view given) {
  constexpr std::array<Replacement, 15> signs{{{"×", "*"},
                                               {"·", "*"},
                                               {"−", "-"},
                                               {"–", "-"},
                                               {"²", "^2"},
                                               {"³", "^3"},
                                               {"√", " sqrt "},
                                               {"⌈", " ceil("},
                                               {"⌉", ")"},
                                               {"⌊", " floor("},
                                               {"⌋", ")"},
                                               {"α", "alpha "},
                                               {"β", "beta "},
                                               {"τ", "tau "},
                                               {"log₂", "log2"}}};
  const std::size_t equals = given.rfind('=');
  std::string text(equals == std::string_view::npos ? given : given.substr(equals + 1));
  for (const auto& [from, to] : signs) text = replaced(std::move(text), from, to);
  return text;
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

double function_value(std::string_view name, const std::vector<double>& of) {
  if (name == "ln") return std::log(of[0]);
  if (name == "sqrt") return std::sqrt(of[0]);
  // Rounding may have left a whole number a little too large, or too small.
  constexpr double slack = 1e-9;
  if (name == "ceil") return std::ceil(of[0] - slack);
  if (name == "floor") return std::floor(of[0] + slack);
  if (name == "abs") return std::abs(of[0]);
  if (name == "min") return *std::min_element(of.begin(), of.end());
  if (name == "max") return *std::max_element(of.begin(), of.end());
  return std::log2(of[0]);
}

bool is_function(std::string_view name) {
  constexpr std::array<std::string_view, 11> names{"log2", "log",   "lg",  "ld",  "ln", "sqrt",
                                                   "ceil", "floor", "abs", "min", "max"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads a formula and computes its value.
class FormulaReader {
 public:
  FormulaReader(std::string text, const SymbolValues& values) : text_(std::move(text)), values_(values) {}

  double value() {
    const double found = sum();
    expect(at_ == text_.size(), "an operator, a factor or the end");
    return found;
  }

 private:
  void expect(bool holds, std::string_view what) {
    if (holds) return;
    const std::string rest = text_.substr(std::min(at_, text_.size()));
    fail(ErrorCode::invalid_argument, "'{}' is no formula{}: {} is expected there", text_,
         rest.empty() ? " as it ends" : fmt::format(" from '{}' on", rest), what);
  }

  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  bool begins_factor() {
    const char c = next();
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '(' || c == '.';
  }

  double sum() {
    double found = product();
    for (;;) {
      if (take('+')) {
        found += product();
      } else if (take('-')) {
        found -= product();
      } else {
        return found;
      }
    }
  }

  double product() {
    double found = factor();
    for (;;) {
      if (take('*') || begins_factor()) {
        found *= factor();
      } else if (take('/')) {
        found /= factor();
      } else {
        return found;
      }
    }
  }

  double factor() {
    constexpr int most_nested = 100;  // recursion needs the stack
    require(nested_ < most_nested, "the formula is nested more than {} deep; write it flatter", most_nested);
    ++nested_;
    const double found = signed_factor();
    --nested_;
    return found;
  }

  double signed_factor() {
    if (take('-')) return -factor();
    const double base = primary();
    return take('^') ? std::pow(base, factor()) : base;
  }

  double primary() {
    if (take('(')) return closed(sum());
    const char c = next();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    expect(std::isalpha(static_cast<unsigned char>(c)) != 0, "a number, a symbol or '('");
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    const std::string given = text_.substr(at_, end - at_);
    at_ = end;
    const std::string name = plain_name(given);
    return is_function(name) ? function_value(name, arguments(name)) : symbol(given);
  }

  double closed(double found) {
    expect(take(')'), "')'");
    return found;
  }

  double number() {
    double found = 0;
    const auto [end, error] = read_real(text_.data() + at_, text_.data() + text_.size(), found);
    expect(error == std::errc{}, "a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return found;
  }

  std::vector<double> arguments(std::string_view name) {
    if (!take('(')) return {factor()};
    std::vector<double> found{sum()};
    while (take(',')) found.push_back(sum());
    closed(0);
    const bool takes_several = name == "min" || name == "max";
    expect(takes_several || found.size() == 1, "one argument");
    return found;
  }

  double symbol(const std::string& given) {
    if (const auto exact = values_.find(given); exact != values_.end()) return exact->second;
    const std::string plain = plain_name(given);
    for (const auto& [name, value] : values_) {
      if (plain_name(name) == plain) return value;
    }
    constexpr std::array<std::array<std::string_view, 3>, 2> costs{{{"ts", "alpha", "a"}, {"tw", "beta", "b"}}};
    for (const auto& names : costs) {
      if (std::find(names.begin(), names.end(), plain) == names.end()) continue;
      for (const std::string_view name : names) {
        if (const auto other = values_.find(name); other != values_.end()) return other->second;
      }
    }
    std::vector<std::string_view> known;
    for (const auto& each : values_) known.push_back(each.first);
    require(!known.empty(), "there is no symbol '{}' here; write a number", given);
    fail(ErrorCode::invalid_argument, "there is no symbol '{}' here; use {}", given, fmt::join(known, ", "));
  }

  std::string text_;
  const SymbolValues& values_;
  std::size_t at_ = 0;
  int nested_ = 0;  // factors within one another, at this place
};

}  // namespace

double formula_value(std::string_view text, const SymbolValues& values) {
  return FormulaReader(in_ascii(text), values).value();
}

}  // namespace tutti::exercises
