#include "cost/symbolic/symbolic_time.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <utility>

#include "base/units.hpp"

namespace tutti {
namespace {

constexpr Rational one{1, 1};

// "3 tw m", "tw m", "7/4 tw m".
std::string product(const Rational& factor, const std::string& symbol) {
  if (factor == Rational{-1, 1}) return '-' + symbol;
  return factor == one ? symbol : fmt::format("{} {}", text_of(factor), symbol);
}

// "tw m", "2 tw m", "6 tw", "tw (m + 6)".
std::string product(const Rational& sizes, const Rational& bytes, const std::string& symbol, const std::string& m) {
  if (bytes.is_zero()) return product(sizes, symbol + ' ' + m);
  if (sizes.is_zero()) return product(bytes, symbol);
  const Rational positive{std::abs(bytes.numerator), bytes.denominator};
  return fmt::format("{} ({} {} {})", symbol, product(sizes, m), bytes.numerator > 0 ? '+' : '-', text_of(positive));
}

// The terms of a sum, without zeros; each begins with its sign if that is a minus.
std::vector<std::string> terms_of(const SymbolicTime& time, const SymbolNames& names) {
  std::vector<std::string> terms;
  const bool alike = time.starts == time.sizes && time.bytes.is_zero() && !time.starts.is_zero() && time.starts != one;
  if (alike) {
    terms.push_back(fmt::format("{} ({} + {} {})", text_of(time.starts), names.ts, names.tw, names.m));
  } else {
    if (!time.starts.is_zero()) terms.push_back(product(time.starts, names.ts));
    if (!time.sizes.is_zero() || !time.bytes.is_zero())
      terms.push_back(product(time.sizes, time.bytes, names.tw, names.m));
  }
  if (!time.hops.is_zero()) terms.push_back(product(time.hops, "th"));
  if (!time.combined.is_zero() || !time.operations.is_zero())
    terms.push_back(product(time.combined, time.operations, "tc", names.m));
  if (!time.rearranged.is_zero()) terms.push_back(product(time.rearranged, "tr " + names.m));
  if (time.seconds != 0) terms.push_back(text_of(Seconds{time.seconds}));
  return terms;
}

std::string sum_of(const std::vector<std::string>& terms) {
  if (terms.empty()) return "0";
  std::string sum = terms.front();
  for (std::size_t k = 1; k < terms.size(); ++k)
    sum += terms[k].starts_with('-') ? " - " + terms[k].substr(1) : " + " + terms[k];
  return sum;
}

constexpr Rational SymbolicTime::*coefficients[] = {
    &SymbolicTime::starts,   &SymbolicTime::sizes,      &SymbolicTime::bytes,     &SymbolicTime::hops,
    &SymbolicTime::combined, &SymbolicTime::operations, &SymbolicTime::rearranged};

// first - second as a sum of what is positive in it and one of what is negative.
struct Difference {
  SymbolicTime more;
  SymbolicTime less;
};

Difference difference_of(const SymbolicTime& first, const SymbolicTime& second) {
  Difference difference;
  for (Rational SymbolicTime::*of : coefficients) {
    const Rational& a = first.*of;
    const Rational& b = second.*of;
    const Rational rest =
        fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
    if (rest.numerator > 0) difference.more.*of = rest;
    if (rest.numerator < 0) difference.less.*of = {-rest.numerator, rest.denominator};
  }
  (first.seconds > second.seconds ? difference.more : difference.less).seconds =
      std::abs(first.seconds - second.seconds);
  return difference;
}

bool is_start_alone(const SymbolicTime& time) {
  return !time.starts.is_zero() && time == SymbolicTime{.starts = time.starts};
}
bool is_size_alone(const SymbolicTime& time) {
  return !time.sizes.is_zero() && time == SymbolicTime{.sizes = time.sizes};
}

// "3/7 ts/tw": the m at which so many starts take as long as so many times m.
std::string balance(const Rational& starts, const Rational& sizes, const SymbolNames& names) {
  const Rational factor = fraction(starts.numerator * sizes.denominator, starts.denominator * sizes.numerator);
  return product(factor, fmt::format("{}/{}", names.ts, names.tw));
}

}  // namespace

double seconds(const SymbolicTime& time, const Machine& machine, double m) {
  return time.starts.value() * machine.ts + (time.sizes.value() * m + time.bytes.value()) * machine.tw +
         time.hops.value() * machine.th + (time.combined.value() * m + time.operations.value()) * machine.tc +
         time.rearranged.value() * m * machine.tr + time.seconds;
}

std::optional<SymbolicTime> symbolic(const Terms& terms, double elements) {
  const auto near = [](double value) { return rational_near(value, 1e-12 * std::max(1.0, value)); };
  const double m = elements > 0 ? elements : 1;
  const auto starts = near(terms.starts);
  const auto sizes = near(terms.elements / m);
  const auto hops = near(terms.hops);
  const auto combined = near(terms.combined / m);
  const auto rearranged = near(terms.rearranged / m);
  if (!starts || !sizes || !hops || !combined || !rearranged) return std::nullopt;
  return SymbolicTime{
      .starts = *starts, .sizes = *sizes, .hops = *hops, .combined = *combined, .rearranged = *rearranged};
}

std::string text_of(const SymbolicTime& time, const SymbolNames& names) { return sum_of(terms_of(time, names)); }

std::string where_not_below(const SymbolicTime& first, const SymbolicTime& second, const SymbolNames& names) {
  const auto [more, less] = difference_of(first, second);
  if (less == SymbolicTime{}) return "always";
  if (more == SymbolicTime{}) return "never";
  if (is_size_alone(more) && is_start_alone(less))
    return fmt::format("{} >= {}", names.m, balance(less.starts, more.sizes, names));
  if (is_start_alone(more) && is_size_alone(less))
    return fmt::format("{} <= {}", names.m, balance(more.starts, less.sizes, names));
  return fmt::format("{} >= {}", text_of(more, names), text_of(less, names));
}

std::string simplified(const SymbolicTime& time, const SymbolNames& names) {
  if (time.starts.is_zero() || time.sizes.is_zero()) return "";
  const std::string size = balance(time.starts, time.sizes, names);
  std::string words =
      fmt::format("~ {} where {} ≪ {}; ~ {} where {} ≫ {}", text_of(SymbolicTime{.starts = time.starts}, names),
                  names.m, size, text_of(SymbolicTime{.sizes = time.sizes}, names), names.m, size);
  if (!time.bytes.is_zero()) {
    const Rational most =
        fraction(time.bytes.numerator * time.sizes.denominator, time.bytes.denominator * time.sizes.numerator);
    words +=
        fmt::format("; ~ {} where {} ≫ {}", text_of(SymbolicTime{.starts = time.starts, .sizes = time.sizes}, names),
                    names.m, text_of(most));
  }
  return words;
}

std::string renamed(std::string_view formula, const SymbolNames& names) {
  std::string result;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && (std::isalnum(static_cast<unsigned char>(formula[end])) != 0 || formula[end] == '_'))
      ++end;
    const std::string_view word = formula.substr(at, std::max<std::size_t>(1, end - at));
    if (word == "ts") {
      result += names.ts;
    } else if (word == "tw") {
      result += names.tw;
    } else if (word == "m") {
      result += names.m;
    } else {
      result += word;
    }
    at += word.size();
  }
  return result;
}

}  // namespace tutti
