/// @file
/// Rational numbers: coefficients of formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tutti {

/// A fraction in lowest terms, its denominator above 0.
struct Rational {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  bool is_zero() const { return numerator == 0; }

  friend bool operator==(const Rational&, const Rational&) = default;
};

/// Returns the fraction in lowest terms. Needs a denominator other than 0.
Rational fraction(std::int64_t numerator, std::int64_t denominator);

/// Returns the fraction of least denominator within `tolerance` of the value, by continued fractions; nothing where
/// its denominator would exceed 2^24, or its numerator 2^52.
std::optional<Rational> rational_near(double value, double tolerance);

/// "3", or "7/4".
std::string text_of(const Rational& number);

}  // namespace tutti
