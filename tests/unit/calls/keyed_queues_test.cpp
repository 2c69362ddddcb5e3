/// @file
/// Match queues find what a look at all waiting messages would find.

#include "calls/match_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace tutti::runtime {
namespace {

TEST(KeyedQueues, AreAsOneListThatIsLookedThrough) {
  constexpr std::uint64_t seed = 4711;
  std::mt19937_64 random(seed);
  KeyedQueues<int> queues;
  std::map<int, KeyedQueues<int>::Position> places;
  std::vector<std::pair<int, MatchKey>> list;
  const auto key = [&] { return MatchKey{static_cast<int>(random() % 4) - 1, static_cast<int>(random() % 4) - 1}; };
  for (int k = 0; k < 20'000; ++k) {
    // Grows and shrinks, and is empty now and then.
    if (random() % 8 < (k / 500 % 2 == 0 ? 5U : 3U)) {
      list.emplace_back(k, key());
      places[k] = queues.add(list.back().second, k);
    } else if (!list.empty()) {
      const auto gone = list.begin() + static_cast<std::ptrdiff_t>(random() % list.size());
      queues.remove(places[gone->first]);
      list.erase(gone);
    }
    const MatchKey wanted = key();
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.second == wanted; });
    const int* const first = queues.first(wanted);
    ASSERT_EQ(first == nullptr, found == list.end()) << "seed " << seed << ", after " << k;
    if (first == nullptr) continue;
    ASSERT_EQ(*first, found->first) << "seed " << seed << ", after " << k;
  }
}

}  // namespace
}  // namespace tutti::runtime
