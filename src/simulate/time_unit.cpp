#include "simulate/time_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

namespace tutti {
namespace {

__extension__ using Wide = __int128;

constexpr int most_digits = 37;  // decimal digits of a multiple
constexpr int kept_digits = 17;

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int k = 0; k < exponent; ++k) power *= 10;
  return power;
}

}  // namespace

TimeUnit::Decimal TimeUnit::decimal(double seconds) {
  const double ulp = std::nextafter(seconds, std::numeric_limits<double>::infinity()) - seconds;
  std::string text = fmt::format("{:.14e}", seconds);
  if (std::abs(std::strtod(text.c_str(), nullptr) - seconds) > 2 * ulp) text = fmt::format("{:.16e}", seconds);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  std::erase(digits, '.');
  Decimal result{std::strtoll(digits.c_str(), nullptr, 10),
                 std::atoi(text.c_str() + e + 1) + 1 - static_cast<int>(digits.size())};
  for (; result.digits % 10 == 0 && result.digits != 0; result.digits /= 10) ++result.exponent;
  return result;
}

TimeUnit::TimeUnit(std::span<const double> seconds, std::int64_t parts) : parts_(static_cast<double>(parts)) {
  std::vector<Decimal> decimals;
  for (const double time : seconds) {
    if (time > 0) decimals.push_back(decimal(time));
  }
  if (decimals.empty()) return;
  const auto smaller = [](const Decimal& a, const Decimal& b) { return a.exponent < b.exponent; };
  const auto [least, greatest] = std::minmax_element(decimals.begin(), decimals.end(), smaller);
  if (greatest->exponent - least->exponent + kept_digits > most_digits) {
    longest_ = *std::max_element(seconds.begin(), seconds.end());
    return;
  }
  exponent_ = least->exponent;
  // The divisor divides the digits of the least exponent, so that it is no greater than those.
  divisor_ = least->digits;
  for (const Decimal& time : decimals) {
    const Wide multiple = time.digits * power_of_ten(time.exponent - exponent_);
    divisor_ = std::gcd(divisor_, static_cast<std::int64_t>(multiple % divisor_));
  }
}

double TimeUnit::in_units(double seconds) const {
  if (seconds == 0) return 0;
  if (longest_ > 0) return seconds / longest_;
  const Decimal time = decimal(seconds);
  const Wide multiple = time.digits * power_of_ten(time.exponent - exponent_) / divisor_;
  return static_cast<double>(multiple) * parts_;
}

// Powers of ten up to 10^22 are exact: the one division is all that is rounded.
double TimeUnit::seconds(double units) const {
  if (longest_ > 0) return units * longest_;
  const double whole = units * static_cast<double>(divisor_);
  return exponent_ < 0 ? whole / (std::pow(10.0, -exponent_) * parts_) : whole * std::pow(10.0, exponent_) / parts_;
}

}  // namespace tutti
