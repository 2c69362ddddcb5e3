/// @file
/// Programs of one's own: deadlocks and their cures, and bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/app/user_files.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

class UserPrograms : public UserFiles {};

TEST_F(UserPrograms, ADeadlockIsFoundAndDrawnAndItsCureIsProved) {
  const std::string stuck = program("0: send 1 4KiB; wait; receive 1\n1: send 0 4KiB; wait; receive 0\n");
  const Json verdict = json("verify " + stuck + " --json", 1);
  EXPECT_EQ(verdict["proved"], false);
  EXPECT_EQ(verdict["failure"]["kind"], "deadlock");
  EXPECT_THAT(verdict["failure"]["cycle"].get<std::vector<int>>(), testing::UnorderedElementsAre(0, 1));
  EXPECT_THAT(tutti("verify " + stuck).out, HasSubstr("  rank 0: send 1 4KiB; wait; receive 1\n"));
  const Ran drawn = tutti("draw " + stuck + " -o " + path("circle.svg"));
  EXPECT_EQ(drawn.status, 1);
  EXPECT_THAT(content_of("circle.svg"), HasSubstr("a deadlock"));
  const std::string cured = program("0: send 1 4KiB; receive 1\n1: send 0 4KiB; receive 0\n");
  EXPECT_EQ(json("verify " + cured + " --json")["proved"], true);
  EXPECT_NEAR(json("simulate " + cured + " --json")["seconds"].get<double>(), 1e-6 + 4096e-9, 1e-15);
  EXPECT_EQ(tutti("draw " + cured + " -o " + path("cured.svg")).status, 0);
  EXPECT_THAT(content_of("cured.svg"), HasSubstr("Step 1: 2 messages of 4KiB"));
  EXPECT_EQ(tutti("draw " + cured + " --timeline -o " + path("time.svg")).status, 0);
  EXPECT_EQ(tutti("draw " + cured + " -o " + path("page.html")).status, 0);
}

// The first of two sends of a step is over when the second begins.
TEST_F(UserPrograms, RoundsAreThoseOfTheMessages) {
  const std::string two = program("0: send 1; send 1\n1: receive 0; wait; receive 0\n");
  EXPECT_THAT(tutti("verify " + two).out, HasSubstr("; 2 rounds, 2 messages,"));
}

// On a circle of any size, and not where one rank receives first.
TEST_F(UserPrograms, CirclesOfAnySizeAreFound) {
  for (const int ranks : {2, 3, 5, 8, 33}) {
    const std::string p = "ranks " + std::to_string(ranks) + "\n";
    const Json verdict = json("verify " + program(p + "all: send +1; wait; receive -1\n") + " --json", 1);
    EXPECT_EQ(verdict["failure"]["cycle"].size(), static_cast<std::size_t>(ranks));
    EXPECT_EQ(tutti("draw " + program(p + "all: send +1; wait; receive -1") + " -o " + path("circle.svg")).status, 1);
    const std::string others = "1.." + std::to_string(ranks - 1);
    EXPECT_EQ(
        json("verify " + program(p + "0: receive -1; wait; send +1\n" + others + ": send +1; wait; receive -1\n") +
             " --json")["proved"],
        true);
  }
}

TEST_F(UserPrograms, ThatDoNotMeetAreRefusedWithTheReason) {
  const auto kind = [&](const std::string& text) {
    return json("verify " + program(text) + " --json", 1)["failure"]["kind"].get<std::string>();
  };
  EXPECT_EQ(kind("0: send 1\n"), "unmatched");
  EXPECT_EQ(kind("0: receive 1\n"), "unmatched");
  EXPECT_EQ(kind("0: send 1 8\n1: receive 0 16\n"), "size-mismatch");
}

TEST_F(UserPrograms, TheExamplesDoWhatTheySay) {
  const std::string examples = TUTTI_PROJECT_DIR "/examples/programs/";
  EXPECT_EQ(json("verify program " + examples + "deadlock.txt --json", 1)["failure"]["kind"], "deadlock");
  EXPECT_EQ(json("verify program " + examples + "circle.txt --json", 1)["failure"]["cycle"].size(), 8u);
  EXPECT_EQ(json("verify program " + examples + "exchange.txt --json")["proved"], true);
  EXPECT_EQ(json("verify program " + examples + "even-odd.txt --json")["proved"], true);
  EXPECT_NEAR(json("simulate program " + examples + "even-odd.txt --topology ring:8 --json")["seconds"].get<double>(),
              2 * (1e-6 + 65536e-9), 1e-15);
}

// Programs that simulate gives a time are drawn with that time, and not as a circle.
TEST_F(UserPrograms, TimelinesOfBufferedSendsAreDrawn) {
  const std::string deadlock = program("0: send 1 4KiB; wait; receive 1\n1: send 0 4KiB; wait; receive 0");
  EXPECT_EQ(tutti("draw " + deadlock + " --timeline -o " + path("circle.svg")).status, 1);
  for (const std::string& name : {path("eager.svg"), path("eager.html"), path("eager.json")}) {
    const Ran ran = tutti("draw " + deadlock + " --timeline --eager 1MiB -o " + name);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, testing::Not(HasSubstr("deadlock")));
  }
}

TEST_F(UserPrograms, BadInputGetsOneLine) {
  refuses("verify program", "a program is one file");
  refuses("verify program /no/such/file.txt", "cannot be read");
  refuses("verify " + program(""), "has no line");
  refuses("verify " + program("0: sned 1"), "line 1, column 4: 'sned 1' is nothing that a rank does");
  refuses("verify " + program("0: send 0"), "rank 0 cannot send to itself");
  refuses("verify " + program("hello"), "line 1, column 1: 'hello' is no line of a program");
  refuses("verify " + program("\nx: wait"), "line 2, column 1: 'x' is no rank");
  refuses("verify " + program("1: wait\n0: send 7") + " --ranks 4",
          "line 2, column 9: it speaks of rank 7, and there are ranks 0 to 3");
  refuses("verify " + program("3..1: wait"), "line 1, column 1: '3..1' names no rank; write the smaller one first");
  refuses("verify " + program("ranks 3\nranks 4\n0: wait"),
          "line 2, column 1: the number of ranks stands in an earlier line");
  const std::string deadlock = program("0: send 1; wait; receive 1\n1: send 0; wait; receive 0");
  refuses("simulate " + deadlock, "deadlock");
  refuses("draw " + deadlock + " -o " + path("circle.html"), "the circle is drawn as FILE.svg, .pdf, .png or .tex");
}

}  // namespace
}  // namespace tutti::test
