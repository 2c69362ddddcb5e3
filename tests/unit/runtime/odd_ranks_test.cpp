/// @file
/// Ranks that live in namespaces, change their rights, free buffers too early or are stopped: what they compute is
/// right, or an error names the cause.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "launch/guardian.hpp"
#include "support/child.hpp"
#include "support/launchers.hpp"
#include "support/rank_shells.hpp"
#include "support/refuse_call.hpp"
#include "tutti/error.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

/// The ranks are those of odd_ranks.cpp.
class OddRanks : public RunCommand {
 protected:
  static std::vector<std::string> program(int ranks, const std::vector<std::string>& before, const std::string& deed,
                                          const std::string& argument = {}) {
    std::vector<std::string> all{"run", "-n", std::to_string(ranks)};
    all.insert(all.end(), before.begin(), before.end());
    all.insert(all.end(), {TUTTI_ODD_RANKS, deed});
    if (!argument.empty()) all.push_back(argument);
    return all;
  }
  static Ran odd(int ranks, const std::vector<std::string>& before, const std::string& deed) {
    return run_command(TUTTI_COMMAND, program(ranks, before, deed));
  }
  static void expect_right(const Ran& ran, int ranks) {
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    std::vector<std::string> expected;
    for (int rank = 0; rank < ranks; ++rank) expected.push_back("rank " + std::to_string(rank) + ": 0 wrong");
    EXPECT_THAT(lines_of(ran.out), testing::UnorderedElementsAreArray(expected));
  }
  /// Whether a program runs that is started like that.
  static bool runs(std::vector<std::string> command) {
    command.emplace_back("true");
    return run_command("/usr/bin/env", command).status == 0;
  }
};

/// How a program gets namespaces of its own, and whether they are permitted.
struct Apart {
  const char* name;
  std::vector<std::string> command;
};

class InNamespaces : public OddRanks, public testing::WithParamInterface<Apart> {};

// Addresses are alike in all processes: whose memory is read cannot be told by what lies where.
TEST_P(InNamespaces, ResultsAreRight) {
  std::vector<std::string> before{"setarch", "-R"};
  before.insert(before.end(), GetParam().command.begin(), GetParam().command.end());
  if (!runs(before)) GTEST_SKIP() << "the system permits no such namespaces";
  expect_right(odd(3, before, "exchange"), 3);
}

INSTANTIATE_TEST_SUITE_P(Kinds, InNamespaces,
                         testing::Values(Apart{"None", {}}, Apart{"Processes", {"unshare", "-pf"}},
                                         Apart{"UsersAndProcesses", {"unshare", "-Urpf"}},
                                         Apart{"Users", {"unshare", "-Ur"}}),
                         [](const auto& kind) { return std::string(kind.param.name); });

// Some ranks in namespaces of their own, others not: in one direction alone they know one another's processes.
TEST_F(OddRanks, InNamespacesBesideOthersAreRight) {
  if (!runs({"unshare", "-pf"})) GTEST_SKIP() << "the system permits no such namespaces";
  const std::string script = "case $R in 0|2) exec setarch -R unshare -pf ";
  const Ran ran = run(4, script + TUTTI_ODD_RANKS " exchange;; *) exec setarch -R " TUTTI_ODD_RANKS " exchange;; esac");
  expect_right(ran, 4);
}

TEST_F(OddRanks, WhoMayReadSomeRanksAloneAreRight) {
  for (const char* readers : {"", "0", "13", "012"}) {
    SCOPED_TRACE("readers " + std::string(readers));
    const std::string script = "case '" + std::string(readers) +
                               "' in *$R*) ;; *) export TUTTI_PEER_READS=0;; esac; exec " TUTTI_ODD_RANKS " exchange";
    expect_right(run(4, script), 4);
  }
}

TEST_F(OddRanks, WhoHaveHiddenTheirMemoryBeforeTheyJoinAreRight) {
  const Ran ran = odd(3, {}, "hidden-first");
  if (ran.status == 77) GTEST_SKIP() << "the system does not let programs drop rights";
  expect_right(ran, 3);
}

/// What all ranks say is alike but for the rank that says it.
std::vector<std::string> sentences(const Ran& ran) {
  std::vector<std::string> all;
  for (const std::string& line : lines_of(ran.out)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("rank ") && colon != std::string::npos) all.push_back(line.substr(colon + 2));
  }
  return all;
}

std::string code_of(ErrorCode code) { return std::to_string(static_cast<int>(code)); }

TEST_F(OddRanks, WhoHideTheirMemoryAreNamedToAll) {
  for (const char* deed : {"hidden", "other-user"}) {
    SCOPED_TRACE(deed);
    const Ran ran = odd(3, {}, deed);
    if (ran.status == 77) GTEST_SKIP() << "the system does not let programs drop rights";
    const std::vector<std::string> said = sentences(ran);
    ASSERT_EQ(said.size(), 3U) << ran.out << ran.err;
    EXPECT_THAT(said, Each(said.front()));
    EXPECT_THAT(said.front(),
                AllOf(StartsWith(code_of(ErrorCode::unsupported) + " broadcast (call "),
                      HasSubstr(" cannot read 4800000 bytes at 0x"), HasSubstr(" of rank 0: Operation not permitted")));
  }
}

TEST_F(OddRanks, WhoUnmapABufferAreNamedToAll) {
  const Ran ran = odd(3, {}, "unmap");
  const std::vector<std::string> said = sentences(ran);
  ASSERT_EQ(said.size(), 3U) << ran.out << ran.err;
  EXPECT_THAT(said, Each(said.front()));
  const std::vector<std::string> lines = lines_of(ran.out);
  const auto told =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("buffer"); });
  ASSERT_NE(told, lines.end());
  EXPECT_THAT(said.front(), AllOf(StartsWith(code_of(ErrorCode::invalid_argument) + " broadcast (call 2): rank "),
                                  HasSubstr("cannot read " + told->substr(7) + " of rank 0: Bad address")));
}

// ---- Stops

/// A rank's process, as it has told in a file.
class Stopped : public OddRanks {
 protected:
  Running start_odd(int ranks, const std::string& deed) {
    setenv("TUTTI_TIMEOUT", "1", 1);
    Running running = start(ranks, leave_process + "exec " TUTTI_ODD_RANKS " " + deed + " $DIR");
    unsetenv("TUTTI_TIMEOUT");
    for (int rank = 0; rank < ranks; ++rank) wait_for({"ready." + std::to_string(rank)});
    return running;
  }
  void signal_rank(int rank, int number) { kill(std::stoi(process_in("process." + std::to_string(rank))), number); }
};

TEST_F(Stopped, ForLongerThanTheTimeoutTheyGoOn) {
  for (const char* deed : {"go-on", "wait-for-one"}) {
    SCOPED_TRACE(deed);
    Running running = start_odd(3, deed);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that they wait
    kill(running.process(), SIGTSTP);
    int status = 0;
    ASSERT_EQ(waitpid(running.process(), &status, WUNTRACED), running.process());
    ASSERT_TRUE(WIFSTOPPED(status));
    std::this_thread::sleep_for(std::chrono::milliseconds(1800));  // longer than the timeout
    make("end");  // before they run on: what counts is the time that has passed
    kill(running.process(), SIGCONT);
    const Ran ran = running.wait();
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("rank 0: well", "rank 1: well", "rank 2: well")) << ran.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove(entry.path());
  }
}

TEST_F(Stopped, AloneARankIsNamedByTheOthers) {
  Running running = start_odd(3, "go-on");
  signal_rank(1, SIGSTOP);
  // The others end by an error, the launcher ends the stopped one.
  const Ran ran = running.wait();
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("rank 1"));
  EXPECT_THAT(ran.out, HasSubstr("no progress for 1 s"));
}

/// Whether processes may look into one another here, without which nobody knows that a program behind a script is
/// stopped.
bool may_look_into_children() {
  static const int known = 77;
  int copy = 0;
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  const iovec here{&copy, sizeof(copy)};
  const iovec there{const_cast<int*>(&known), sizeof(known)};
  const bool may = process_vm_readv(child, &here, 1, &there, 1, 0) == sizeof(copy) && copy == known;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return may;
}

/// How a rank's program is started, and what may be known of it.
struct Behind {
  const char* name;
  const char* before;
  const char* after;
};

void PrintTo(const Behind& behind, std::ostream* out) { *out << behind.name; }

class StoppedBehind : public OddRanks, public testing::WithParamInterface<Behind> {};

TEST_P(StoppedBehind, ARankIsNamedByWhoIsAheadAndByTheLauncher) {
  const auto [name, before, after] = GetParam();
  if (std::string(name) == "Script" && !may_look_into_children()) GTEST_SKIP() << "processes may not be looked into";
  setenv("TUTTI_TIMEOUT", "0.5", 1);
  Running running = start(3, leave_process + before + TUTTI_ODD_RANKS " run-ahead" + after);
  unsetenv("TUTTI_TIMEOUT");
  // The others come to their ends, and the launcher waits.
  wait_until([&] { return lines_of(running.output()).size() == 2 && running.errors().ends_with("\n"); });
  kill(-std::stoi(process_in("process.1")), SIGCONT);
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, StartsWith("tutti run: rank 1 has been stopped for 0.5 s; this run waits, because "));
  EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
  const std::vector<std::string> said = sentences(ran);
  ASSERT_EQ(said.size(), 3U) << ran.out;
  // The barrier before is a call, too, of whose end nobody need have told.
  EXPECT_THAT(said, Each(AllOf(testing::ContainsRegex("rank 0 waits for rank 1 to tell that call [12] has ended there, "
                                                      "before broadcast \\(call 2[56]\\)"),
                               HasSubstr("; rank 1 is stopped"))));
}

INSTANTIATE_TEST_SUITE_P(A, StoppedBehind,
                         testing::Values(Behind{"Launcher", "exec ", ""}, Behind{"Script", "", "; exit $?"},
                                         Behind{"LauncherWithoutPeerReads", "TUTTI_PEER_READS=0 exec ", ""}),
                         [](const auto& way) { return std::string(way.param.name); });

// ---- Children

/// Who forks, and what its child does.
struct Forking {
  const char* deed;
  const char* child;
  const char* setting;
};

void PrintTo(const Forking& forking, std::ostream* out) {
  *out << forking.deed << " " << forking.child << " " << forking.setting;
}

class Forks : public OddRanks, public testing::WithParamInterface<Forking> {};

/// How the parent sees the child's end.
std::string end_of(const std::string& child) {
  if (child == "throw") return "killed by " + std::to_string(SIGABRT);
  return child == "return" ? "exited with 0" : "exited with 7";
}

/// What three ranks of "fork" say whose children do that.
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
  const auto [deed, child, setting] = GetParam();
  const bool in_threads = std::string(deed) == "fork-threads";
  const std::string trace = folder_ / "trace.json";
  std::vector<std::string> words;
  if (std::string(setting) == "traced") {
    words.push_back("TUTTI_TRACE=" + trace);
  } else if (*setting != '\0') {
    words.emplace_back(setting);
  }
  if (!in_threads) words.insert(words.end(), {TUTTI_COMMAND, "run", "-n", "3"});
  words.insert(words.end(), {TUTTI_ODD_RANKS, deed, child});
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

// Where the system cannot signal a group by a descriptor of its leader, this decides whether the group is the rank's.
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
