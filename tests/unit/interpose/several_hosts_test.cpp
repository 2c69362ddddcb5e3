/// @file
/// Programs of MPI that nobody has changed, whose ranks are on several nodes: TUTTI_NODE makes them of one machine.
/// Open MPI alone, whose launcher tells ranks of several hosts of one another.

#include <fstream>
#include <string>
#include <vector>

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OnHosts : public Unchanged {
 protected:
  /// A rank for each letter, which names its node; a small one stands for a rank without the library.
  static Ran run(const std::string& nodes, const std::string& line, const std::vector<std::string>& settings = {}) {
    std::vector<std::string> words = settings;
    words.insert(words.end(), GetParam().command.begin(), GetParam().command.end());
    const std::string preload = "LD_PRELOAD=" + library(mpi());
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
      const char node = nodes[rank];
      if (rank > 0) words.emplace_back(":");
      words.insert(words.end(), {"-n", "1", "/usr/bin/env", std::string("TUTTI_NODE=") + node});
      if (node < 'a') words.push_back(preload);
      for (const std::string& word : words_of(line)) words.push_back(word);
    }
    return run_command("/usr/bin/env", words);
  }
  static void expect_success(const std::string& nodes, const std::string& line,
                             const std::vector<std::string>& settings = {}) {
    const Ran ran = run(nodes, line, settings);
    EXPECT_EQ(ran.status, 0) << nodes << " " << line << "\n" << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << nodes << " " << line << "\n" << ran.err;
  }
};

// Nothing is left to MPI here.
TEST_P(OnHosts, CollectivesGetWhatMpiSays) {
  for (const char* const nodes : {"AB", "AAB", "ABAB", "ABBCB"})
    expect_success(nodes, program("conforming") + " 5 4", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(OnHosts, CollectivesAreServed) {
  const Ran ran = run("AABB", program("beside") + " 10 plain",
                      {"TUTTI_MPI_REPORT=1", "TUTTI_ALGORITHM_ALL_REDUCE=leaders", all_served()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("tutti: leaders"));
}

TEST_P(OnHosts, RanksWaitForNothingThatWaitsForThem) {
  for (const char* const way : {"isend", "queue", "ssend", "window"}) {
    for (const char* const nodes : {"AB", "ABA", "AABB"})
      expect_success(nodes, program("progress") + " " + way + " 100", {all_served()});
  }
}

TEST_P(OnHosts, CommunicatorsComeAndGo) {
  expect_success("ABA", program("hazards") + " communicators 200", {all_served()});
  expect_success("AABB", program("beside") + " 50 groups counts packed forks", {all_served()});
}

TEST_P(OnHosts, TheEndIsMpis) {
  for (const char* const way : {"finalize", "between"}) expect_success("AAB", program("hazards") + " " + way + " 10");
  expect_success("ABB", program("beside") + " 10 plain at_exit", {all_served()});
}

// Rank 0's rules hold for all ranks of all hosts, and what is wrong with them is said once.
TEST_P(OnHosts, TheRulesOfRankZeroHold) {
  const std::filesystem::path rules = own_path("rules");
  std::ofstream(rules) << "all-reduce -> reduce-broadcast\n";
  const std::string own = "TUTTI_RULES=" + rules.string();
  const Ran ruled = run("AABB", program("beside") + " 10 plain", {own, "TUTTI_EXPLAIN=1", all_served()});
  EXPECT_EQ(ruled.status, 0) << ruled.err;
  EXPECT_THAT(ruled.err, HasSubstr("reduce-broadcast is what line 1 of " + rules.string() + " names"));
  const Ran checked = run("ABBCB", program("conforming") + " 5 2", {own, "TUTTI_MPI_CHECK=1"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  std::ofstream(rules) << "all-reduce -> wings\n";
  const Ran wrong = run("ABAB", program("beside") + " 10 plain", {own, all_served()});
  EXPECT_EQ(wrong.status, 0) << wrong.err;
  EXPECT_EQ(times(wrong.err, rules.string() + ":1: "), 1) << wrong.err;
  std::filesystem::remove(rules);
}

// Threads that are in collectives at once have no packets in common.
TEST_P(OnHosts, ThreadsLeaveThemToMpi) { expect_success("AABB", program("hazards") + " threads 50"); }

// Ranks of one node that have the library serve one another; a rank without it is not waited for.
TEST_P(OnHosts, ARankWithoutTheLibraryLeavesThemToMpi) {
  for (const std::string nodes : {"AAb", "aAB", "AaBB"}) {
    const Ran ran = run(nodes, program("beside") + " 50 plain groups", {"TUTTI_MPI_REPORT=1"});
    EXPECT_EQ(ran.status, 0) << nodes << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    const bool is_reported = nodes.front() != 'a';  // by rank 0, where it has the library
    EXPECT_EQ(ran.err.find(" this library") != std::string::npos, is_reported) << nodes << ran.err;
  }
}

TEST_P(OnHosts, WhoCallsSomethingElseIsNamed) {
  const Ran ran = run("ABAB", program("hazards") + " mismatch", {"TUTTI_MPI_CHECK=1"});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("rank 2 called all_gather with 12 bytes"), HasSubstr("mismatch (hazards.c:")));
}

// Ranks of other hosts are only known not to be there; of ranks here their function is known.
TEST_P(OnHosts, WhoHangsIsNamed) {
  const Ran ran = run("AABB", program("hazards") + " hang", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=2"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("1 to enter barrier"), HasSubstr("rank 1 of 4 is in MPI_Recv")));
}

// Nothing is said of ranks that have come, and have not told yet.
TEST_P(OnHosts, WhoEndsAloneIsNamedAlone) {
  const Ran ran = run("AABA", program("mistakes") + " left", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=20"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(
      ran.err,
      AllOf(HasSubstr("rank 1 ended without entering barrier (call 2 of communicator MPI_COMM_WORLD), where rank "),
            Not(HasSubstr("did not come either"))));
}

// Nothing is said of messages between hosts; rank 2 waits for one.
TEST_P(OnHosts, WhoWaitsForMessagesOfItsHostForEverIsNamed) {
  const Ran ran = run("AAB", program("deadlocks") + " exchanges", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 2, in MPI_Sendrecv"),
                             HasSubstr("rank 1 waits for rank 0 to send with tag 2"), Not(HasSubstr("rank 2 waits"))));
}

TEST_P(OnHosts, ARankThatDiesIsNamedAndHoldsNobody) {
  const Ran ran = run("ABBA", program("hazards") + " killed", {all_served()});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.out, Not(HasSubstr("as expected")));
}

std::vector<Launcher> open_mpi() {
  std::vector<Launcher> found = launchers_in(TUTTI_LAUNCHERS);
  std::erase_if(found, [](const Launcher& each) { return each.name != "openmpi"; });
  return found;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OnHosts);
INSTANTIATE_TEST_SUITE_P(OpenMpi, OnHosts, ::testing::ValuesIn(open_mpi()),
                         [](const auto& all) { return all.param.name; });

}  // namespace
}  // namespace tutti::test
