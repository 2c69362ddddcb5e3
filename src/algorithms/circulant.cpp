#include "algorithms/circulant.hpp"

#include <algorithm>
#include <cstdint>

namespace tutti::algorithms {
namespace {

// The last skip of the way to `rank` that takes the longest skips first: how its first segment comes to it. q for 0.
int last_skip_to(const Skips& skips, int rank) {
  for (int k = skips.rounds() - 1; k >= 0 && rank > 0; --k) {
    if (rank < skips[k]) continue;
    rank -= skips[k];
    if (rank == 0) return k;
  }
  return skips.rounds();
}

/// Finds for each skip s_k a way from rank 0 (or from a whole round of the ranks before it) that ends at most s_k short
/// of the rank and more than s_(k+1) short of it, and shares its last skip with no other of them.
class SkipSearch {
 public:
  SkipSearch(const Skips& skips, int rank)
      : skips_(skips),
        target_(rank + skips.ranks()),
        before_(2 * skips.ranks()),
        free_((std::uint64_t{2} << skips.rounds()) - 1) {
    found_.reserve(static_cast<std::size_t>(skips.rounds()));
  }

  /// The last skips of the ways, by k; none is `but_not`.
  std::vector<int> last_skips(int but_not) {
    take(but_not);
    extend(0, skips_.rounds());
    return found_;
  }

 private:
  int k() const { return static_cast<int>(found_.size()); }
  bool is_free(int skip) const { return (free_ >> skip & 1) != 0; }
  void take(int skip) { free_ &= ~(std::uint64_t{1} << skip); }

  // The ways that go on from `from` by skips of at most s_longest.
  void extend(int from, int longest) {
    for (int skip = longest; skip >= 0 && k() < skips_.rounds(); --skip) {
      if (!is_free(skip)) continue;
      const int at = from + skips_[skip];
      if (at > target_ - skips_[k()] || at >= before_) continue;
      if (at <= target_ - skips_[k() + 1]) extend(at, skip);
      if (k() == skips_.rounds() || from > target_ - skips_[k() + 1]) return;
      before_ = at;
      found_.push_back(skip);
      take(skip);
    }
  }

  const Skips& skips_;
  int target_;
  int before_;          // end of the way found last
  std::uint64_t free_;  // skips that no way has ended with, a bit each
  std::vector<int> found_;
};

}  // namespace

Deliveries::Deliveries(const Skips& skips, int rank, int segments)
    : rounds_(std::max(1, skips.rounds())), last_(segments - 1), idle_((rounds_ - (segments - 1) % rounds_) % rounds_) {
  if (rank == 0) return;
  const int first = last_skip_to(skips, rank);
  segment_of_skip_ = SkipSearch(skips, rank).last_skips(first);
  for (int& skip : segment_of_skip_) skip = skip == skips.rounds() ? first : skip - skips.rounds();
  do ++whole_;
  while (segment_in(whole_) < last_);
}

// Segments that follow the last are the last one again.
int Deliveries::segment_in(int i) const {
  const int at = i + idle_;
  const int in_turn = at % rounds_;
  return segment_of_skip_[static_cast<std::size_t>(in_turn)] + at - in_turn - idle_;
}

std::optional<int> Deliveries::in_round(int i) const {
  if (segment_of_skip_.empty()) return std::nullopt;
  const int segment = segment_in(i);
  if (segment < 0) return std::nullopt;
  if (segment < last_) return segment;
  return i == whole_ ? std::optional(last_) : std::nullopt;
}

}  // namespace tutti::algorithms
