/// @file
/// The nearest name is the one with the smallest edit distance.

#include "base/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tutti {
namespace {

TEST(NearestName, HasTheSmallestEditDistance) {
  constexpr std::array<std::string_view, 4> names{"ring", "binomial", "bruck", "mesh"};
  EXPECT_EQ(nearest_name("rings", names), "ring");
  EXPECT_EQ(nearest_name("binmial", names), "binomial");
  EXPECT_EQ(nearest_name("burck", names), "bruck");
  EXPECT_EQ(nearest_name("", names), "ring");
  EXPECT_EQ(nearest_name("mesh", names), "mesh");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace tutti
