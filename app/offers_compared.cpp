/// @file
/// Who is the fastest, found without simulating more than it takes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/offers.hpp"
#include "base/alike.hpp"

namespace tutti::app {

// As offer(), but nothing where it takes longer than `least`, and where that is not found out with half of the work
// that is left.
std::optional<Offer> Prices::contest(const Algorithm& algorithm, std::int64_t bytes, double least) {
  if (!is_simulated(algorithm, bytes)) return offer(algorithm, bytes);
  if (beaten_.contains({&algorithm, bytes})) return std::nullopt;
  SimulationOptions limits{.most_work = work_left_ / 2};
  if (std::isfinite(least)) limits.until = least * alike;
  const std::int64_t before = work_left_;
  if (const auto time = simulated(algorithm, bytes, limits))
    return Offer{&algorithm, Basis::simulation, *time, nullptr, parameters(algorithm, bytes)};
  if (before - work_left_ <= std::max(before / 2, recording_[&algorithm])) {
    beaten_.insert({&algorithm, bytes});
  } else if (!lists()) {
    given_up_.insert(&algorithm);
  }
  return std::nullopt;
}

// The number of the fastest algorithm, of the first of those that take equally long; of the first where no time is
// known. Those that have to be simulated come after the others, the most promising first.
std::size_t Prices::winner(std::int64_t bytes) {
  std::vector<std::pair<double, std::size_t>> later;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto see = [&](std::size_t number) {
    const std::optional<Offer> offered = contest(*question_.algorithms[number], bytes, least);
    if (!offered || !offered->is_known()) return;
    const bool faster = offered->seconds * alike < least;
    const bool as_fast = offered->seconds <= least * alike;
    if (faster || (as_fast && number < best)) best = number;
    least = std::min(least, offered->seconds);
  };
  for (std::size_t number = 0; number < question_.algorithms.size(); ++number) {
    const Algorithm& algorithm = *question_.algorithms[number];
    if (is_simulated(algorithm, bytes)) {
      later.emplace_back(least_seconds(algorithm, bytes), number);
    } else {
      see(number);
    }
  }
  std::sort(later.begin(), later.end());
  for (const auto& [at_least, number] : later) {
    if (work_left_ > 0 && at_least <= least * alike) see(number);
  }
  return best;
}

Offer Prices::cheapest(std::int64_t bytes) {
  work_left_ = effort_.compared;
  const Algorithm& best = *question_.algorithms[winner(bytes)];
  work_left_ = std::numeric_limits<std::int64_t>::max();
  return offer(best, bytes);
}

std::vector<std::int64_t> Prices::listed_changes() {
  std::vector<std::int64_t> found;
  for (std::size_t k = 1; k < listed_.size(); ++k) {
    if (winner(listed_[k]) != winner(listed_[k - 1])) found.push_back(listed_[k]);
  }
  return found;
}

Reigns Prices::reigns(const SizeRange& range) {
  Reigns found;
  std::vector<std::int64_t> ends;
  for (const int looks_a_doubling : {8, 1}) {
    work_left_ = effort_.compared;
    ends = winner_changes([this](std::int64_t bytes) { return winner(bytes); }, range, looks_a_doubling);
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
    const Algorithm& best = *question_.algorithms[winner(from)];
    if (offer(best, from).is_known()) found.all.push_back({{from, end - 1}, &best});
    from = end;
  }
  return found;
}

}  // namespace tutti::app
