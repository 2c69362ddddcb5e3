/// @file
/// Elements of ranks, of which some have none.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/ranks.hpp"

namespace tutti {

/// Returns the elements of rank r: r mod 3 · 2, so that some have none.
inline std::vector<int> some(int rank) {
  std::vector<int> mine(static_cast<std::size_t>(rank % 3 * 2));
  std::iota(mine.begin(), mine.end(), 100 * rank);
  return mine;
}

inline std::vector<int> counts_of_all(int p) {
  std::vector<int> counts;
  for (int rank = 0; rank < p; ++rank) counts.push_back(rank % 3 * 2);
  return counts;
}

inline std::vector<int> all_of(int p) {
  std::vector<int> all;
  for (int rank = 0; rank < p; ++rank) {
    for (const int each : some(rank)) all.push_back(each);
  }
  return all;
}

class Interface : public ::testing::TestWithParam<int> {};

}  // namespace tutti
