/// @file
/// `tutti preload`: which libraries the program finds, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Ran preload(const std::string& words, const std::string& setting = "") {
  return run_command("/bin/sh", {"-c", setting + " " TUTTI_COMMAND " preload " + words});
}

TEST(Preload, HasAProgramLoadTheHeapBeforeItsOwnLibraries) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  const Ran ran = preload("-- sh -c 'echo $LD_PRELOAD; exit 3'");
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("libtutti-heap.so"));
}

TEST(Preload, LoadsNothingWhereTheEnvironmentForbidsIt) {
  const Ran ran = preload("sh -c 'echo [$LD_PRELOAD]'", "TUTTI_HEAP=0");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("libtutti-heap")));
}

TEST(Preload, RefusesWhatIsNoProgramWithTheRemedy) {
  EXPECT_THAT(preload("").err, HasSubstr("preload needs a program, such as 'tutti preload python start.py'"));
  EXPECT_THAT(preload("no-such-program", "TUTTI_HEAP=0").err,
              HasSubstr("no-such-program cannot be started (No such file or directory)"));
  EXPECT_THAT(preload("true", "TUTTI_HEAP_LIBRARY=/no/such.so").err,
              HasSubstr("TUTTI_HEAP_LIBRARY=/no/such.so: there is no such file"));
}

}  // namespace
}  // namespace tutti::test
