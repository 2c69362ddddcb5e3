#include "draw/plots/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"

namespace tutti::draw {
namespace {

// Powers of `base` from the one at or below `least` to the one at or above `most`, every `step`-th exponent. Computed
// from the exponent, so that 1e-6 is exactly that.
std::vector<double> powers(double base, double least, double most, int step) {
  const auto exponent = [base](double value) { return std::log(value) / std::log(base); };
  constexpr double slack = 1e-9;
  const int first = static_cast<int>(std::floor(exponent(least) + slack));
  const int last = static_cast<int>(std::ceil(exponent(most) - slack));
  std::vector<double> found;
  for (int e = first; e < last + step; e += step) found.push_back(std::pow(base, e));
  return found;
}

}  // namespace

std::vector<double> marks(AxisUnit unit, double least, double most) {
  constexpr double comfortable = 9;
  const double base = unit == AxisUnit::bytes ? 2 : 10;
  const double spanned = std::log(most / least) / std::log(base);
  const int step = std::max(1, static_cast<int>(std::ceil(spanned / comfortable)));
  std::vector<double> found = powers(base, least, most, step);
  if (unit == AxisUnit::bytes || found.size() > 3) return found;
  // Short ranges: 1, 2 and 5 in every decade, from the last at or below the range to the first at or above it.
  std::vector<double> fine;
  for (const double power : powers(10, least, most, 1)) {
    for (const double factor : {1.0, 2.0, 5.0}) fine.push_back(power * factor);
  }
  const double slack = 1 + 1e-9;
  const auto first = std::find_if(fine.rbegin(), fine.rend(), [&](double value) { return value <= least * slack; });
  const auto last = std::find_if(fine.begin(), fine.end(), [&](double value) { return value * slack >= most; });
  return {first.base() - 1, last + 1};
}

std::string text_of_mark(AxisUnit unit, double value) {
  if (unit == AxisUnit::bytes) return text_of(Bytes{std::llround(value)});
  return unit == AxisUnit::seconds ? text_of(Seconds{value}) : fmt::format("{:.4g}", value);
}

void Range::take(double value) {
  least = std::min(least, value);
  most = std::max(most, value);
}

double Scale::pixel(double value) const {
  const double part = std::log(value / at.front()) / std::log(at.back() / at.front());
  return low + part * (high - low);
}

Scale scale_of(AxisUnit unit, Range range, double low, double high) {
  if (range.least == range.most) {
    range.least /= 2;
    range.most *= 2;
  }
  return {marks(unit, range.least, range.most), low, high};
}

}  // namespace tutti::draw
