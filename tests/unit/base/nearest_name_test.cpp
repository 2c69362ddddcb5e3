/// @file
/// The nearest name is the one with the fewest mistakes; there is none where there are too many.

#include "base/text/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tutti {
namespace {

TEST(NearestName, HasTheSmallestEditDistance) {
  constexpr std::array<std::string_view, 4> names{"ring", "binomial", "bruck", "mesh"};
  EXPECT_EQ(nearest_name("rings", names), "ring");
  EXPECT_EQ(nearest_name("binmial", names), "binomial");
  EXPECT_EQ(nearest_name("burck", names), "bruck");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("rnig", names), "ring") << "two letters exchanged are one mistake";
  EXPECT_EQ(nearest_name("RING", names), "ring");
  EXPECT_EQ(nearest_name("Bnimial", names), "binomial");
  EXPECT_EQ(nearest_name("wrong", names), "");
  EXPECT_EQ(nearest_name("xylophone", names), "");
  EXPECT_EQ(nearest_name("bin", names), "binomial") << "a name that begins so";
  EXPECT_EQ(nearest_name("bi", names), "");
  EXPECT_EQ(nearest_name("mesh", names), "mesh");
  EXPECT_EQ(nearest_name("x", {}), "");
  // Missing letters, and letters too many, cost one each.
  EXPECT_EQ(nearest_name("binmal", std::array<std::string_view, 2>{"mesh", "binomial"}), "binomial");
  EXPECT_EQ(nearest_name("binomial", std::array<std::string_view, 2>{"mesh", "binmal"}), "binmal");
}

TEST(NearestName, IsToldInWordsOrAllAre) {
  constexpr std::array<std::string_view, 3> names{"ring", "mesh", "torus"};
  EXPECT_EQ(nearest_in_words("rong", names), "the nearest is 'ring'");
  EXPECT_EQ(nearest_in_words("xylophone", names), "there are 'ring', 'mesh' and 'torus'");
  EXPECT_EQ(nearest_in_words("xylophone", std::span(names).first(1)), "there is 'ring'");
}

}  // namespace
}  // namespace tutti
