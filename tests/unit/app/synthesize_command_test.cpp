/// @file
/// What `tutti synthesize` takes for messages of every length, beside the best of the catalogue.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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

TEST(SynthesizeCommand, SaysWhereTheCatalogueIsFaster) {
  for (const char* network : {"linear:2", "full:7", "rails:2x4", "mesh:3x5", "ring:8"}) {
    for (const char* bytes : {"1KiB", "64KiB", "64MiB"}) {
      const std::string line = fmt::format("synthesize all-reduce --topology {} --bytes {}", network, bytes);
      const Json made = json(line + " --json");
      const double least = std::min(made["seconds"].get<double>(), made["minimal_adaptive_seconds"].get<double>());
      const double best = made["catalogue"]["seconds"].get<double>();
      const std::string told = fmt::format("\nHere the catalogue's {} is faster: it takes {:.2f} of the time.\n",
                                           made["catalogue"]["algorithm"].get<std::string>(), best / least);
      const std::string out = tutti(line).out;
      EXPECT_EQ(out.find(told) != std::string::npos, best < 0.99 * least) << out;
    }
  }
}

TEST(SynthesizeCommand, OneRankSendsNothing) {
  const std::string file =
      (std::filesystem::temp_directory_path() /
       ("tutti_one_rank_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + ".json"))
          .string();
  for (const char* collective : {"broadcast", "reduce", "all-gather", "reduce-scatter", "all-reduce"}) {
    EXPECT_EQ(json(fmt::format("synthesize {} --topology full:1 --json -o {}", collective, file))["seconds"], 0.0);
    EXPECT_THAT(tutti("verify schedule " + file).out, HasSubstr("proved")) << collective;
    EXPECT_THAT(tutti("simulate schedule " + file).out, HasSubstr("\nNo message is sent.\n")) << collective;
  }
  std::filesystem::remove(file);
}

TEST(SynthesizeCommand, RefusesTooLargeNetworksAtOnce) {
  for (const char* network : {"full:1048576", "ring:1048575"})
    EXPECT_THAT(tutti(fmt::format("synthesize all-gather --topology {}", network)).err,
                HasSubstr("nodes are too many for its flows; take at most 2048"));
}

}  // namespace
}  // namespace tutti::test
