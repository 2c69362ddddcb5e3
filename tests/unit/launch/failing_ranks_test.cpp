/// @file
/// Ranks of `tutti run` that fail, one or dozens of them: who was first, in few lines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "unit/launch/run_ranks.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

TEST_F(RunRanks, WithUncaughtErrorsOfTuttiEndWithOneLineAndNoCoreDump) {
  setenv("GTEST_CATCH_EXCEPTIONS", "0", 1);
  const Ran ran = run_ranks(3, "uncaught",
                            "mkdir $DIR/of$R; cd $DIR/of$R; $SELF; S=$?; echo $S > status; ls | grep core > dumps; "
                            "[ $R = 1 ] && sleep 0.4; exit $S",
                            {"--grace", "60s"});
  unsetenv("GTEST_CATCH_EXCEPTIONS");
  for (const std::string rank : {"0", "2"}) {
    EXPECT_EQ(content("of" + rank + "/status"), "1\n");
    EXPECT_EQ(content("of" + rank + "/dumps"), "");
  }
  // Rank 1, which the others outrun, has failed first.
  EXPECT_EQ(ran.status, 134);
  EXPECT_THAT(ran.err,
              ::testing::ContainsRegex("tutti run: rank 1 \\(pid [0-9]+\\) exited with status 134\n"
                                       "tutti run: ranks 0, 2 ended: rank 1 failed: the program's own reason\n"));
  EXPECT_EQ(content("of1/status"), "134\n") << "a defect of the program's own, which may need its dump";
}

TEST_F(RunRanks, ThatFailByTheDozenAreToldInFewLines) {
  setenv("GTEST_CATCH_EXCEPTIONS", "0", 1);
  const Ran ran = run_ranks(60, "uncaught", "ulimit -c 0; exec $SELF");
  unsetenv("GTEST_CATCH_EXCEPTIONS");
  EXPECT_NE(ran.status, 0);
  EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 12) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(" ended: rank 1 failed: the program's own reason\n"));
}

TEST_F(RunRanks, ThatCannotJoinEndWithOneLineToo) {
  setenv("GTEST_CATCH_EXCEPTIONS", "0", 1);
  const Ran ran = run_ranks(3, "uncaught", "[ $R = 2 ] && exit 0; exec $SELF");
  unsetenv("GTEST_CATCH_EXCEPTIONS");
  EXPECT_EQ(ran.status, 1);
  const std::string reason = "rank 2 ended before it called tutti::world\\(\\): it returned\n";
  EXPECT_THAT(ran.err, ::testing::MatchesRegex("tutti run: rank [01] \\(pid [0-9]+\\) ended: " + reason +
                                               "tutti run: rank [01] ended: " + reason));
}

// Whether the rank ends before it joins or while the others do: these have one reason, which is told once.
TEST_F(RunRanks, ThatCannotJoinByTheDozenAreToldInFewLines) {
  setenv("GTEST_CATCH_EXCEPTIONS", "0", 1);
  for (const std::string end : {"exit 3", "BE=leaving"}) {
    const Ran ran =
        run_ranks(40, "uncaught", "ulimit -c 0; [ $R = 17 ] && " + end + "; [ $R = 39 ] && sleep 0.2; exec $SELF");
    EXPECT_EQ(ran.status, 3) << end;
    EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 12) << ran.err;
    EXPECT_THAT(ran.err, ::testing::StartsWith("tutti run: rank 17 (pid ")) << end;
    EXPECT_THAT(ran.err, HasSubstr("exited with status 3\n")) << end;
  }
  unsetenv("GTEST_CATCH_EXCEPTIONS");
}

}  // namespace
}  // namespace tutti::test
