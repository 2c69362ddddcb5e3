/// @file
/// Ranks that live in namespaces, change their rights, free buffers too early or are stopped: what they compute is
/// right, or an error names the cause.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "support/launchers.hpp"
#include "tutti/detail/limits.hpp"
#include "tutti/error.hpp"
#include "unit/runtime/odd_ranks.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

/// Way to give a program namespaces of its own, and whether it is permitted.
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

// The program catches that, and its rank stays: the others hear of it all the same.
TEST_F(OddRanks, HearWhyOneHasNoWorld) {
  const Ran ran = odd(3, {}, "go-without-thread");
  if (ran.status == 77) GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_THAT(lines_of(ran.out), Each(HasSubstr("rank 1 failed: no thread to be had")));
  EXPECT_THAT(ran.out, HasSubstr("rank"));
}

TEST_F(OddRanks, HearThatOneHasAnOddSetting) {
  const Ran ran = odd(3, {}, "go-with-odd-setting");
  EXPECT_THAT(lines_of(ran.out), Each(HasSubstr("rank 1 failed: TUTTI_PEER_READS is 'maybe'")));
  EXPECT_THAT(ran.out, HasSubstr("rank"));
}

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

/// Returns the sentences of all ranks, which are alike but for the rank that says them.
std::vector<std::string> sentences(const Ran& ran) {
  std::vector<std::string> all;
  for (const std::string& line : lines_of(ran.out)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("rank ") && colon != std::string::npos) all.push_back(line.substr(colon + 2));
  }
  return all;
}

std::string code_of(ErrorCode code) { return std::to_string(static_cast<int>(code)); }

// In a heap that ranks share, memory is read without asking.
TEST_F(OddRanks, WhoHideTheirMemoryAreNamedToAll) {
  for (const char* scenario : {"hidden", "other-user"}) {
    SCOPED_TRACE(scenario);
    setenv("TUTTI_HEAP", "0", 1);
    const Ran ran = odd(3, {}, scenario);
    unsetenv("TUTTI_HEAP");
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
  Running start_odd(int ranks, const std::string& scenario) {
    setenv("TUTTI_TIMEOUT", "4", 1);  // for machines that have other things to do
    Running running = start(ranks, leave_process + "exec " TUTTI_ODD_RANKS " " + scenario + " $DIR");
    unsetenv("TUTTI_TIMEOUT");
    for (int rank = 0; rank < ranks; ++rank) wait_for({"ready." + std::to_string(rank)});
    return running;
  }
  void signal_rank(int rank, int number) { kill(std::stoi(process_in("process." + std::to_string(rank))), number); }
};

TEST_F(Stopped, ForLongerThanTheTimeoutTheyGoOn) {
  for (const char* scenario : {"go-on", "wait-for-one"}) {
    SCOPED_TRACE(scenario);
    Running running = start_odd(3, scenario);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that they wait
    kill(running.process(), SIGTSTP);
    int status = 0;
    ASSERT_EQ(waitpid(running.process(), &status, WUNTRACED), running.process());
    ASSERT_TRUE(WIFSTOPPED(status));
    std::this_thread::sleep_for(std::chrono::milliseconds(4800));  // longer than the timeout
    make("end");  // before they run on: what counts is the time that has passed
    kill(running.process(), SIGCONT);
    const Ran ran = running.wait();
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("rank 0: well", "rank 1: well", "rank 2: well")) << ran.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove(entry.path());
  }
}

// A rank that is stopped may go on: without a limit the others wait for it, and say so.
TEST_F(Stopped, AloneARankIsWaitedForWithoutATimeout) {
  setenv("TUTTI_LATE_AFTER", "0.3", 1);
  Running running = start(3, leave_process + "exec " TUTTI_ODD_RANKS " go-on $DIR");
  unsetenv("TUTTI_LATE_AFTER");
  for (int rank = 0; rank < 3; ++rank) wait_for({"ready." + std::to_string(rank)});
  signal_rank(1, SIGSTOP);
  const auto has = [&](const std::string& words) { return running.errors().find(words) != std::string::npos; };
  wait_until([&] { return has("rank 1 (process " + process_in("process.1") + ") is stopped"); });
  wait_until([&] { return has("tutti run: rank 1 has been stopped for 0.3 s; this run waits, because "); });
  make("end");
  signal_rank(1, SIGCONT);
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("rank 0: well", "rank 1: well", "rank 2: well")) << ran.err;
}

/// Starts ranks that wait for rank 0, which comes once that is told. All end well.
class Late : public OddRanks {
 protected:
  void expect_told(std::vector<std::string> launcher, const std::string& program = "exec " TUTTI_ODD_RANKS) {
    const std::string line = program + " wait-for-one $DIR";
    launcher.insert(launcher.end(), {"-n", "3", "/bin/sh", "-c", line});
    launcher.insert(launcher.begin(), "TUTTI_LATE_AFTER=0.3");
    Running running("/usr/bin/env", launcher);
    wait_until([&] { return running.errors().find("; rank 0") != std::string::npos; });
    make("end");
    const Ran ran = running.wait();
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.err, testing::ContainsRegex("tutti: no progress for [0-9.]+ s: ranks? [12].* for rank 0 to enter "
                                                "barrier \\(call 1\\); rank 0 \\(process [0-9]+\\) "
                                                "(sleeps|computes)(, in [^;]*)?, and has called nothing here yet; the "
                                                "wait goes on \\(TUTTI_TIMEOUT=T"));
    EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("rank 0: well", "rank 1: well", "rank 2: well")) << ran.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove(entry.path());
  }
};

TEST_F(Late, ARankIsWaitedForUnderTuttiRun) { expect_told({TUTTI_COMMAND, "run"}); }

TEST_F(Late, ARankIsWaitedForUnderAnMpirun) {
  for (const Launcher& launcher : launchers_in(TUTTI_LAUNCHERS)) {
    SCOPED_TRACE(launcher.name);
    if (launcher.name.ends_with("_host")) expect_told(launcher.command);
  }
}

// An mpirun waits for a rank that is stopped, after all others have ended by an error that says so.
TEST_F(Late, ARankThatIsStoppedUnderAnMpirunIsNamedWithWhatHelps) {
  for (const Launcher& launcher : launchers_in(TUTTI_LAUNCHERS)) {
    if (!launcher.name.ends_with("_host")) continue;
    SCOPED_TRACE(launcher.name);
    std::vector<std::string> words{"TUTTI_TIMEOUT=2"};
    words.insert(words.end(), launcher.command.begin(), launcher.command.end());
    words.insert(words.end(), {"-n", "3", TUTTI_ODD_RANKS, "run-ahead"});
    Running running("/usr/bin/env", words);
    const std::string begin = "; rank 1 is stopped (the job lasts until it has ended: 'kill -CONT ";
    wait_until([&] { return running.output().find(begin) != std::string::npos; });
    const std::string told = running.output();
    const int process = std::stoi(told.substr(told.find(begin) + begin.size()));
    EXPECT_THAT(told, HasSubstr("' continues it, 'kill -KILL " + std::to_string(process) + "' ends it)"));
    kill(process, SIGCONT);
    running.wait();
  }
}

TEST_F(Stopped, AloneARankIsNamedByTheOthers) {
  Running running = start_odd(3, "go-on");
  signal_rank(1, SIGSTOP);
  // The others end by an error, the launcher ends the stopped one.
  const Ran ran = running.wait();
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("rank 1"));
  EXPECT_THAT(ran.out, HasSubstr("no progress for 4 s"));
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

/// Way to start a rank's program, and what may be known of it.
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
  setenv("TUTTI_TIMEOUT", "2", 1);
  Running running = start(3, leave_process + before + TUTTI_ODD_RANKS " run-ahead" + after);
  unsetenv("TUTTI_TIMEOUT");
  // The others come to their ends, and the launcher waits.
  wait_until([&] { return lines_of(running.output()).size() == 2 && running.errors().ends_with("\n"); });
  kill(-std::stoi(process_in("process.1")), SIGCONT);
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, StartsWith("tutti run: rank 1 has been stopped for 2 s; this run waits, because "));
  EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
  const std::vector<std::string> said = sentences(ran);
  ASSERT_EQ(said.size(), 3U) << ran.out;
  // The barrier before is a call, too, of whose end nobody need have told.
  const std::string waits =
      fmt::format("rank 0 waits for rank 1 to tell that call [12] has ended there, before broadcast \\(call ({}|{})\\)",
                  most_collectives_ahead + 1, most_collectives_ahead + 2);
  EXPECT_THAT(said, Each(AllOf(testing::ContainsRegex(waits), HasSubstr("; rank 1 is stopped"))));
}

INSTANTIATE_TEST_SUITE_P(A, StoppedBehind,
                         testing::Values(Behind{"Launcher", "exec ", ""}, Behind{"Script", "", "; exit $?"},
                                         Behind{"LauncherWithoutPeerReads", "TUTTI_PEER_READS=0 exec ", ""}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tutti::test
