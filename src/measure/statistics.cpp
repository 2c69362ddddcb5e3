#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tutti::measure {
namespace {

constexpr std::size_t fewest_for_an_interval = 6;

double half_width_of(const std::vector<double>& sorted, double median) {
  const std::size_t n = sorted.size();
  if (n < fewest_for_an_interval) return std::numeric_limits<double>::infinity();
  if (median <= 0) return 0;
  const double middle = static_cast<double>(n) / 2;
  const double reach = 0.98 * std::sqrt(static_cast<double>(n));
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(middle - reach)));
  const auto high = std::min(n - 1, static_cast<std::size_t>(std::ceil(middle + reach)));
  return (sorted[high] - sorted[low]) / 2 / median;
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  const auto covered = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(n)));
  Summary summary{.least = samples.front(), .median = median_of(samples), .p99 = samples[covered - 1], .samples = n};
  summary.half_width = half_width_of(samples, summary.median);
  return summary;
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace tutti::measure
