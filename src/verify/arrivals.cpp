#include "verify/arrivals.hpp"

#include <algorithm>

namespace tutti::proof {

Arrivals::Arrivals(int ranks) : ranks_(ranks), words_((static_cast<std::size_t>(ranks) + 63) / 64) {
  known_.assign(static_cast<std::size_t>(ranks) * words_, 0);
  for (int rank = 0; rank < ranks; ++rank) {
    known_[row(rank) + static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1} << (rank % 64);
  }
  arriving_ = known_;
}

void Arrivals::pass(int source, int destination) {
  if (ranks_ == 0) return;
  for (std::size_t k = 0; k < words_; ++k) arriving_[row(destination) + k] |= known_[row(source) + k];
}

void Arrivals::end_step(int rank) {
  if (ranks_ == 0) return;
  const auto from = arriving_.begin() + static_cast<std::ptrdiff_t>(row(rank));
  std::copy_n(from, words_, known_.begin() + static_cast<std::ptrdiff_t>(row(rank)));
}

int Arrivals::first_missing(int rank) const {
  for (int other = 0; other < ranks_; ++other) {
    if ((known_[row(rank) + static_cast<std::size_t>(other) / 64] >> (other % 64) & 1) == 0) return other;
  }
  return -1;
}

}  // namespace tutti::proof
