/// @file
/// `tutti run`: signals, terminals, and the launcher's own end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/child.hpp"
#include "support/rank_shells.hpp"
#include "support/refuse_call.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

TEST_F(RunCommand, ForwardsSignalsToAllRanks) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    const std::string number = std::to_string(signal);
    Running running = start(3, "trap 'echo got " + number + "; exit 0' " + number + "; touch $DIR/ready.$R." + number +
                                   "; while :; do sleep 0.02; done");
    wait_for({"ready.0." + number, "ready.1." + number, "ready.2." + number});
    kill(running.process(), signal);
    const Ran ran = running.wait();
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(lines_of(ran.out), testing::ElementsAre("got " + number, "got " + number, "got " + number));
  }
}

TEST_F(RunCommand, EndsAsItsRanksDoWhenItIsInterrupted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running = start(2, "touch $DIR/ready.$R." + std::to_string(signal) + "; exec sleep 1000");
    wait_for({"ready.0." + std::to_string(signal), "ready.1." + std::to_string(signal)});
    kill(running.process(), signal);
    const Ran ran = running.wait();
    EXPECT_THAT(ran.err, HasSubstr(signal == SIGINT ? "(SIGINT)" : "(SIGTERM)"));
    EXPECT_EQ(ran.signal, signal == SIGINT ? SIGINT : 0);
    EXPECT_EQ(ran.status, signal == SIGINT ? -1 : 128 + SIGTERM);
  }
}

volatile std::sig_atomic_t arrived = 0;

// Counts how often a signal reaches a rank, until it is told to stop. No shell: those merge signals that follow
// closely.
void count(int signal) {
  const std::filesystem::path folder = std::getenv("COUNT_IN");
  const std::string rank = std::getenv("TUTTI_RANK");
  std::signal(signal, [](int) { arrived = arrived + 1; });
  std::ofstream(folder / ("ready." + rank)) << "";
  int told = 0;
  wait_until([&] {
    while (told < arrived) std::ofstream(folder / ("got." + rank + "." + std::to_string(++told))) << "";
    return std::filesystem::exists(folder / "stop");
  });
  std::ofstream(folder / ("count." + rank)) << arrived;
}

// The arguments of `tutti run` for ranks that run this test, to count there.
std::vector<std::string> counters(int ranks, const std::filesystem::path& folder, const std::string& test) {
  setenv("COUNT_IN", folder.c_str(), 1);
  return {"run", "-n", std::to_string(ranks), std::filesystem::read_symlink("/proc/self/exe"),
          "--gtest_filter=" + test};
}

TEST_F(RunCommand, IgnoresWhatItWasStartedToIgnore) {
  if (std::getenv("TUTTI_RANK")) return count(SIGHUP);
  std::vector<std::string> arguments{"-c", "trap '' HUP; exec " TUTTI_COMMAND " \"$@\"", "sh"};
  for (const std::string& word : counters(2, folder_, "RunCommand.IgnoresWhatItWasStartedToIgnore"))
    arguments.push_back(word);
  Running running("/bin/sh", arguments);
  wait_for({"ready.0", "ready.1"});
  kill(running.process(), SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // for what should not come
  make("stop");
  EXPECT_EQ(running.wait().status, 0);
  EXPECT_EQ(content("count.0") + content("count.1"), "00");
}

TEST_F(RunCommand, StopsAndContinuesWithItsRanks) {
  Running running = start(2, leave_process + "exec sleep 1000");
  wait_for({"process.0", "process.1"});
  const auto wait_for_state = [&](char state) {
    for (const char* name : {"process.0", "process.1"}) wait_until([&] { return state_of(process_in(name)) == state; });
  };
  kill(running.process(), SIGTSTP);
  int status = 0;
  ASSERT_EQ(waitpid(running.process(), &status, WUNTRACED), running.process());
  ASSERT_TRUE(WIFSTOPPED(status));
  wait_for_state('T');
  kill(running.process(), SIGCONT);
  wait_for_state('S');
  kill(running.process(), SIGTERM);
  EXPECT_EQ(running.wait().status, 128 + SIGTERM);
}

// Nobody can tell when a rank goes on that was stopped after its last call.
TEST_F(RunCommand, SaysOnceThatItWaitsForARankThatIsStopped) {
  setenv("TUTTI_TIMEOUT", "0.3", 1);
  Running running = start(3, leave_process + "[ $R = 1 ] && kill -STOP $$; exit 0");
  unsetenv("TUTTI_TIMEOUT");
  wait_until([&] { return running.errors().ends_with("\n"); });
  wait_for({"process.1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(400));  // for what should not come
  kill(std::stoi(process_in("process.1")), SIGCONT);
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0);
  const std::string group = "-" + process_in("process.1");
  EXPECT_EQ(ran.err,
            "tutti run: rank 1 has been stopped for 0.3 s; this run waits, because what is stopped may go on: "
            "'kill -CONT " +
                group + "' continues it, 'kill -KILL " + group + "' ends it\n");
}

// A terminal with `tutti run` in its foreground.
class OnTerminal : public RunCommand {
 protected:
  void start_on_terminal(const std::vector<std::string>& arguments) {
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    ASSERT_GE(process_, 0);
    if (process_ != 0) return;
    std::vector<char*> argv{const_cast<char*>(TUTTI_COMMAND)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  void type(const std::string& text) const {
    ASSERT_EQ(write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int status() const {
    int status = 0;
    waitpid(process_, &status, 0);
    close(terminal_);
    return status;
  }

  int terminal_ = -1;
  pid_t process_ = 0;
};

TEST_F(OnTerminal, AnInterruptReachesEveryRankOnce) {
  if (std::getenv("TUTTI_RANK")) return count(SIGINT);
  start_on_terminal(counters(3, folder_, "OnTerminal.AnInterruptReachesEveryRankOnce"));
  wait_for({"ready.0", "ready.1", "ready.2"});
  // Several times, because signals that follow too closely count as one.
  for (const char* time : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    type("\x03");
    for (const char* rank : {"got.0.", "got.1.", "got.2."}) wait_for({std::string(rank) + time});
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // for what should not come
  make("stop");
  EXPECT_EQ(status(), 0);
  EXPECT_EQ(content("count.0") + content("count.1") + content("count.2"), "888");
}

TEST_F(OnTerminal, RankZeroReadsIt) {
  start_on_terminal(words(2, "[ $R = 0 ] && read line && echo $line > $DIR/line; exit 0"));
  type("hello\n");
  EXPECT_EQ(status(), 0);
  EXPECT_EQ(content("line"), "hello\n");
}

TEST_F(RunCommand, RanksDoNotOutliveTheirLauncher) {
  Running running = start(4, leave_process + "exec sleep 1000");
  wait_for({"process.0", "process.1", "process.2", "process.3"});
  kill(running.process(), SIGKILL);
  EXPECT_EQ(running.wait().signal, SIGKILL);
  for (int rank = 0; rank < 4; ++rank)
    wait_until([&] { return state_of(process_in("process." + std::to_string(rank))) == 'X'; });
}

// The system kills the launcher's own children; what those have started is left to the guardian.
TEST_F(RunCommand, WhatRanksHaveStartedDoesNotOutliveTheirLauncher) {
  Running running = start(2, "sleep 1000 & echo $! > $DIR/started.$R; mv $DIR/started.$R $DIR/child.$R; wait");
  wait_for({"child.0", "child.1"});
  kill(running.process(), SIGKILL);
  EXPECT_EQ(running.wait().signal, SIGKILL);
  for (const char* name : {"child.0", "child.1"}) wait_until([&] { return state_of(process_in(name)) == 'X'; });
}

// Whoever stops all that runs a program may forget the guardian, which has a session of its own.
TEST_F(RunCommand, EndsAlsoWhereItsGuardianIsStopped) {
  const Ran ran = run(1,
                      "while [ -z \"$guardian\" ]; do for child in $(cat /proc/$PPID/task/$PPID/children); do "
                      "grep -qx tutti-guardian /proc/$child/comm && guardian=$child; done; done; kill -STOP $guardian");
  EXPECT_EQ(ran.status, 0) << ran.err;
}

/// A system that lacks a call.
struct OldSystem {
  const char* name;
  RefusedCall lacks;
};

void PrintTo(const OldSystem& system, std::ostream* out) { *out << system.name; }

class OnOldSystems : public RunCommand, public testing::WithParamInterface<OldSystem> {};

// Groups are found by their number and the time at which their processes began, where no descriptor stands for them.
TEST_P(OnOldSystems, WhatRanksHaveStartedDoesNotOutliveTheirLauncher) {
  const std::string answer = in_child([&]() -> std::string {
    if (!refuse_call(GetParam().lacks)) return "not allowed";
    Running running = start(2, "sleep 1000 & echo $! > $DIR/started.$R; mv $DIR/started.$R $DIR/child.$R; wait");
    wait_for({"child.0", "child.1"});
    kill(running.process(), SIGKILL);
    running.wait();
    for (const char* name : {"child.0", "child.1"}) wait_until([&] { return state_of(process_in(name)) == 'X'; });
    return "ended";
  });
  if (answer == "not allowed") GTEST_SKIP() << "no system calls may be refused here";
  EXPECT_EQ(answer, "ended");
}

INSTANTIATE_TEST_SUITE_P(Before, OnOldSystems,
                         testing::Values(OldSystem{"Linux_6_9", {SYS_pidfd_send_signal, EINVAL, 3, 1U << 2, true}},
                                         OldSystem{"Linux_5_3", {.call = SYS_pidfd_open, .error = ENOSYS}}),
                         [](const auto& system) { return std::string(system.param.name); });

// A rank that has joined is found even where a program between has put it into a session of its own.
TEST_F(RunCommand, RanksInOtherSessionsDoNotOutliveTheirLauncher) {
  if (const auto segment = runtime::Segment::inherited()) {
    const std::string name = "process." + std::to_string(segment->rank());
    const std::filesystem::path folder = std::getenv("COUNT_IN");
    TearDown();  // nobody does so once this is killed
    std::ofstream(folder / ("new." + name)) << getpid() << "\n";
    std::filesystem::rename(folder / ("new." + name), folder / name);
    for (;;) pause();
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  setenv("COUNT_IN", folder_.c_str(), 1);
  Running running = start(
      2, "setsid --wait " + self + " --gtest_filter=RunCommand.RanksInOtherSessionsDoNotOutliveTheirLauncher; exit 0");
  wait_for({"process.0", "process.1"});
  kill(running.process(), SIGKILL);
  EXPECT_EQ(running.wait().signal, SIGKILL);
  for (const char* name : {"process.0", "process.1"}) wait_until([&] { return state_of(process_in(name)) == 'X'; });
}

}  // namespace
}  // namespace tutti::test
