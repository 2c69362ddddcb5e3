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
  // Missing letters, and letters too many, cost one each.
  EXPECT_EQ(nearest_name("bino", std::array<std::string_view, 2>{"mesh", "binomia"}), "binomia");
  EXPECT_EQ(nearest_name("binomia", std::array<std::string_view, 2>{"bxxxxxa", "bino"}), "bino");
}

}  // namespace
}  // namespace tutti
