/// @file
/// `tutti plan` and what trials of earlier runs have kept. Which algorithm wins a trial has no part in the tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "predict/profile/stored_profile.hpp"
#include "support/command.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// With a profile of the test's own, which programs and commands find.
class PlanKept : public testing::Test {
 protected:
  void SetUp() override { setenv("TUTTI_PROFILE", file_.c_str(), 1); }
  void TearDown() override {
    setenv("TUTTI_PROFILE", "built-in", 1);
    std::filesystem::remove(file_);
    std::filesystem::remove(file_ + ".lock");
  }
  static std::string text(const std::string& line) {
    const Ran ran = run_command(TUTTI_COMMAND, words_of("plan " + line));
    EXPECT_EQ(ran.status, 0) << line << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }
  static Json size_of(const std::string& line) { return Json::parse(text(line + " --json"))["sizes"][0]; }
  /// Keeps a winner that no prediction would choose.
  void keep(const std::string& call, const std::string& algorithm, int segments = 0) const {
    keep_entry(file_, {.call = call, .algorithm = algorithm, .segments = segments, .grid = {}, .seconds = 12e-6});
  }

  const std::string file_ = testing::TempDir() + "/tutti-kept-" + std::to_string(getpid()) + ".json";
};

// Winners that programs keep are found by the words with which they keep them.
TEST_F(PlanKept, IsWhatProgramsKeep) {
  keep("shift over none", "ring");
  tutti::run(2, [](Communicator& comm) {
    comm.set_planning(Planning::measure);
    std::vector<double> row(1000);
    std::vector<std::int64_t> numbers(1000);
    for (int call = 0; call < 100; ++call) {
      comm.broadcast(std::span(row), 1);
      comm.all_reduce(std::span(numbers), maximum);
      comm.barrier();
    }
  });
  const auto expect_kept = [](const std::string& line, const std::string& elements) {
    const Json size = size_of(line);
    ASSERT_EQ(size["kept"].size(), 1u) << line;
    EXPECT_EQ(size["kept"][0]["elements"], elements);
    EXPECT_GT(size["kept"][0]["seconds"], 0);
  };
  expect_kept("broadcast --ranks 2 --root 1 --bytes 8000", "double");
  expect_kept("all-reduce --ranks 2 --bytes 8000", "int64, maximum");
  expect_kept("barrier --ranks 2", "");
  for (const char* other : {"broadcast --ranks 2 --root 0 --bytes 8000", "broadcast --ranks 2 --root 1 --bytes 8008",
                            "broadcast --ranks 2 --root 1 --bytes 8000 --segments 4", "barrier --ranks 3",
                            "broadcast --ranks 2 --root 1 --bytes 8000 --transport processes"})
    EXPECT_TRUE(size_of(other)["kept"].empty()) << other;
}

TEST_F(PlanKept, IsWhatIsChosenAndMarked) {
  keep("broadcast of 1000 elements over 4 ranks, root 0 (8000B), double; threads on 4 cores", "chain", 32);
  const std::string line = "broadcast --ranks 4 --cores 4 --bytes 8000";
  EXPECT_EQ(size_of(line)["chosen"], "chain");
  EXPECT_EQ(size_of(line)["kept"][0]["parameters"], "32 segments");
  const std::string table = text(line);
  EXPECT_THAT(table, AllOf(HasSubstr("\nchain (kept) "), HasSubstr("\nBy prediction alone, "),
                           HasSubstr("\nchain (32 segments) was found to be the fastest for calls of double in an")));
  EXPECT_THAT(text("broadcast --ranks 4 --cores 4 --bytes 1000..8000"),
              AllOf(HasSubstr("us (kept)"), HasSubstr("  8000B: chain (32 segments), 12us for calls of double\n")));
  EXPECT_THAT(text(line + " --skew 1:1us"), HasSubstr("If all ranks came together, chain would be chosen"));
  EXPECT_THAT(text("broadcast --ranks 4 --bytes 8000 --topology full:4"), Not(HasSubstr("kept")))
      << "no program runs there";
}

TEST_F(PlanKept, OverridesNoRule) {
  keep("barrier over 4 ranks; threads on 4 cores", "tree");
  EXPECT_EQ(size_of("barrier --ranks 4 --cores 4")["chosen"], "tree");
  const std::string rules = file_ + ".rules";
  std::ofstream(rules) << "barrier -> dissemination\n";
  const Json size = size_of("barrier --ranks 4 --cores 4 --rules " + rules);
  EXPECT_EQ(size["chosen"], "dissemination");
  EXPECT_TRUE(size["kept"].empty());
  std::filesystem::remove(rules);
}

// The bits of sums of floating-point numbers stay as they are unless a program asks for trials.
TEST_F(PlanKept, LeavesWhatRounds) {
  for (const int ranks : {2, 3}) {
    const std::string over = std::to_string(ranks);
    keep("all-reduce of 1000 elements over " + over + " ranks (8000B), double, sum; threads on 4 cores", "two-tree");
    const std::string line = "all-reduce --cores 4 --bytes 8000 --ranks " + over;
    EXPECT_EQ(size_of(line)["chosen"] == "two-tree", ranks == 2);
    EXPECT_THAT(text(line), AllOf(HasSubstr("\ntwo-tree (kept) "), HasSubstr("those whose operator rounds")));
  }
}

// Elements of any size that make as many bytes; of each kind the latest.
TEST_F(PlanKept, IsOfElementsOfAnySize) {
  const std::string end = "; processes on 8 cores of 2 nodes, mpi between them, as measured when the ranks met";
  keep("gather of 100 elements over 4 ranks, root 0 (4000B a block), five numbers" + end, "binomial");
  keep("gather of 500 elements over 4 ranks, root 0 (4000B a block), int64" + end, "binomial");
  keep("gather of 1000 elements over 4 ranks, root 0 (4000B a block), float" + end, "linear");
  keep("gather of 4000 elements over 4 ranks, root 0 (4000B a block), a pair, of two" + end, "linear");
  const std::string line = "gather --transport processes --nodes 2x2 --cores 4 --bytes 4000";
  const Json kept = size_of(line)["kept"];
  ASSERT_EQ(kept.size(), 3u) << "what names more than a type may be a call that asks for parameters";
  EXPECT_EQ(kept[0]["elements"], "float");
  EXPECT_EQ(kept[1]["elements"], "int64");
  EXPECT_EQ(kept[2]["elements"], "five numbers");
}

TEST_F(PlanKept, IsToldBesideFilesOfOtherLibraries) {
  keep("all-gather of 128 elements over 4 ranks (1KiB a block), double; mpi on 4 cores", "ring");
  const std::string file = file_ + "-rules";
  EXPECT_THAT(text("all-gather --ranks 4 --cores 4 --bytes 1KiB --openmpi-rules " + file),
              HasSubstr("  1KiB: left out: ring, 12us for calls of double, which an earlier run of tutti has kept\n"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace tutti::test
