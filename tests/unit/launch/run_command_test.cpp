/// @file
/// `tutti run`: how ranks end, and what becomes of the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/child.hpp"
#include "support/rank_shells.hpp"
#include "support/sanitizers.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST_F(RunCommand, SucceedsWhenAllRanksDo) {
  const Ran ran = run(5, "echo $TUTTI_RANK of $TUTTI_RANKS");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(lines_of(ran.out), testing::UnorderedElementsAre("0 of 5", "1 of 5", "2 of 5", "3 of 5", "4 of 5"));
}

TEST_F(RunCommand, ReturnsTheStatusOfTheRankThatFails) {
  for (const int status : {1, 3, 255}) {
    const Ran ran = run(3, "[ $R = 1 ] && exit " + std::to_string(status) + "; exit 0");
    EXPECT_EQ(ran.status, status);
    EXPECT_THAT(ran.err,
                MatchesRegex("tutti run: rank 1 \\(pid [0-9]+\\) exited with status " + std::to_string(status) + "\n"));
  }
}

TEST_F(RunCommand, NamesTheSignalThatKilledARank) {
  const Ran killed = run(3, "[ $R = 2 ] && kill -9 $$; exit 0");
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_THAT(killed.err, MatchesRegex("tutti run: rank 2 \\(pid [0-9]+\\) was killed by signal 9 \\(SIGKILL\\)\n"));
  const Ran crashed = run(1, "ulimit -c 0; kill -SEGV $$");
  EXPECT_EQ(crashed.status, 128 + SIGSEGV);
  EXPECT_THAT(crashed.err, HasSubstr("was killed by signal 11 (SIGSEGV)\n"));
  EXPECT_THAT(run(1, "kill -40 $$").err, HasSubstr("was killed by signal 40\n")) << "a signal without a name";
}

TEST_F(RunCommand, TheFirstFailureCountsAndTheOthersAreAskedToEnd) {
  const Ran ran = run(2,
                      "trap 'touch $DIR/asked; exit 5' TERM; [ $R = 1 ] && { while [ ! -e $DIR/ready ]; do sleep "
                      "0.01; done; exit 3; }; touch $DIR/ready; while :; do sleep 0.02; done");
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(exists("asked"));
  EXPECT_EQ(ran.err.find("exited with status 3"), ran.err.rfind("exited with status")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("\ntutti run: rank 0 ended when asked to\n"));
}

TEST_F(RunCommand, ThoseWhoDoNotListenAreKilledWithAllThatTheyStarted) {
  const Ran ran = run(3, leave_process +
                             "[ $R = 1 ] && { while [ ! -e $DIR/child ]; do sleep 0.01; done; exit 4; }; trap '' TERM; "
                             "sleep 1000 & [ $R = 0 ] && echo $! > $DIR/started && mv $DIR/started $DIR/child; "
                             "while :; do wait; done");
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("\ntutti run: ranks 0, 2 had to be killed\n"));
  for (const char* name : {"process.0", "process.1", "process.2", "child"}) {
    const std::string process = process_in(name);
    ASSERT_NE(process, "");
    wait_until([&] { return state_of(process) == 'X'; });
  }
}

TEST_F(RunCommand, ThoseWhoAreGivenTimeEndByThemselves) {
  const Ran ran = run(2, "test $R = 0 && exit 3; sleep 2; echo saved > $DIR/$R", {"--grace", "10min"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(content("1"), "saved\n");
}

TEST_F(RunCommand, WhatAFailedRankLeavesBehindIsKilled) {
  const Ran ran = run(1, "sleep 1000 & echo $! > $DIR/child; kill -9 $$");
  EXPECT_EQ(ran.status, 128 + SIGKILL);
  wait_until([&] { return state_of(process_in("child")) == 'X'; });
}

TEST_F(RunCommand, ARankThatSucceedsLeavesTheOthersAlone) {
  const Ran ran = run(2,
                      "[ $R = 0 ] && { touch $DIR/done; exit 0; }; while [ ! -e $DIR/done ]; do sleep 0.01; done; "
                      "sleep 1; echo went on");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "went on\n");
}

// Rank 1 ends in one of several ways, rank 0 writes down what it learns of that.
void be_a_rank(const runtime::Segment& segment) {
  const std::string file = std::getenv("FILE");
  if (segment.rank() == 0) {
    std::signal(SIGTERM, SIG_IGN);
    const runtime::RankRecord& neighbour = segment.record(1);
    wait_until([&] { return neighbour.has_ended(); });
    std::ofstream(file) << "'" << neighbour.failure() << "'";
  } else if (file.ends_with("signal")) {
    std::raise(SIGKILL);
  } else if (file.ends_with("text")) {
    segment.record(1).note_failure("a text of its own");
    std::_Exit(7);
  }
}

TEST_F(RunCommand, TellsTheOthersWhyARankEnded) {
  if (const auto segment = runtime::Segment::inherited()) return be_a_rank(*segment);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string filter = "--gtest_filter=RunCommand.TellsTheOthersWhyARankEnded";
  const auto status_of = [&](const char* way) {
    setenv("FILE", (folder_ / way).c_str(), 1);
    return run_command(TUTTI_COMMAND, {"run", "-n", "2", self, filter}).status;
  };
  EXPECT_EQ(status_of("success"), 0);
  EXPECT_EQ(content("success"), "''");
  EXPECT_EQ(status_of("signal"), 128 + SIGKILL);
  EXPECT_EQ(content("signal"), "'was killed by signal 9 (SIGKILL)'");
  EXPECT_EQ(status_of("text"), 7);
  EXPECT_EQ(content("text"), "'a text of its own'") << "which says more than the status";
}

TEST_F(RunCommand, LeavesNothingInSharedMemory) {
  const Ran ran = run(1, "readlink /proc/$$/fd/$TUTTI_SEGMENT");
  EXPECT_EQ(ran.out, "/memfd:tutti (deleted)\n") << "from the first moment";
}

TEST_F(RunCommand, ReplacesTheVariablesOfARunAroundIt) {
  const Ran ran = run_command(TUTTI_COMMAND, words_of("run -n 1 " TUTTI_COMMAND " run -n 2 env"));
  std::vector<std::string> found;
  for (const std::string& line : lines_of(ran.out)) {
    if (line.starts_with("TUTTI_RANK")) found.push_back(line);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("TUTTI_RANK=0", "TUTTI_RANK=1", "TUTTI_RANKS=2", "TUTTI_RANKS=2"));
}

TEST_F(RunCommand, ARankAloneHasItsHeapForItself) {
  const auto shares = [](const std::string& line) {
    return run_command(TUTTI_COMMAND, words_of(line)).out.find("libtutti-heap.so") != std::string::npos;
  };
  EXPECT_FALSE(shares("run -n 1 env"));
  EXPECT_FALSE(shares("run -n 2 --heap off env"));
  // Named in LD_PRELOAD, whether or not it then steps aside. The sanitizers have a heap of their own.
  EXPECT_EQ(shares("run -n 2 env"), !addresses_are_reserved);
}

TEST_F(RunCommand, LeavesTheRanksTheirSignals) {
  const std::vector<std::string> line{"SigBlk", "/proc/self/status"};
  EXPECT_EQ(run_command(TUTTI_COMMAND, {"run", "-n", "1", "/bin/grep", line[0], line[1]}).out,
            run_command("/bin/grep", line).out);
}

}  // namespace
}  // namespace tutti::test
