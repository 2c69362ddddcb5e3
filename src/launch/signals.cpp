#include "launch/signals.hpp"

#include <algorithm>

namespace tutti::launch {
namespace {

bool is_ignored(int number) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals() {
  sigemptyset(&taken_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP}) {
    if (!is_ignored(number)) sigaddset(&taken_, number);
  }
  // A parent that ignores its children's ends makes them vanish unseen, and its children inherit that.
  signal(SIGCHLD, SIG_DFL);
  sigaddset(&taken_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &taken_, &before_);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &broken_pipe_before_);
}

Signals::~Signals() {
  sigaction(SIGPIPE, &broken_pipe_before_, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<Arrived> Signals::next(std::chrono::nanoseconds time) const {
  siginfo_t info = {};
  const std::chrono::nanoseconds left = std::max(time, std::chrono::nanoseconds(0));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec limit{seconds.count(), (left - seconds).count()};
  const int number = sigtimedwait(&taken_, &info, &limit);
  if (number < 0) return std::nullopt;
  return Arrived{number, info.si_code == SI_KERNEL};
}

void Signals::stop_here() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);  // the signal arrives here
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace tutti::launch
