/// @file
/// A map whose cells stay cut, held against an array.

#include "base/interval_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace tutti {
namespace {

/// Counts on from position to position, or is nothing everywhere.
struct NumberOrNone {
  std::int64_t number = -1;

  NumberOrNone after(std::int64_t n) const { return {number < 0 ? number : number + n}; }
  friend bool operator==(const NumberOrNone&, const NumberOrNone&) = default;
};

// Cells are joined once they are 64.
constexpr std::int64_t positions = 300;
using Array = std::array<NumberOrNone, positions>;

/// Returns the runs that a visit is to see: as few as there can be.
std::vector<std::pair<std::int64_t, NumberOrNone>> runs_of(const Array& array, std::int64_t first, std::int64_t count) {
  std::vector<std::pair<std::int64_t, NumberOrNone>> runs;
  for (std::int64_t at = first; at < first + count; ++at) {
    const NumberOrNone& value = array[static_cast<std::size_t>(at)];
    if (at > first && array[static_cast<std::size_t>(at) - 1].after(1) == value) {
      ++runs.back().first;
    } else {
      runs.emplace_back(1, value);
    }
  }
  return runs;
}

TEST(IntervalMap, ShowsLongestRunsAndAgreesWithAnArray) {
  std::mt19937 random(7);
  const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  for (int trial = 0; trial < 200; ++trial) {
    IntervalMap<NumberOrNone> map;
    Array array;
    const std::int64_t longest = trial % 2 == 0 ? positions : 5;
    if (trial % 3 == 0) {
      map.cut_at({positions / 7, positions / 7, positions / 2, positions - 1});
      EXPECT_FALSE(map.is_whole());
    }
    for (int step = 0; step < 200; ++step) {
      // All is forgotten early, when few runs were assigned, and late, when cells stay cut.
      if (up_to(30) == 0) {
        map.clear();
        array = {};
      }
      const std::int64_t first = up_to(positions - 1);
      const std::int64_t count = up_to(std::min(longest, positions - first));
      // Often a value that goes on where its neighbour ends.
      const NumberOrNone value{up_to(3) == 0 ? -1 : up_to(2) == 0 ? up_to(9) : first};
      map.assign(first, count, value);
      for (std::int64_t n = 0; n < count; ++n) array[static_cast<std::size_t>(first + n)] = value.after(n);

      const std::int64_t from = up_to(positions - 1);
      const std::int64_t seen = up_to(positions - from);
      std::vector<std::pair<std::int64_t, NumberOrNone>> runs;
      std::int64_t at = from;
      map.visit(from, seen, [&](std::int64_t begin, std::int64_t length, const NumberOrNone& found) {
        EXPECT_EQ(begin, at);
        at += length;
        runs.emplace_back(length, found);
      });
      ASSERT_EQ(runs, runs_of(array, from, seen)) << "trial " << trial << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace tutti
