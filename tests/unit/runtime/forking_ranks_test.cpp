/// @file
/// Ranks that fork, and what a launcher that is killed leaves to others: children and strangers come to no harm.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "launch/guardian.hpp"
#include "support/child.hpp"
#include "support/launchers.hpp"
#include "support/refuse_call.hpp"
#include "support/sanitizers.hpp"
#include "unit/runtime/odd_ranks.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

// ---- Children

/// Ranks that fork, and the work of their children.
struct Forking {
  const char* scenario;
  const char* child;
  const char* setting;
};

void PrintTo(const Forking& forking, std::ostream* out) {
  *out << forking.scenario << " " << forking.child << " " << forking.setting;
}

class Forks : public OddRanks, public testing::WithParamInterface<Forking> {};

/// Returns the child's end as the parent sees it.
std::string end_of(const std::string& child) {
  if (child == "throw") return "killed by " + std::to_string(SIGABRT);
  return child == "return" ? "exited with 0" : "exited with 7";
}

/// Expects the output of three ranks of "fork" whose children do that.
void expect_forks(const Ran& ran, const std::string& child) {
  EXPECT_EQ(ran.status, 0) << ran.err;
  if (child != "throw") {
    EXPECT_EQ(ran.err, "");
  }
  std::vector<std::string> told;
  std::vector<std::string> refused;
  for (const std::string& line : lines_of(ran.out)) (line.starts_with("child") ? refused : told).push_back(line);
  std::vector<std::string> expected;
  for (int rank = 0; rank < 3; ++rank) {
    expected.push_back("rank " + std::to_string(rank) + ": child " + end_of(child));
    expected.push_back("rank " + std::to_string(rank) + ": 0 wrong");
  }
  EXPECT_THAT(told, testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(refused.size(), child == "call" ? 33U : 0U);
  EXPECT_THAT(refused, Each(AllOf(HasSubstr("which a rank has forked and which is no rank"))));
}

// A child owns nothing and says nothing; the ranks go on as if it had never been.
TEST_P(Forks, LeaveTheRanksAsTheyWere) {
  const auto [scenario, child, setting] = GetParam();
  const bool in_threads = std::string(scenario) == "fork-threads";
  // GCC 12's address sanitizer does not take its allocator's locks before a fork: what another thread holds at that
  // moment is never released in the child, which then waits for ever.
  if (addresses_are_reserved && in_threads && std::string(child) != "exec")
    GTEST_SKIP() << "the sanitizer's allocator is not safe to be forked among threads";
  const std::string trace = folder_ / "trace.json";
  std::vector<std::string> words;
  if (std::string(setting) == "traced") {
    words.push_back("TUTTI_TRACE=" + trace);
  } else if (*setting != '\0') {
    words.emplace_back(setting);
  }
  if (!in_threads) words.insert(words.end(), {TUTTI_COMMAND, "run", "-n", "3"});
  words.insert(words.end(), {TUTTI_ODD_RANKS, scenario, child});
  const Ran ran = run_command("/usr/bin/env", words);
  expect_forks(ran, child);
  if (std::string(setting) != "traced") return;
  const std::string text = contents_of(trace);
  for (int rank = 0; rank < 3; ++rank) {
    const std::string name = "\"rank " + std::to_string(rank) + "\"";
    const std::size_t first = text.find(name);
    EXPECT_NE(first, std::string::npos) << name;
    EXPECT_EQ(text.find(name, first + 1), std::string::npos) << name << " has written twice";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Processes, Forks,
    testing::Values(Forking{"fork", "exec", ""}, Forking{"fork", "return", ""}, Forking{"fork", "drop", ""},
                    Forking{"fork", "throw", ""}, Forking{"fork", "call", ""}, Forking{"fork", "run", ""},
                    Forking{"fork", "vfork", ""}, Forking{"fork", "return", "TUTTI_PROGRESS_THREAD=1"},
                    Forking{"fork", "call", "TUTTI_PROGRESS_THREAD=1"}, Forking{"fork", "exec", "TUTTI_PEER_READS=0"},
                    Forking{"fork", "drop", "TUTTI_PEER_READS=0"}, Forking{"fork", "return", "traced"}));
INSTANTIATE_TEST_SUITE_P(Threads, Forks,
                         testing::Values(Forking{"fork-threads", "exec", ""}, Forking{"fork-threads", "return", ""},
                                         Forking{"fork-threads", "drop", ""}, Forking{"fork-threads", "throw", ""},
                                         Forking{"fork-threads", "call", ""}, Forking{"fork-threads", "run", ""},
                                         Forking{"fork-threads", "return", "TUTTI_PROGRESS_THREAD=1"},
                                         Forking{"fork-threads", "call", "TUTTI_PROGRESS_THREAD=1"},
                                         Forking{"fork-threads", "return", "traced"}));

// Before Linux 4.14 the system does not clear the mark of a rank's process in its children.
TEST_F(OddRanks, ThatForkOnAnOldSystemAreLeftAsTheyWere) {
  const std::string answer = in_child([&]() -> std::string {
    if (!refuse_call({SYS_madvise, EINVAL, 2, MADV_WIPEONFORK, true})) return "not allowed";
    for (const char* child : {"exec", "return", "drop", "call"}) {
      expect_forks(run_command(TUTTI_COMMAND, program(3, {}, "fork", child)), child);
    }
    return testing::Test::HasFailure() ? "differently" : "as they were";
  });
  if (answer == "not allowed") GTEST_SKIP() << "no system calls may be refused here";
  EXPECT_EQ(answer, "as they were");
}

class ForksUnderMpi : public OddRanks, public testing::WithParamInterface<std::tuple<Launcher, const char*>> {};

// MPI is no child's: what ends the rank's at exit leaves it alone in a child.
TEST_P(ForksUnderMpi, LeaveTheRanksAsTheyWere) {
  const auto& [launcher, child] = GetParam();
  std::vector<std::string> words = launcher.command;
  words.insert(words.end(), {"-n", "3", TUTTI_ODD_RANKS, "fork", child});
  const std::string program = words.front();
  words.erase(words.begin());
  expect_forks(run_command(program, words), child);
}

// A build with sanitizers, or without an MPI, has no such launcher.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ForksUnderMpi);
INSTANTIATE_TEST_SUITE_P(By, ForksUnderMpi,
                         testing::Combine(testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                                          testing::Values("exec", "return", "drop", "call", "run", "vfork")),
                         [](const auto& each) { return std::get<0>(each.param).name + "_" + std::get<1>(each.param); });

// ---- The launcher's end

// In a namespace where small numbers are taken by others: process 2 is an unrelated one, and so is, within the rank's
// own namespace, the rank's program.
TEST_F(OddRanks, WhoseNumbersAreOthersElsewhereDoNotHarmThoseWhenTheirLauncherIsKilled) {
  if (!runs({"unshare", "-pf", "--mount-proc"})) GTEST_SKIP() << "the system permits no such namespaces";
  const std::string script =
      "sleep 1000 & sleep 1000 & sleep 1000 & sleep 1000 & "
      "'" TUTTI_COMMAND "' run -n 2 setsid --wait unshare -pf sh -c '" TUTTI_ODD_RANKS
      " pause $DIR; exit 0' & launcher=$!; "
      "while ! [ -e $DIR/ready.0 -a -e $DIR/ready.1 ]; do sleep 0.02; done; "
      "kill -9 $launcher; "
      "while grep -qs odd_ranks /proc/[0-9]*/comm; do sleep 0.02; done; "
      "while grep -qs tutti-guardian /proc/[0-9]*/comm; do sleep 0.02; done; "
      "grep -ls sleep /proc/[0-9]*/comm | wc -l";
  const Ran ran = run_command("/usr/bin/env", {"unshare", "-pf", "--mount-proc", "sh", "-c", script});
  EXPECT_EQ(ran.out, "4\n") << ran.err;
}

// Groups whose leader the system cannot signal by a descriptor are the rank's or not by this.
TEST(ProcessGroups, AreKnownByWhenTheirMembersBegan) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::uint64_t before = launch::ticks_now();
  const pid_t leader = fork();
  if (leader == 0) {
    setpgid(0, 0);
    if (fork() == 0) {
      close(ends[1]);
      char byte = 0;
      _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);  // until the test closes its end
    }
    _exit(0);
  }
  // The leader has ended and is forgotten: its group lives on.
  ASSERT_EQ(waitpid(leader, nullptr, 0), leader);
  EXPECT_TRUE(launch::has_member(leader, launch::ticks_now()));
  EXPECT_FALSE(launch::has_member(leader, before - 100));
  close(ends[1]);
  close(ends[0]);
  wait_until([&] { return kill(-leader, 0) != 0; });
  EXPECT_FALSE(launch::has_member(leader, launch::ticks_now()));
}

}  // namespace
}  // namespace tutti::test
