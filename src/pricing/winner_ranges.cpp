/// @file
/// Fastest algorithm, found without simulating more than it takes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/alike.hpp"
#include "pricing/prices.hpp"

namespace tutti {

// Returns the price, or nothing if it takes longer than `least`, and if that is not found out with the work of its
// recording, or, the last time, with half of the work that is left.
std::optional<PricedAlgorithm> Prices::contest(const Algorithm& algorithm, std::int64_t bytes, double least,
                                               bool is_last) {
  if (!is_simulated(algorithm, bytes)) return price_of(algorithm, bytes);
  if (beaten_.contains({&algorithm, bytes})) return std::nullopt;
  const std::int64_t recording = recording_[&algorithm];
  SimulationOptions limits{.most_work = is_last ? work_left_ / 2 : std::min(work_left_ / 2, recording)};
  if (std::isfinite(least)) limits.until = least * alike;
  const std::int64_t before = work_left_;
  if (const auto time = simulated(algorithm, bytes, limits))
    return PricedAlgorithm{&algorithm, Basis::simulation, *time, nullptr, parameters(algorithm, bytes)};
  if (before - work_left_ <= std::max(*limits.most_work, recording)) {
    beaten_.insert({&algorithm, bytes});
  } else if (is_last && !lists()) {
    given_up_.insert(&algorithm);
  }
  return std::nullopt;
}

// Returns the number of the fastest algorithm, of the first of those that take equally long; nothing where no time is
// known. Those that have to be simulated come after the others, the most promising first.
std::optional<std::size_t> Prices::winner(std::int64_t bytes) {
  std::vector<std::tuple<double, std::int64_t, std::size_t>> later;  // least seconds, work, number
  std::optional<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  const auto see = [&](std::size_t number, bool is_last) {
    const std::optional<PricedAlgorithm> contested = contest(*request_.algorithms[number], bytes, least, is_last);
    if (!contested || !contested->is_known()) return;
    const bool faster = contested->seconds * alike < least;
    const bool as_fast = contested->seconds <= least * alike;
    if (!best || faster || (as_fast && number < *best)) best = number;
    least = std::min(least, contested->seconds);
  };
  for (std::size_t number = 0; number < request_.algorithms.size(); ++number) {
    const Algorithm& algorithm = *request_.algorithms[number];
    if (is_simulated(algorithm, bytes)) {
      later.emplace_back(least_seconds(algorithm, bytes), recording_[&algorithm], number);
    } else {
      see(number, true);
    }
  }
  std::sort(later.begin(), later.end());
  // Simulations in which few messages meet take no more work than recordings. They come to their ends first, and show
  // sooner of the others that these are slower.
  for (const bool is_last : {false, true}) {
    for (const auto& [at_least, work, number] : later) {
      if (work_left_ > 0 && at_least <= least * alike) see(number, is_last);
    }
  }
  return best;
}

PricedAlgorithm Prices::cheapest(std::int64_t bytes) {
  work_left_ = effort_.compared;
  const Algorithm& best = *request_.algorithms[winner(bytes).value_or(0)];
  work_left_ = std::numeric_limits<std::int64_t>::max();
  return price_of(best, bytes);
}

std::vector<std::int64_t> Prices::listed_changes() {
  std::vector<std::int64_t> found;
  for (std::size_t k = 1; k < listed_.size(); ++k) {
    if (winner(listed_[k]) != winner(listed_[k - 1])) found.push_back(listed_[k]);
  }
  return found;
}

WinnerRanges Prices::winner_ranges(const SizeRange& range) {
  WinnerRanges found;
  std::vector<std::int64_t> ends;
  const auto number_of_winner = [this](std::int64_t bytes) {
    return winner(bytes).value_or(request_.algorithms.size());
  };
  for (const int looks_a_doubling : {8, 1}) {
    work_left_ = effort_.compared;
    ends = winner_changes(number_of_winner, range, looks_a_doubling);
    found.looks_between = work_left_ > 0;
    if (found.looks_between) break;
  }
  work_left_ = std::numeric_limits<std::int64_t>::max();
  if (!found.looks_between) {
    // A single size says nothing of others.
    if (listed_.size() < 2) return found;
    ends = listed_changes();
  }
  std::int64_t from = range.least;
  ends.push_back(range.most + 1);
  for (const std::int64_t end : ends) {
    if (const auto best = winner(from)) found.all.push_back({{from, end - 1}, request_.algorithms[*best]});
    from = end;
  }
  return found;
}

}  // namespace tutti
