/// @file
/// Numbers of about 32 digits.
#pragma once

namespace tutti {

/// The unevaluated sum of two doubles, of which `low` is at most half a unit in the last place of `high`. Sums,
/// products and quotients are right to a relative 2^-100, and exact where the result is a whole number below 2^100.
///
/// Sources: T. J. Dekker, A Floating-Point Technique for Extending the Available Precision, Numerische Mathematik 18,
/// 1971; D. E. Knuth, The Art of Computer Programming 2, §4.2.2, for sums without a comparison.
class Precise {
 public:
  constexpr Precise() = default;
  constexpr Precise(double value) : high_(value) {}  // NOLINT: every double is one
  explicit operator double() const { return high_ + low_; }

  friend Precise operator+(const Precise& a, const Precise& b) {
    const Precise highs = sum(a.high_, b.high_);
    const Precise lows = sum(a.low_, b.low_);
    const Precise inner = ordered_sum(highs.high_, highs.low_ + lows.high_);
    return ordered_sum(inner.high_, inner.low_ + lows.low_);
  }
  friend Precise operator-(const Precise& a, const Precise& b) { return a + Precise(-b.high_, -b.low_); }
  friend Precise operator*(const Precise& a, const Precise& b) {
    const Precise high = product(a.high_, b.high_);
    return ordered_sum(high.high_, high.low_ + (a.high_ * b.low_ + a.low_ * b.high_));
  }
  // Long division, two digits of 53 bits.
  friend Precise operator/(const Precise& a, const Precise& b) {
    const double first = a.high_ / b.high_;
    return ordered_sum(first, (a - b * first).high_ / b.high_);
  }

  friend bool operator==(const Precise&, const Precise&) = default;
  // No number here is NaN, so that two comparisons order most pairs.
  friend bool operator<(const Precise& a, const Precise& b) {
    return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
  }
  friend bool operator>(const Precise& a, const Precise& b) { return b < a; }
  friend bool operator<=(const Precise& a, const Precise& b) { return !(b < a); }
  friend bool operator>=(const Precise& a, const Precise& b) { return !(a < b); }

 private:
  constexpr Precise(double high, double low) : high_(high), low_(low) {}

  static Precise sum(double a, double b) {
    const double rounded = a + b;
    const double part = rounded - a;
    return {rounded, (a - (rounded - part)) + (b - part)};
  }
  // Needs |a| >= |b|, or a = 0.
  static Precise ordered_sum(double a, double b) {
    const double rounded = a + b;
    return {rounded, b - (rounded - a)};
  }

  // Products are exact for factors of 26 bits. std::fma is a call if the compiler may not use the instruction.
  static Precise product(double a, double b) {
    const auto upper = [](double x) {
      const double scaled = x * 0x1.0000002p27;
      return scaled - (scaled - x);
    };
    const double rounded = a * b;
    const double a_upper = upper(a);
    const double b_upper = upper(b);
    const double a_lower = a - a_upper;
    const double b_lower = b - b_upper;
    const double upper_part = a_upper * b_upper - rounded;
    return {rounded, ((upper_part + a_upper * b_lower) + a_lower * b_upper) + a_lower * b_lower};
  }

  double high_ = 0;
  double low_ = 0;
};

}  // namespace tutti
