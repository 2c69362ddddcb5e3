/// @file
/// Ends of a program's ranks: what main returns stays, an error that was caught is not told again, and one that was not
/// is told once, in a line; whoever starts the ranks. `tutti run` tells it for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/launchers.hpp"

namespace tutti::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

/// Whether a line tells how that rank has ended: the rank itself, or `tutti run`, which tells it once for all ranks.
bool tells_end(const std::string& line, const std::string& rank, const std::string& reason) {
  const bool by_itself = line.find(rank + ": tutti: the end of rank " + rank + ": ") == 0;
  const bool by_launcher =
      line.find("tutti run: rank") == 0 && line.substr(0, line.find(" ended: ")).find(rank) != line.npos;
  return (by_itself || by_launcher) && line.find(reason) != line.npos;
}

MATCHER_P2(TellsEnd, rank, reason, "tells that rank " + std::string(rank) + " ended: " + std::string(reason)) {
  return tells_end(arg, rank, reason);
}

class Ending : public ::testing::TestWithParam<Launcher> {
 protected:
  /// All lines of two ranks, and "rank R: STATUS" of each. The shells hide the statuses from whoever started them, so
  /// that no rank is ended from outside and all that it learns of the other it learns from tutti.
  static std::vector<std::string> lines_of(const std::string& how) {
    const std::string script = "ulimit -c 0; R=$TUTTI_RANK$OMPI_COMM_WORLD_RANK$PMI_RANK; { " TUTTI_ENDING_RANKS " " +
                               how + " 2>&1; echo status $?; } | sed \"s/^/$R: /\"; exit 0";
    std::vector<std::string> words = GetParam().command;
    words.insert(words.end(), {"-n", "2", "/bin/sh", "-c", script});
    const std::string program = words.front();
    words.erase(words.begin());
    const Ran ran = run_command(program, words);
    std::vector<std::string> lines;
    std::istringstream text(ran.out + ran.err);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

TEST_P(Ending, OfRanksThatSucceedIsSilent) {
  EXPECT_THAT(lines_of("well"), ::testing::UnorderedElementsAre("0: status 0", "1: status 0"));
}

TEST_P(Ending, KeepsTheStatusAfterAnErrorThatWasCaught) {
  for (const auto& [how, status] : {std::pair("caught", "3"), std::pair("told", "0")}) {
    const auto lines = lines_of(how);
    EXPECT_EQ(lines.size(), 4U) << ::testing::PrintToString(lines);
    for (const std::string rank : {"0", "1"}) {
      EXPECT_THAT(lines, Contains(AllOf(HasSubstr(rank + ": caught: "), HasSubstr("called broadcast with root"))));
      EXPECT_THAT(lines, Contains(rank + ": status " + status));
    }
  }
}

// A rank that comes to its end after the other has told it is silent.
TEST_P(Ending, TellsWhatNobodyWasTold) {
  for (const std::string how : {"untold", "dropped"}) {
    const auto lines = lines_of(how);
    bool is_told = false;
    for (const std::string rank : {"0", "1"}) {
      const bool tells = std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return tells_end(line, rank, "called broadcast with root");
      });
      EXPECT_THAT(lines, Contains(rank + (tells ? ": status 1" : ": status 0")));
      const auto catches = AllOf(HasSubstr(rank + ": caught: "), HasSubstr("called broadcast with root"));
      is_told = is_told || tells || ::testing::Value(lines, Contains(catches));
    }
    EXPECT_TRUE(is_told) << ::testing::PrintToString(lines);
    EXPECT_LE(lines.size(), 4U) << ::testing::PrintToString(lines);
  }
}

TEST_P(Ending, KeepsTheStatusOfExitWithACallOutstanding) {
  const std::string reason = "rank 1 ended with exit status 7 before its receive of 4 int32 from rank 0 was done";
  const auto lines = lines_of("outstanding");
  EXPECT_THAT(lines, IsSupersetOf({"1: status 7", "0: status 4"}));
  EXPECT_THAT(lines, Contains(TellsEnd("1", reason)));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("0: caught: rank 1 failed: "), HasSubstr(reason))));
}

TEST_P(Ending, FailsARankThatForgetsACall) {
  const std::string reason = "rank 1 returned without waiting for its receive of 4 int32 from rank 0";
  const auto lines = lines_of("forgotten");
  EXPECT_THAT(lines, Contains(TellsEnd("1", reason)));
  EXPECT_THAT(lines, Contains("1: status 1"));
  EXPECT_THAT(lines, Contains(HasSubstr("0: caught: rank 1 failed: " + reason)));
  EXPECT_THAT(lines, Contains("0: status 0"));
}

TEST_P(Ending, NamesARankThatNeverCame) {
  const auto lines = lines_of("missing");
  EXPECT_THAT(lines, Contains("0: status 0"));
  EXPECT_THAT(lines, Contains(TellsEnd("1", "rank 0 ended without entering reduce (call 1)")));
  EXPECT_THAT(lines, Contains("1: status 1"));
}

TEST_P(Ending, TellsTheStatusOfARankThatIsMissed) {
  for (const char* ending : {"missed", "missed in a collective"}) {
    EXPECT_THAT(lines_of(ending), Contains(HasSubstr("rank 1 failed: exited with status 3"))) << ending;
  }
}

TEST_P(Ending, LeavesARankThatHasAllItNeedsAlone) {
  EXPECT_THAT(lines_of("alone"), ::testing::UnorderedElementsAre("0: status 0", "1: status 3"));
}

TEST(EndingUnderTheLauncher, IsNotTheNextRanksError) {
  const Ran ran = run_command(TUTTI_COMMAND, {"run", "-n", "2", TUTTI_ENDING_RANKS, "late"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 2) << ran.out;
  EXPECT_THAT(ran.err, ::testing::MatchesRegex("tutti run: rank 0 .* exited with status 3\n"));
}

// Before those that it has kept waiting, however soon these end.
TEST(EndingUnderTheLauncher, OfARankThatOthersMissIsToldFirst) {
  for (const char* ending : {"missed", "missed in a collective"}) {
    for (const char* ranks : {"3", "40"}) {
      const Ran ran = run_command(TUTTI_COMMAND, {"run", "--grace", "60s", "-n", ranks, TUTTI_ENDING_RANKS, ending});
      EXPECT_EQ(ran.status, 3) << ending;
      EXPECT_THAT(ran.err, ::testing::MatchesRegex("tutti run: rank 1 \\(pid [0-9]+\\) exited with status 3\n"
                                                   "tutti run: ranks 0, 2(-39)? ended: rank 1 failed: exited with "
                                                   "status 3\n"))
          << ending;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(By, Ending, ::testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tutti::test
