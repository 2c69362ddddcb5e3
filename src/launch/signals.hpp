/// @file
/// Signals as events that a loop takes one by one.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace tutti::launch {

/// A signal that has arrived.
struct Arrived {
  int number = 0;
  bool from_terminal = false;  ///< so the whole foreground group has got it, not this process alone
};

/// While it lives, the signals that a launcher forwards, SIGTSTP and SIGCHLD wait until they are taken. What this
/// process was started to ignore, as by nohup, stays ignored. SIGPIPE is ignored meanwhile: a run goes on where nobody
/// reads what its launcher says. For one thread, before there are others.
class Signals {
 public:
  Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

  /// The next signal; nothing where none comes within the time.
  std::optional<Arrived> next(std::chrono::nanoseconds time) const;

  /// Returns the mask of before: a new process starts with it.
  const sigset_t& mask_before() const { return before_; }

  /// Returns the action for SIGPIPE of before: a new process has it.
  const struct sigaction& broken_pipe_before() const { return broken_pipe_before_; }

  /// Stops this process as SIGTSTP does, and returns when it goes on.
  static void stop_here();

 private:
  sigset_t taken_ = {};
  sigset_t before_ = {};
  struct sigaction broken_pipe_before_ = {};
};

}  // namespace tutti::launch
