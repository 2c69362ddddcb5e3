#include "cost/crossing.hpp"

#include <algorithm>
#include <bit>

namespace tutti {
namespace {

// The least size in (low, high] with the winner of `high`, if the winner changes once in between.
std::int64_t bisect(const std::function<std::size_t(std::int64_t)>& winner, std::int64_t low, std::int64_t high) {
  const std::size_t before = winner(low);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (winner(middle) == before ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<std::int64_t> winner_changes(const std::function<std::size_t(std::int64_t bytes)>& winner,
                                         const SizeRange& range, int looks_a_doubling) {
  std::vector<std::int64_t> changes;
  for (std::int64_t at = range.least; at < range.most;) {
    const auto next_power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(at) + 1));
    const std::int64_t step = at + std::max<std::int64_t>(1, at / looks_a_doubling);
    const std::int64_t next = std::min({range.most, step, next_power});
    while (winner(at) != winner(next)) {
      at = bisect(winner, at, next);
      changes.push_back(at);
    }
    at = next;
  }
  return changes;
}

std::vector<std::int64_t> crossings(const std::function<double(std::int64_t bytes)>& first,
                                    const std::function<double(std::int64_t bytes)>& second, const SizeRange& range) {
  // Equal times count for the first, so that touching is no crossing.
  const auto second_is_better = [&](std::int64_t bytes) -> std::size_t { return second(bytes) < first(bytes) ? 1 : 0; };
  return winner_changes(second_is_better, range);
}

}  // namespace tutti
