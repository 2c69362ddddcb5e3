/// @file
/// Messages of one's own: the textbook's scenarios, and bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "unit/app/user_files.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

class UserMessages : public UserFiles {};

// The lecture's scenarios, as rows of the textbook and as messages of one's own.
TEST_F(UserMessages, TakeWhatTheTextbookSays) {
  const auto row = [](const std::string& id) {
    return json("textbook --row " + id + " --bytes 4096 --json")[0]["simulated_seconds"].get<double>();
  };
  const auto seconds = [](const std::string& line) {
    return json("simulate messages " + line + " --json")["seconds"].get<double>();
  };
  EXPECT_NEAR(seconds("0-2 6-3 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.1"), 1e-15);
  EXPECT_NEAR(seconds("1-6 7-4 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.2"), 1e-15);
  EXPECT_NEAR(seconds("1-6 4-7 --topology linear:8 --bytes 4KiB"), row("p2p.scenario.3"), 1e-15);
  EXPECT_NEAR(seconds("0-8 4-6 --topology mesh:3x3 --bytes 4KiB --routing minimal-adaptive"), row("p2p.scenario.4"),
              1e-15);
}

TEST_F(UserMessages, BeginWhenTheyAreTold) {
  const Json run = json("simulate messages 0-1:1000 2-3@5us:1000 3-2@1us:1000 --topology full:4 --json");
  ASSERT_EQ(run["messages"].size(), 3u);
  const std::vector<std::pair<int, double>> begins{{0, 0}, {3, 1e-6}, {2, 5e-6}};
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const Json& message = run["messages"][k];
    EXPECT_EQ(message["from"], begins[k].first);
    EXPECT_NEAR(message["begin"].get<double>(), begins[k].second, 1e-15);
    EXPECT_NEAR(message["send_posted"].get<double>(), begins[k].second, 1e-15);
    EXPECT_NEAR(message["end"].get<double>(), begins[k].second + 2e-6, 1e-15);
  }
  EXPECT_NEAR(run["seconds"].get<double>(), 7e-6, 1e-15);
}

// Two messages over one link share it for as long as both are there.
TEST_F(UserMessages, ShareLinksForAsLongAsTheyMeet) {
  const Json run = json("simulate messages 0-2:1000 1-3@0.5us:1000 --topology linear:4 --ts 0s --json");
  EXPECT_EQ(run["most_shared"], 2);
  EXPECT_EQ(run["messages"][0]["way"], Json({0, 1, 2}));
  // Half of the first goes alone, then each goes at half the rate until the first is there.
  EXPECT_NEAR(run["messages"][0]["end"].get<double>(), 1.5e-6, 1e-15);
  EXPECT_NEAR(run["messages"][1]["end"].get<double>(), 2e-6, 1e-15);
  EXPECT_EQ(json("simulate messages 0-2:1000 1-3@1us:1000 --topology linear:4 --ts 0s --json")["most_shared"], 1);
}

TEST_F(UserMessages, PacketsAreToldHopByHop) {
  const std::string text =
      tutti("simulate messages 0-3:400 --topology linear:4 --switching store-and-forward --packet 100 --ts 1us").out;
  EXPECT_THAT(text, HasSubstr("PACKET  0-1    1-2    2-3\n1       1.1us  1.2us  1.3us\n2       1.2us  1.3us  1.4us\n"));
  EXPECT_THAT(text, HasSubstr("\n4       1.4us  1.5us  1.6us\n"));
  const Json run =
      json("simulate messages 0-3:400 --topology linear:4 --switching store-and-forward --packet 100 --ts 1us --json");
  EXPECT_NEAR(run["seconds"].get<double>(), 1.6e-6, 1e-15);
}

// A matrix of nvidia-smi says nothing of PCIe's speed: an option does, or a note says what is assumed.
TEST_F(UserMessages, NotesSayWhatAMatrixLeavesOpen) {
  std::ofstream(path("pairs.txt")) << "\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\tX\tNV12\tNODE\tNODE\nGPU1\tNV12\tX\tNODE\tNODE\n"
                                      "GPU2\tNODE\tNODE\tX\tNV12\nGPU3\tNODE\tNODE\tNV12\tX\n";
  const std::string on = " --topology " + path("pairs.txt");
  const std::string assumed = path("pairs.txt") + ": PCIe 5.0 is assumed, 63 GB/s each way";
  const std::vector<std::pair<std::string, double>> speeds{{"3", 15.75e9}, {"4", 31.5e9}, {"5", 63e9}, {"6", 121e9}};
  for (const auto& [generation, speed] : speeds) {
    for (const std::string& options : {on + " --pcie " + generation, " --pcie " + generation + on}) {
      const Json run = json("simulate messages 0-2:1GB --json" + options);
      EXPECT_NEAR(run["seconds"].get<double>(), 1e-6 + 1e9 / speed, 1e-9) << options;
      EXPECT_FALSE(run.contains("notes"));
    }
  }
  const Json run = json("simulate messages 0-2:1GB --json" + on);
  EXPECT_NEAR(run["seconds"].get<double>(), 1e-6 + 1e9 / 63e9, 1e-9);
  EXPECT_THAT(run["notes"][0].get<std::string>(), HasSubstr(assumed));
  for (const std::string& line :
       {"simulate all-reduce" + on, "price all-reduce --bytes 1MiB" + on, "topology " + path("pairs.txt"),
        "synthesize all-gather" + on, "draw broadcast -o " + path("draw.svg") + on, "verify broadcast" + on}) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 0) << ran.err;
    std::string folded = ran.out;
    std::replace(folded.begin(), folded.end(), '\n', ' ');
    EXPECT_THAT(folded, HasSubstr("Note: " + assumed)) << line;
  }
  EXPECT_THAT(json("topology " + path("pairs.txt") + " --json")["notes"][0].get<std::string>(), HasSubstr(assumed));
  const auto refused = [](const std::string& line) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    return ran.err;
  };
  EXPECT_THAT(refused("simulate all-reduce --pcie 7" + on), HasSubstr("generation of PCIe"));
  EXPECT_THAT(refused("simulate all-reduce --topology ring:4 --pcie 5"), HasSubstr("leave it out with 'ring:4'"));
  EXPECT_THAT(refused("simulate all-reduce --ranks 4 --pcie 5"), HasSubstr("name it: --topology FILE.txt"));
  EXPECT_THAT(refused("topology ring:4 --pcie 5"), HasSubstr("leave it out"));
}

TEST_F(UserMessages, BadInputGetsOneLine) {
  refuses("simulate messages --ranks 4", "there are no messages");
  refuses("simulate messages 1-2", "a network is needed");
  refuses("simulate messages 0-1:2048PiB --ranks 2", "a message over 2 ranks has at most 1024PiB, not 2048PiB");
  refuses("simulate messages 0-1:1024PiB 0-1:1024PiB 0-1:1024PiB --ranks 2",
          "messages over 2 ranks have at most 2048PiB in all; send fewer or smaller ones");
  refuses("simulate messages 1-9 --ranks 4", "not '9'");
  refuses("simulate messages 1-1 --ranks 4", "goes nowhere");
  refuses("simulate messages 12 --ranks 4", "'12' is no message");
  refuses("simulate messages 0-1:0 --ranks 4", "at least one byte");
  refuses("simulate messages 0-1@soon --ranks 4", "'soon'");
  refuses("simulate messages 0-1@1us --ranks 4 --engine rounds", "needs the engine 'flows'");
  refuses("simulate messages 0-1 --ranks 4 --algorithm ring", "leave --algorithm out");
  refuses("simulate broadcast 0-1 --ranks 4", "'0-1' was not expected");
  refuses("simulate messages 0-1 --ranks 3 --timeline F.json",
          "--timeline is for collectives here; 'tutti draw --timeline' takes messages");
  refuses("simulate messages 0-1 --ranks 3 --counts 1,2,3", "leave them out");
  refuses("simulate messages 0-1 --ranks 3 --bottleneck", "--bottleneck is for collectives; leave it out");
}

}  // namespace
}  // namespace tutti::test
