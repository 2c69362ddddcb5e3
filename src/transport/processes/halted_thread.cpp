#include "transport/processes/halted_thread.hpp"

#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>

namespace tutti::runtime {
namespace {

#if defined(__SANITIZE_THREAD__)
#define TUTTI_THREADS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TUTTI_THREADS_ARE_WATCHED 1
#endif
#endif
#ifdef TUTTI_THREADS_ARE_WATCHED
/// The sanitizer follows each thread, and knows none that is a process.
constexpr bool may_ask = false;
#else
constexpr bool may_ask = true;
#endif

struct Question {
  pid_t thread = 0;
  std::uint64_t address = 0;
  bool is_known = false;
};

bool read_address(Question& question) {
#if defined(__x86_64__) || defined(__aarch64__)
  user_regs_struct registers{};
  iovec place{&registers, sizeof(registers)};
  if (ptrace(PTRACE_GETREGSET, question.thread, NT_PRSTATUS, &place) != 0) return false;
#if defined(__x86_64__)
  question.address = registers.rip;
#else
  question.address = registers.pc;
#endif
  return true;
#else
  static_cast<void>(question);
  return false;
#endif
}

/// Whether the thread has come to a halt, within a tenth of a second.
bool has_halted(pid_t thread) {
  constexpr timespec nap{0, 100'000};
  for (int looks = 0; looks < 1000; ++looks) {
    int status = 0;
    const pid_t found = waitpid(thread, &status, __WALL | WNOHANG);
    if (found == thread) return WIFSTOPPED(status);
    if (found < 0 && errno != EINTR) return false;
    nanosleep(&nap, nullptr);
  }
  return false;
}

/// In the process that asks. Its end lets the thread go, whatever has become of the halt.
int ask(void* argument) {
  Question& question = *static_cast<Question*>(argument);
  if (ptrace(PTRACE_SEIZE, question.thread, nullptr, nullptr) != 0) return 0;
  if (ptrace(PTRACE_INTERRUPT, question.thread, nullptr, nullptr) == 0 && has_halted(question.thread))
    question.is_known = read_address(question);
  ptrace(PTRACE_DETACH, question.thread, nullptr, nullptr);
  return 0;
}

}  // namespace

// A process of its own asks, because the system tells the end of each halt to the process that has asked for it, by a
// signal (SIGCHLD) and to whoever waits for children, and the program may do either. That process shares this one's
// memory, as one made by vfork() does, while this thread sleeps, and its end is told to nobody else: it has no signal.
std::optional<std::uint64_t> address_of_running(pid_t thread) {
  if (!may_ask) return std::nullopt;
  constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  const std::unique_ptr<std::byte[]> stack(new std::byte[stack_bytes]);
  Question question{.thread = thread};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of the program's runs in that process
  const pid_t asking = clone(ask, stack.get() + stack_bytes, CLONE_VM | CLONE_VFORK, &question);
  if (asking > 0) {
    while (waitpid(asking, nullptr, __WALL) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return question.is_known ? std::optional(question.address) : std::nullopt;
}

}  // namespace tutti::runtime
