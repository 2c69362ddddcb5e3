/// @file
/// The unit in which a simulation counts time.
#pragma once

#include <cstdint>
#include <span>

namespace tutti {

/// The greatest time of which all times of a simulation are whole multiples. A time counts as the decimal number of 15
/// digits next to it, where that is within two units of its last place: those are the digits that a double keeps of a
/// decimal number, and a product like 3 · 0.1 is such a number but for its rounding. Other times count to 17 digits.
///
/// Sums of such multiples are exact, so that events that ought to fall together do; and a simulation whose times are
/// all five times as long runs on the same numbers: it decides alike, and takes five times as long to the last bits.
///
/// Where the greatest multiple would exceed 2^126 the unit is the longest time, and the multiples are rounded.
class TimeUnit {
 public:
  /// For these times and for each of them divided by `parts`. Zeros do not count.
  explicit TimeUnit(std::span<const double> seconds, std::int64_t parts = 1);

  /// One of the times that the unit was made for, in units.
  double in_units(double seconds) const;
  double seconds(double units) const;

 private:
  struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;  // of ten
  };
  static Decimal decimal(double seconds);

  double parts_ = 1;
  int exponent_ = 0;    // the unit is divisor_ · 10^exponent_ / parts_
  double longest_ = 0;  // the unit, where multiples are rounded; else 0
  std::int64_t divisor_ = 1;
};

}  // namespace tutti
