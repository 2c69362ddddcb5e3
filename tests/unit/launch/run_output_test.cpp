/// @file
/// `tutti run`: its options, and what ranks read and print.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <ostream>

#include "support/rank_shells.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST_F(RunCommand, LabelsEveryLine) {
  const Ran ran =
      run(4, "for k in $(seq 500); do echo line $k of $R; echo error $k of $R >&2; done; printf last", {"--label"});
  EXPECT_EQ(ran.status, 0);
  std::array<int, 4> printed{};
  for (const std::string& line : lines_of(ran.out)) {
    ASSERT_THAT(line, MatchesRegex("\\[[0-3]\\] .*"));
    const auto rank = static_cast<std::size_t>(line[1] - '0');
    const int number = ++printed[rank];
    const std::string expected = number <= 500 ? "line " + std::to_string(number) + " of " + line[1] : "last";
    ASSERT_EQ(line.substr(4), expected);
  }
  EXPECT_THAT(printed, testing::Each(501));
  EXPECT_EQ(ran.out.back(), '\n');
  EXPECT_THAT(lines_of(ran.err), testing::SizeIs(2000));
  EXPECT_THAT(lines_of(ran.err), testing::Each(MatchesRegex("\\[[0-3]\\] error [0-9]+ of [0-3]")));
}

TEST_F(RunCommand, LabelledOutputAndErrorKeepTheirOrderInOneFile) {
  const std::string command =
      TUTTI_COMMAND " run -n 2 --label /bin/sh -c 'for k in $(seq 300); do echo $k; echo e$k >&2; done' 2>&1";
  const Ran ran = run_command("/bin/sh", {"-c", command});
  std::array<int, 2> seen{};
  for (const std::string& line : lines_of(ran.out)) {
    const int k = seen[static_cast<std::size_t>(line.at(1) - '0')]++;
    ASSERT_EQ(line.substr(4), (k % 2 == 0 ? "" : "e") + std::to_string(k / 2 + 1));
  }
  EXPECT_THAT(seen, testing::Each(600));
}

// Nobody reads what the launcher says of rank 0; the other ranks go on as they would, and it has an exit status.
TEST_F(RunCommand, GoesOnWhereNobodyReadsWhatItSays) {
  const std::string command =
      "{ " TUTTI_COMMAND
      " run -n 2 --grace 20s -- /bin/sh -c '[ $TUTTI_RANK = 0 ] && exit 3; sleep 1'; echo $? >&3; } "
      "2>&1 | true";
  EXPECT_EQ(run_command("/bin/sh", {"-c", "{ " + command + "; } 3>&1"}).out, "3\n");
}

TEST_F(RunCommand, LeavesBrokenPipesToItsRanksAsTheyWere) {
  const Ran ran = run(1, "grep SigIgn /proc/self/status");
  const Ran plain = run_command("/bin/sh", {"-c", "grep SigIgn /proc/self/status"});
  EXPECT_EQ(ran.out, plain.out);
}

// A file that a rank opens is then not its standard output, into which others print.
TEST_F(RunCommand, RanksHaveAllStandardDescriptors) {
  const std::string command =
      TUTTI_COMMAND " run -n 2 -- /bin/sh -c 'for k in 0 1 2; do [ -e /proc/$$/fd/$k ] || exit 7; done' <&- >&- 2>&-";
  EXPECT_EQ(run_command("/bin/sh", {"-c", command + "; exit $?"}).status, 0);
}

TEST_F(RunCommand, LabelsMoreRanksThanFilesMayBeOpen) {
  const std::string command =
      "ulimit -S -n 30; " TUTTI_COMMAND " run -n 24 --label --heap off -- /bin/sh -c 'ulimit -n'";
  const Ran ran = run_command("/bin/sh", {"-c", command});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(lines_of(ran.out), testing::AllOf(testing::SizeIs(24), testing::Each(testing::EndsWith("] 30"))));
}

TEST_F(RunCommand, LabelsLongLinesAndManyBytes) {
  const Ran ran =
      run(2, "head -c 600000 /dev/zero | tr '\\0' x; echo; head -c 3000000 /dev/zero | tr '\\0' y", {"--label"});
  std::size_t most = 0;
  std::array<std::ptrdiff_t, 2> letters{};
  for (const std::string& line : lines_of(ran.out)) {
    letters[0] += std::count(line.begin(), line.end(), 'x');
    letters[1] += std::count(line.begin(), line.end(), 'y');
    most = std::max(most, line.size());
  }
  EXPECT_THAT(letters, testing::ElementsAre(2 * 600000, 2 * 3000000));
  EXPECT_LE(most, std::size_t{1} << 21);
  EXPECT_THAT(ran.out, HasSubstr("[1] " + std::string(600000, 'x') + "\n"));
}

TEST_F(RunCommand, DoesNotWaitForWhatHoldsALabelledOutput) {
  const Ran ran = run(1, "setsid sleep 1000 & echo $! > $DIR/child; echo done", {"--label"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "[0] done\n");
  kill(std::stoi(process_in("child")), SIGKILL);
}

TEST_F(RunCommand, LabelledErrorsAreReadWhereTheOutputIsLost) {
  const std::string ranks = TUTTI_COMMAND " run -n 2 --label /bin/sh -c 'echo out; sleep 0.2; echo $TUTTI_RANK >&2; ";
  const Ran ran = run_command("/bin/sh", {"-c", ranks + "exit 3' > /dev/full"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("[0] 0\n"), HasSubstr("[1] 1\n"),
                                      HasSubstr("tutti run: the output could not be written\n")));
}

// Ranks without labels do, because their output has the same reader.
TEST_F(RunCommand, LabelledRanksEndWhereNobodyReadsTheirOutput) {
  const Ran ran = run_command("/bin/sh", {"-c", TUTTI_COMMAND " run -n 2 --label yes | head -n 1"});
  EXPECT_THAT(ran.out, MatchesRegex("\\[[01]\\] y\n"));
  EXPECT_THAT(ran.err, HasSubstr("SIGPIPE"));
}

TEST_F(RunCommand, OutputThatCannotBeWrittenIsAnError) {
  const Ran ran = run_command("/bin/sh", {"-c", TUTTI_COMMAND " run -n 2 --label echo hello > /dev/full"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "tutti: the output could not be written\n");
}

TEST_F(RunCommand, RankZeroReadsTheInput) {
  const Ran ran = run_command("/bin/sh", {"-c", "echo hello | " TUTTI_COMMAND " run -n 3 --label cat"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "[0] hello\n");
  const std::string others = "echo hello | " TUTTI_COMMAND " run -n 2 --label readlink /proc/self/fd/0";
  EXPECT_THAT(lines_of(run_command("/bin/sh", {"-c", others}).out),
              testing::UnorderedElementsAre(testing::StartsWith("[0] pipe:"), "[1] /dev/null"));
}

TEST_F(RunCommand, WorksWithoutStandardInputAndError) {
  const Ran ran =
      run_command("/bin/sh", {"-c", TUTTI_COMMAND " run -n 2 --label /bin/sh -c 'echo x; echo y >&2' <&- 2>&-"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(lines_of(ran.out), testing::UnorderedElementsAre("[0] x", "[1] x"));
}

struct Mistake {
  const char* line;
  const char* answer;
};

void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.line; }

class RunUsage : public testing::TestWithParam<Mistake> {};

TEST_P(RunUsage, GetsOneLineAndStatusTwo) {
  const Ran ran = run_command(TUTTI_COMMAND, words_of(GetParam().line));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(lines_of(ran.err), testing::ElementsAre(testing::StartsWith("tutti: ")));
  EXPECT_THAT(ran.err, HasSubstr(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, RunUsage,
    testing::Values(Mistake{"run", "run needs a program"}, Mistake{"run -n 4", "run needs a program"},
                    Mistake{"run -n 4 --", "run needs a program"},
                    Mistake{"run true", "run needs a number of ranks, such as 'tutti run -n 4 true'"},
                    Mistake{"run -n 0 echo", "a number of ranks is a whole number from 1 to 4096, not '0'"},
                    Mistake{"run -n -1 echo", "not '-1'"}, Mistake{"run -n 4097 echo", "not '4097'"},
                    Mistake{"run -n four echo", "not 'four'"}, Mistake{"run -n 2 -n 3 echo", "--ranks"},
                    Mistake{"run -n 2 --lable echo", "no option '--lable'; the nearest is '--label'"},
                    Mistake{"run -n 2 /no/such/program",
                            "the program '/no/such/program' cannot be started (No such file or directory)"},
                    Mistake{"run -n 2 no-such-program", "name an executable file such as ./program"},
                    Mistake{"run -n 2 /dev/null", "(Permission denied)"}));

struct Accepted {
  const char* line;
  const char* out;
};

void PrintTo(const Accepted& accepted, std::ostream* stream) { *stream << accepted.line; }

class RunLine : public testing::TestWithParam<Accepted> {};

TEST_P(RunLine, LeavesTheProgramItsArguments) {
  const Ran ran = run_command(TUTTI_COMMAND, words_of(GetParam().line));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, GetParam().out);
}

INSTANTIATE_TEST_SUITE_P(Lines, RunLine,
                         testing::Values(Accepted{"run -n 1 echo -n2 --label", "-n2 --label\n"},
                                         Accepted{"run --ranks 1 --label echo -- a --", "[0] -- a --\n"},
                                         Accepted{"run --ranks=1 -- echo --ranks 5", "--ranks 5\n"},
                                         Accepted{"run -n1 -- echo -- list", "-- list\n"},
                                         Accepted{"run -n 1 --label -- echo run", "[0] run\n"}));

TEST_F(RunCommand, AProgramThatIsHereIsNamedWithItsFolder) {
  const Ran ran =
      run_command("/bin/sh", {"-c", "cd $DIR; cp /bin/true hereabouts; " TUTTI_COMMAND " run -n 2 hereabouts"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, testing::EndsWith("write ./hereabouts\n"));
}

}  // namespace
}  // namespace tutti::test
