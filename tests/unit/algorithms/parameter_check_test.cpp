/// @file
/// Parameters that algorithms have; no other may be asked for.

#include "algorithms/parameter_check.hpp"

#include <gtest/gtest.h>

#include <array>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "schedule/model/parameter_values.hpp"

namespace tutti::algorithms {
namespace {

void expect_had(const Algorithm& algorithm, int ranks, const Layout& layout) {
  const UsedParameters had = parameters_used_by(algorithm);
  for_each_case(
      algorithm, ranks,
      [&](const Problem& problem, const Parameters& parameters) {
        const UsedParameters looked = used_parameters({algorithm, parameters}, problem, layout);
        EXPECT_TRUE(had.segments || !looked.segments) << describe(problem) << " by " << algorithm.name;
        EXPECT_TRUE(had.radix || !looked.radix) << describe(problem) << " by " << algorithm.name;
        EXPECT_TRUE(had.grid || !looked.grid) << describe(problem) << " by " << algorithm.name;
      },
      layout);
}

TEST(Parameters, AreHadWhereverTheyAreLookedAt) {
  const std::array<int, 3> nodes{3, 1, 5};
  for (const Algorithm* algorithm : catalogue()) {
    for (const int ranks : {1, 2, 3, 4, 7, 8, 16}) expect_had(*algorithm, ranks, {});
    expect_had(*algorithm, 9, Layout::of_nodes(nodes));
  }
}

bool is_refused(const Parameters& parameters, const Algorithm& algorithm) {
  try {
    check_parameters(parameters, algorithm);
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return true;
  }
}

TEST(Parameters, ThatAnAlgorithmNeverLooksAtAreRefused) {
  for (const Algorithm* algorithm : catalogue()) {
    const UsedParameters had = parameters_used_by(*algorithm);
    EXPECT_EQ(is_refused({.segments = 2, .grid = {}}, *algorithm), !had.segments) << algorithm->name;
    EXPECT_EQ(is_refused({.radix = 2, .grid = {}}, *algorithm), !had.radix) << algorithm->name;
    EXPECT_EQ(is_refused({.grid = Shape({2, 2})}, *algorithm), !had.grid) << algorithm->name;
    EXPECT_FALSE(is_refused({}, *algorithm)) << algorithm->name;
  }
}

// A chosen algorithm may have the parameter if none is named.
TEST(Parameters, ThatNoAlgorithmOfTheCollectiveHasAreRefused) {
  EXPECT_NO_THROW(check_parameters({.radix = 2, .grid = {}}, Collective::broadcast, ""));
  EXPECT_THROW(check_parameters({.radix = 2, .grid = {}}, Collective::barrier, ""), Error);
  EXPECT_THROW(check_parameters({.radix = 2, .grid = {}}, Collective::broadcast, "hypercube"), Error) << "an alias";
  EXPECT_NO_THROW(check_parameters({.radix = 2, .grid = {}}, Collective::broadcast, "none of this name"));
}

}  // namespace
}  // namespace tutti::algorithms
