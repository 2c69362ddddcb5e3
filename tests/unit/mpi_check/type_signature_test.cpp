#include "mpi_check/signatures/type_signature.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tutti::interpose {
namespace {

TypeSignature kind(int k) { return {"kind " + std::to_string(k), "K" + std::to_string(k)}; }

TypeSignature row_of(const std::vector<int>& kinds) {
  TypeSignature row;
  for (const int k : kinds) row.append(kind(k));
  return row;
}

std::vector<int> random_kinds(std::mt19937& random, int most) {
  std::vector<int> kinds(random() % static_cast<unsigned>(most));
  for (int& k : kinds) k = static_cast<int>(random() % 3);
  return kinds;
}

std::vector<int> repeated(const std::vector<int>& kinds, int times) {
  std::vector<int> all;
  for (int k = 0; k < times; ++k) all.insert(all.end(), kinds.begin(), kinds.end());
  return all;
}

bool match(const TypeSignature& a, const TypeSignature& b) { return a.told().fits(b.told()); }

// However a row is put together, and only where it is that row.
TEST(TypeSignature, IsThatOfTheRow) {
  constexpr unsigned seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const std::vector<int> first = random_kinds(random, 6);
    const std::vector<int> second = random_kinds(random, 6);
    std::vector<int> both = first;
    both.insert(both.end(), second.begin(), second.end());
    TypeSignature joined = row_of(first);
    joined.append(row_of(second));
    EXPECT_TRUE(match(joined, row_of(both)));
    EXPECT_EQ(joined.words(), row_of(both).words());
    const int times = static_cast<int>(random() % 9);
    EXPECT_TRUE(match(row_of(first).times(times), row_of(repeated(first, times))));
    EXPECT_EQ(row_of(first).times(times).words(), row_of(repeated(first, times)).words());
    EXPECT_EQ(match(row_of(first), row_of(second)), first == second);
  }
}

TEST(TypeSignature, HasHugeCounts) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 2;
  EXPECT_TRUE(match(kind(0).times(huge).times(2), kind(0).times(2 * huge)));
  EXPECT_FALSE(match(kind(0).times(huge), kind(0).times(huge - 1)));
  EXPECT_FALSE(match(row_of({0, 1}).times(huge / 2), row_of({1, 0}).times(huge / 2)));
  EXPECT_EQ(kind(0).times(huge).words(), std::to_string(huge) + " K0");
}

TEST(TypeSignature, FitsAnyWhereItIsNotKnown) {
  TypeSignature some = kind(0);
  some.append(TypeSignature::unknown());
  EXPECT_TRUE(match(some, kind(1)));
  EXPECT_TRUE(match(kind(1), some.times(3)));
  EXPECT_FALSE(some.told().is_known());
  EXPECT_FALSE(match(TypeSignature(), kind(0)));
}

TEST(TypeSignature, IsToldInFewWords) {
  EXPECT_EQ(TypeSignature().words(), "nothing");
  EXPECT_EQ(row_of({0, 0, 0}).words(), "3 K0");
  EXPECT_EQ(row_of({0, 1}).words(), "1 K0, 1 K1");
  EXPECT_EQ(row_of({0, 1, 0}).words().substr(0, 22), "1 K0, 1 K1, ... (hash ");
}

}  // namespace
}  // namespace tutti::interpose
