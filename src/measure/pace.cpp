#include "measure/pace.hpp"

#include <algorithm>

namespace tutti::measure {
namespace {

constexpr std::size_t fewest_warm_ups = 2;
// So often every set of buffers is used before anything counts: processes that write one another's memory meet each of
// its pages for the first time, and which process meets which differs from turn to turn.
constexpr std::size_t turns_of_warm_up = 3;
constexpr std::size_t fewest_samples = 3;
// A median that looks stable after a handful of samples has only been lucky.
constexpr std::size_t fewest_stable_samples = 20;

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

}  // namespace tutti::measure
