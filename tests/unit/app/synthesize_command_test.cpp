/// @file
/// What `tutti synthesize` takes for messages of every length, beside the best of the catalogue.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

struct Cell {
  double over_catalogue = 0;
  bool low_trees = false;
};

Cell cell(const std::string& collective, const std::string& network, const std::string& bytes) {
  const Json made = json(fmt::format("synthesize {} --topology {} --bytes {} --json", collective, network, bytes));
  return {made["seconds"].get<double>() / made["catalogue"]["seconds"].get<double>(), made["low_trees"]};
}

// A short message goes nearly as fast as by the best algorithm, and a long one as fast or faster.
TEST(SynthesizeCommand, SuitsShortMessagesAndLongOnes) {
  for (const char* network : {"dgx-1v", "rails:2x4", "mesh:3x5", "torus:4x4", "ring:8", "tree:8", "clos:4x4x2"}) {
    const Cell brief = cell("broadcast", network, "1KiB");
    EXPECT_LE(brief.over_catalogue, 1.05) << network;
    EXPECT_TRUE(brief.low_trees) << network;
    for (const char* collective : {"broadcast", "all-reduce"}) {
      const Cell lengthy = cell(collective, network, "64MiB");
      EXPECT_LE(lengthy.over_catalogue, 1.01) << collective << " on " << network;
      EXPECT_FALSE(lengthy.low_trees) << collective << " on " << network;
    }
  }
}

TEST(SynthesizeCommand, SaysWhereItTakesLowTrees) {
  const std::string line = "synthesize all-reduce --topology rails:2x4 --bytes ";
  EXPECT_THAT(tutti(line + "64KiB").out, HasSubstr("\nLow       so short a message"));
  EXPECT_EQ(tutti(line + "64MiB").out.find("\nLow "), std::string::npos);
  EXPECT_EQ(tutti(line + "64KiB --segments 1").out.find("\nLow "), std::string::npos) << "chunks are of the trees";
}

}  // namespace
}  // namespace tutti::test
