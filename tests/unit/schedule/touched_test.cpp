/// @file
/// A message meets what was touched just where both have a place.

#include "schedule/combinators/touched.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace tutti {
namespace {

using Place = std::pair<Buffer, std::int64_t>;

std::set<Place> places_of(const Message& message) {
  std::set<Place> places;
  for (const Slice& slice : message) {
    for (std::int64_t at = slice.first; at < slice.end(); ++at) places.insert({slice.buffer, at});
  }
  return places;
}

// Messages of a few slices and of many, in their order and out of it, over buffers that fill.
TEST(Touched, IsMetJustWhereAPlaceIsShared) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int met = 0;
  for (int step = 0; step < 200; ++step) {
    Touched touched;
    std::set<Place> expected;
    const int room = 20 << below(8);
    for (int k = 0; k < 12; ++k) {
      Message message;
      for (int slices = below(k % 3 == 0 ? 30 : 4); slices > 0; --slices)
        message.push_back({static_cast<Buffer>(below(3)), below(room), 1 + below(3)});
      const std::set<Place> places = places_of(message);
      const bool meets =
          std::any_of(places.begin(), places.end(), [&](const Place& place) { return expected.contains(place); });
      EXPECT_EQ(touched.meets(message), meets) << "step " << step << ", message " << k;
      met += meets ? 1 : 0;
      touched.add(message);
      expected.insert(places.begin(), places.end());
    }
    touched.clear();
    EXPECT_FALSE(touched.meets({{Buffer::input, 0, 10 * room}, {Buffer::output, 0, 10 * room}}));
  }
  EXPECT_GT(met, 200);
}

}  // namespace
}  // namespace tutti
