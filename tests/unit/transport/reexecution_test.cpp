// Programs of tutti that an mpirun starts begin again with the heap that ranks share, and nothing else of them changes.

#include "transport/mpi/reexecution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/launchers.hpp"

namespace {

using namespace tutti::test;

/// Returns how often two ranks of the program, with these variables and words, print each line. All end with status 3.
std::map<std::string, int> lines_of(const Launcher& mpirun, std::vector<std::string> variables,
                                    const std::string& program, const std::vector<std::string>& words = {}) {
  variables.insert(variables.end(), mpirun.command.begin(), mpirun.command.end());
  variables.insert(variables.end(), {"-n", "2", program});
  variables.insert(variables.end(), words.begin(), words.end());
  const Ran ran = run_command("/usr/bin/env", variables);
  EXPECT_EQ(ran.status, 3) << ran.out << ran.err;
  std::map<std::string, int> lines;
  std::istringstream stream(ran.out);
  // The launcher adds lines of its own when ranks end with a status.
  for (std::string line; std::getline(stream, line);) {
    if (line == "object" || line.starts_with("main") || line.ends_with(" heap")) ++lines[line];
  }
  return lines;
}

using Lines = std::map<std::string, int>;

class Reexecution : public testing::TestWithParam<Launcher> {};

TEST_P(Reexecution, KeepsWordsVariablesAndStatus) {
  EXPECT_EQ(lines_of(GetParam(), {"NAMED=a b"}, TUTTI_REEXECUTED_RANKS, {"", "two words", "$x*"}),
            (Lines{{"object", 2}, {"main [] [two words] [$x*] NAMED=a b", 2}, {"shared heap", 2}}));
}

TEST_P(Reexecution, IsNotDoneWhereItIsNotWanted) {
  for (const char* const variable :
       {"TUTTI_HEAP=0", "TUTTI_SHARED_MEMORY=0", "LD_PRELOAD=" TUTTI_OTHER_ALLOCATOR, "LD_PRELOAD=vgpreload_core.so"}) {
    EXPECT_EQ(lines_of(GetParam(), {variable}, TUTTI_REEXECUTED_RANKS),
              (Lines{{"object", 2}, {"main NAMED=", 2}, {"own heap", 2}}))
        << variable;
  }
}

// A file that cannot be preloaded would have the program begin again for ever.
TEST_P(Reexecution, IsDoneOnce) {
  EXPECT_EQ(lines_of(GetParam(), {"TUTTI_HEAP_LIBRARY=/dev/null"}, TUTTI_REEXECUTED_RANKS),
            (Lines{{"object", 2}, {"main NAMED=", 2}, {"own heap", 2}}));
}

TEST_P(Reexecution, IsNotDoneWhenMainHasBegun) {
  EXPECT_EQ(lines_of(GetParam(), {}, TUTTI_LOADING_RANKS), (Lines{{"object", 2}, {"main NAMED=", 2}, {"own heap", 2}}));
}

INSTANTIATE_TEST_SUITE_P(Mpis, Reexecution, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& launcher) { return launcher.param.name; });

}  // namespace
