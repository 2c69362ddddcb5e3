#include "cost/symbolic/rational.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace tutti {

Rational fraction(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  return {numerator / divisor, denominator / divisor};
}

std::optional<Rational> rational_near(double value, double tolerance) {
  constexpr double most_denominator = 1 << 24;
  constexpr double most_numerator = 4503599627370496.0;
  double numerator = 1, denominator = 0;            // the convergent
  double last_numerator = 0, last_denominator = 1;  // the one before it
  for (double rest = value;;) {
    const double whole = std::floor(rest + tolerance);
    const double next_numerator = whole * numerator + last_numerator;
    const double next_denominator = whole * denominator + last_denominator;
    last_numerator = numerator;
    last_denominator = denominator;
    numerator = next_numerator;
    denominator = next_denominator;
    if (denominator > most_denominator || std::abs(numerator) > most_numerator) return std::nullopt;
    if (std::abs(value - numerator / denominator) <= tolerance) break;
    rest = 1 / (rest - whole);
  }
  return Rational{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

std::string text_of(const Rational& number) {
  if (number.denominator == 1) return fmt::format("{}", number.numerator);
  return fmt::format("{}/{}", number.numerator, number.denominator);
}

}  // namespace tutti
