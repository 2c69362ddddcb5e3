/// @file
/// Activities of other processes and threads, as activity_of() says them, without disturbing any of them.

#include "transport/processes/activity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "transport/late_after.hpp"
#include "transport/processes/python_line.hpp"

namespace tutti::runtime {

/// Has a symbol, by which it is found.
__attribute__((noinline)) void compute_until(const std::atomic<int>& end);
void compute_until(const std::atomic<int>& end) {
  while (end.load(std::memory_order_relaxed) == 0) continue;
}

namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Memory that a child and its parent share.
struct Shared {
  std::atomic<int> is_there = 0;
  std::atomic<int> is_over = 0;
  std::atomic<int> interruptions = 0;
};

Shared& shared() {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return *new (memory) Shared;
}

pid_t child_that(const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    act();
    _exit(0);
  }
  return child;
}

std::string activity_until(pid_t process, const std::string& begin) {
  std::string said;
  do {
    said = activity_of(process, process);
  } while (!said.starts_with(begin));
  return said;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(Activity, OfAProcessThatSleepsIsToldAndGoesOn) {
  Shared& both = shared();
  // poll() is cut short by any signal, and after a halt that is one.
  const pid_t child = child_that([&] {
    both.is_there = 1;
    while (both.is_over == 0) {
      if (poll(nullptr, 0, 20) < 0) ++both.interruptions;
    }
  });
  const std::string said = activity_until(child, "sleeps");
  for (int k = 0; k < 200; ++k) activity_of(child, child);
  both.is_over = 1;
  waitpid(child, nullptr, 0);
  EXPECT_THAT(said, AnyOf("sleeps", HasSubstr("poll")));
  EXPECT_EQ(both.interruptions, 0);
}

// A process is said to compute, without its function, if the system lets nobody halt another one.
TEST(Activity, OfAProcessThatComputesNamesItsFunction) {
  Shared& both = shared();
  const pid_t child = child_that([&] { compute_until(both.is_over); });
  const std::string said = activity_until(child, "computes");
  std::string named = said;
  for (int k = 0; k < 100 && named.find("compute_until") == std::string::npos; ++k) named = activity_of(child, child);
  end(child);
  EXPECT_THAT(named, AnyOf("computes", "computes, in tutti::runtime::compute_until"));
}

TEST(Activity, OfAProcessThatIsStoppedIsThat) {
  const pid_t child = child_that([] {
    for (;;) pause();
  });
  kill(child, SIGSTOP);
  EXPECT_EQ(activity_until(child, "is stopped"), "is stopped");
  kill(child, SIGCONT);
  EXPECT_THAT(activity_until(child, "sleeps"), StartsWith("sleeps"));
  end(child);
}

TEST(Activity, OfAProcessThatIsGoneIsNone) {
  const pid_t child = child_that([] {});
  waitpid(child, nullptr, 0);
  EXPECT_EQ(activity_of(child, child), "");
}

constexpr char stack_of_python[] =
    "Current thread 0x00007f (most recent call first):\n"
    "  File \"/home/me/my, line 3 in.py\", line 12 in step\n"
    "  File \"/home/me/train.py\", line 40 in <module>\n";
int file_of_stack = -1;

/// Makes the file to which a process of Python writes its stack, and has it written at the signal.
void write_stack_at(int signal) {
  file_of_stack = memfd_create((std::string(python_stack_file) + std::to_string(signal)).c_str(), MFD_CLOEXEC);
  struct sigaction action = {};
  action.sa_flags = SA_RESTART;
  action.sa_handler = [](int) {
    const auto written = write(file_of_stack, stack_of_python, sizeof(stack_of_python) - 1);
    if (written < 0) _exit(1);
  };
  sigaction(signal, &action, nullptr);
}

TEST(Activity, OfAProcessOfPythonNamesItsLine) {
  Shared& both = shared();
  const pid_t child = child_that([&] {
    write_stack_at(SIGRTMAX - 1);
    both.is_there = 1;
    for (;;) pause();
  });
  while (both.is_there == 0) std::this_thread::yield();
  for (int k = 0; k < 3; ++k) EXPECT_THAT(activity_of(child, child), EndsWith(" step (my, line 3 in.py:12)"));
  end(child);
}

// A process ends by a signal that it does not handle: it is not sent.
TEST(Activity, OfAProcessThatDoesNotHandleTheSignalIsAsOfAnyOther) {
  Shared& both = shared();
  const pid_t child = child_that([&] {
    write_stack_at(SIGRTMAX - 1);
    signal(SIGRTMAX - 1, SIG_DFL);
    both.is_there = 1;
    while (both.is_over == 0) poll(nullptr, 0, 1);
    _exit(7);
  });
  while (both.is_there == 0) std::this_thread::yield();
  EXPECT_THAT(activity_of(child, child), Not(HasSubstr("step")));
  both.is_over = 1;
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

TEST(PythonLine, IsTheInnermostOneOfAStackThatIsWhole) {
  const std::string stack = stack_of_python;
  EXPECT_EQ(innermost_python_line(stack), "step (my, line 3 in.py:12)");
  EXPECT_EQ(innermost_python_line(stack.substr(0, stack.find("step") + 2)), "") << "the line has no end yet";
  EXPECT_EQ(innermost_python_line("Current thread 0x00007f (most recent call first):\n  <no Python frame>\n"), "");
  EXPECT_EQ(innermost_python_line("Stack (most recent call first):\n  File \"a.py\", line 12\n"), "");
  const std::string within_another = "  File \"b.py\", line 3 in main\n";
  EXPECT_EQ(innermost_python_line(within_another), "");
  EXPECT_EQ(innermost_python_line(within_another + stack), "step (my, line 3 in.py:12)");
  EXPECT_EQ(innermost_python_line(""), "");
}

// Its halt is told to nobody who waits for children of this process.
TEST(Activity, OfAThreadOfThisProcessIsToldToNoWaiter) {
  std::atomic<int> end = 0;
  std::atomic<pid_t> thread = 0;
  std::thread computes([&] {
    thread = gettid();
    compute_until(end);
  });
  while (thread == 0) std::this_thread::yield();
  const std::string said = activity_of(getpid(), thread);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  end = 1;
  computes.join();
  EXPECT_THAT(said, StartsWith("computes"));
}

TEST(LateMoments, ComeOnceEachAndTwiceAsLate) {
  LateMoments late(std::chrono::duration<double>(30));
  const auto seconds = [](double time) { return std::chrono::duration<double>(time); };
  std::vector<int> taken;
  for (int time = 0; time < 500; ++time) {
    if (late.take(seconds(time))) taken.push_back(time);
  }
  EXPECT_EQ(taken, (std::vector<int>{30, 60, 120, 240, 480}));
  LateMoments asleep(seconds(30));
  EXPECT_TRUE(asleep.take(seconds(200)));
  EXPECT_FALSE(asleep.take(seconds(239)));
  LateMoments silent(no_limit);
  EXPECT_FALSE(silent.take(seconds(1e9)));
}

}  // namespace
}  // namespace tutti::runtime
