/// @file
/// Schedules of `tutti synthesize` for messages of every length, beside the best of the catalogue.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
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
  const std::string line = "synthesize all-reduce --topology rails:2x4 --forwarding hardware --bytes ";
  EXPECT_THAT(tutti(line + "64KiB").out, HasSubstr("\nLow       a message this short"));
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

// Three ranks joined by 100 lanes, a fourth by one: reducing wholly before gathering passes its link for 2/3 m and again
// for 3/4 m, where m once each way is enough.
constexpr const char* narrow =
    R"({"ranks": 4, "switches": 0, "links": [{"from": 0, "to": 1, "lanes": 100}, {"from": 0, "to": 2, "lanes": 100},
        {"from": 1, "to": 2, "lanes": 100}, {"from": 0, "to": 3}]})";

class File {
 public:
  File(const std::string& ending, const std::string& text)
      : name_((std::filesystem::temp_directory_path() /
               ("tutti_synthesize_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
                testing::UnitTest::GetInstance()->current_test_info()->name() + ending))
                  .string()) {
    std::ofstream(name_) << text;
  }
  ~File() { std::filesystem::remove(name_); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(SynthesizeCommand, OverlapsAnAllReduceWhereALinkIsNarrow) {
  const File network(".json", narrow);
  const File schedule("_made.json", "");
  const std::string line = "synthesize all-reduce --topology " + network.name() + " --bytes 1MiB";
  const Json made = json(line + " --json -o " + schedule.name());
  EXPECT_NEAR(made["bound_seconds"], 1048576e-9, 1e-9);
  EXPECT_EQ(made["bound"], "cut");
  EXPECT_NEAR(made["phases_seconds"], 1.5 * 1048576e-9, 1e-9);
  EXPECT_TRUE(made["optimum_seconds"].is_null());
  EXPECT_TRUE(made["overlapped"]);
  // 32 chunks up, and one behind them down.
  EXPECT_LE(made["seconds"], 33 * (1e-6 + 1048576e-9 / 32) * (1 + 1e-9));
  EXPECT_THAT(tutti("verify schedule " + schedule.name()).out, HasSubstr("proved"));
  const std::string simulated =
      "simulate schedule " + schedule.name() + " --topology " + network.name() + " --ports multiple --json";
  EXPECT_NEAR(json(simulated)["seconds"].get<double>(), made["seconds"].get<double>(), 1e-12);
  const std::string out = tutti(line).out;
  EXPECT_THAT(out, HasSubstr("Bound     1.049ms: no schedule is faster"));
  EXPECT_THAT(out, HasSubstr("TIMES THE BOUND"));
  EXPECT_EQ(out.find("ptimum"), std::string::npos) << out;
}

TEST(SynthesizeCommand, CountsTheRanksThatForward) {
  const std::string gather = "synthesize all-gather --topology dgx-1v --bytes 1 --json";
  const Json by_default = json(gather);
  EXPECT_GE(by_default["seconds"], 2e-6);
  EXPECT_EQ(by_default["forwarding"], "ranks");
  EXPECT_GE(by_default["catalogue"]["seconds"], 2e-6);
  const Json by_hardware = json(gather + " --forwarding hardware");
  EXPECT_LT(by_hardware["seconds"], 1.1e-6);
  EXPECT_EQ(by_hardware["forwarding"], "hardware");
  EXPECT_THAT(tutti("synthesize all-gather --topology dgx-1v --bytes 1").out,
              AllOf(HasSubstr("Bound     2us: no schedule is faster (rounds"), HasSubstr("TIMES THE BOUND")));
  EXPECT_THAT(tutti("synthesize all-gather --topology dgx-1v").out, HasSubstr("\nForward "));
  EXPECT_EQ(tutti("synthesize all-gather --topology ring:6").out.find("\nForward "), std::string::npos);
  EXPECT_THAT(tutti("synthesize all-gather --topology ring:6 --forwarding ranks").out, HasSubstr("\nForward "));
  EXPECT_THAT(tutti("synthesize all-gather --topology ring:6 --forwarding gpus").err, HasSubstr("not by 'gpus'"));
}

// Each is a schedule that the other commands take, and its time is what they simulate.
TEST(SynthesizeCommand, MakesWhatGoesFromOneRankToOneOther) {
  const File schedule("_made.json", "");
  for (const char* collective : {"all-to-all", "scatter", "gather"}) {
    for (const char* network : {"dgx-1v", "star:4", "torus:3x3", "nvswitch:2x3", "full:1"}) {
      for (const char* bytes : {"1", "64KiB"}) {
        const std::string line = fmt::format("{} --topology {}", collective, network);
        const Json made = json(fmt::format("synthesize {} --bytes {} --json -o {}", line, bytes, schedule.name()));
        EXPECT_LE(made["optimum_seconds"].is_null() ? 0.0 : made["optimum_seconds"].get<double>(),
                  made["seconds"].get<double>() * (1 + 1e-6));
        EXPECT_THAT(tutti("verify schedule " + schedule.name()).out, HasSubstr("proved")) << line;
        if (std::string(network) == "full:1") continue;
        const Json again =
            json(fmt::format("simulate schedule {} --topology {} --ports multiple --json", schedule.name(), network));
        EXPECT_NEAR(again["seconds"].get<double>(), made["seconds"].get<double>(), 1e-12) << line;
      }
    }
  }
}

TEST(SynthesizeCommand, IsNearTheFlowOfADgx1) {
  const Json made = json("synthesize all-to-all --topology dgx-1v --bytes 1MiB --json");
  EXPECT_NEAR(made["optimum_seconds"], 8.0 / 3 * 1048576e-9, 1e-8);
  EXPECT_LE(made["seconds"].get<double>(), 1.1 * made["optimum_seconds"].get<double>());
}

TEST(SynthesizeCommand, NamesWhatItMakesNothingFor) {
  EXPECT_THAT(tutti("synthesize barrier --topology ring:4").err, HasSubstr("not for barrier"));
  EXPECT_THAT(tutti("synthesize scan --topology ring:4").err, HasSubstr("all-to-all"));
  EXPECT_THAT(tutti("synthesize all-to-all --topology ring:300").err, HasSubstr("at most 256"));
}

}  // namespace
}  // namespace tutti::test
