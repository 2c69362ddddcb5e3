#include "measure/pace.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tutti::measure {
namespace {

constexpr std::size_t fewest_warm_ups = 2;
// Uses of every set of buffers before anything counts: processes that write one another's memory meet each of its pages
// for the first time, and which process meets which differs from turn to turn.
constexpr std::size_t turns_of_warm_up = 3;
constexpr std::size_t fewest_samples = 3;
// A median that looks stable after a handful of samples has only been lucky.
constexpr std::size_t fewest_stable_samples = 20;

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

bool Pace::stable() const {
  return samples_.size() >= fewest_stable_samples && summarize(samples_).half_width < effort_.precision;
}

std::size_t Pace::next() const {
  if (!warm_) return batch_;
  // One batch may take longer than all the time there is; then it is the figure.
  const double counting = elapsed_ - warm_at_;
  const bool late = counting >= effort_.seconds && samples_.size() >= fewest_samples;
  const bool very_late = counting >= 4 * effort_.seconds && !samples_.empty();
  return late || very_late || stable() ? 0 : batch_;
}

void Pace::warm_up(double seconds_per_call) {
  ++warmed_;
  warmed_calls_ += batch_;
  const bool is_long = static_cast<double>(batch_) * seconds_per_call >= effort_.batch_seconds;
  // Once is not enough: a first call is long because it founds what later ones find.
  const bool full = batch_ == sets_ || (is_long && was_long_);
  was_long_ = is_long;
  if (!is_long) batch_ = std::min(sets_, 2 * batch_);
  const bool has_met_all = warmed_calls_ >= turns_of_warm_up * sets_;
  const bool slow = elapsed_ >= std::max(effort_.seconds, effort_.warm_up_seconds);
  warm_ = slow || (full && has_met_all && warmed_ >= fewest_warm_ups);
  warm_at_ = elapsed_;
}

void Pace::record(double seconds_per_call, double elapsed) {
  elapsed_ = elapsed;
  if (!warm_) return warm_up(seconds_per_call);
  samples_.push_back(seconds_per_call);
  counted_ += batch_;
}

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
