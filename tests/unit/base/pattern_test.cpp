/// @file
/// Patterns of names: what they mean, beside a slow matcher that tries everything.

#include "base/text/pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tutti {
namespace {

bool matches_slowly(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t taken = 0; taken <= name.size(); ++taken)
      if (matches_slowly(name.substr(taken), pattern.substr(1))) return true;
    return false;
  }
  const bool fits = !name.empty() && (pattern.front() == '?' || pattern.front() == name.front());
  return fits && matches_slowly(name.substr(1), pattern.substr(1));
}

TEST(Pattern, MeansWhatATrialOfEverythingFinds) {
  std::mt19937 random(20261129);
  int matched = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string name;
    std::string pattern;
    for (auto k = random() % 8; k > 0; --k) name += "ab"[random() % 2];
    for (auto k = random() % 6; k > 0; --k) pattern += "ab*?"[random() % 4];
    EXPECT_EQ(matches_pattern(name, pattern), matches_slowly(name, pattern)) << name << " by " << pattern;
    matched += matches_pattern(name, pattern) ? 1 : 0;
  }
  EXPECT_GT(matched, 1000);
}

TEST(Pattern, OfPlainLettersIsTheNameItself) {
  EXPECT_TRUE(matches_pattern("broadcast.ring.sf", "broadcast.ring.sf"));
  EXPECT_FALSE(matches_pattern("broadcast.ring.sf", "broadcast.ring"));
  EXPECT_TRUE(matches_pattern("broadcast.ring.sf", "broadcast.*"));
  EXPECT_FALSE(matches_pattern("all-gather.ring.sf", "broadcast.*"));
}

}  // namespace
}  // namespace tutti
