/// @file
/// Starts the process of one rank.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tutti::launch {

/// Whom a process listens to beside its launcher.
///
/// A rank leads a process group of its own: what the terminal sends reaches the launcher alone, which forwards it, so
/// that it arrives once; what the launcher sends reaches also what the rank itself has started. But only the foreground
/// group may read a terminal: the rank that reads it stays in the launcher's group and hears the terminal itself.
enum class ProcessGroup { own, launcher };

/// What becomes of a process, as seen by it.
struct ProcessPlan {
  std::vector<std::string> command;      ///< the program, looked for in PATH unless it has a slash, and its arguments
  std::vector<std::string> environment;  ///< "NAME=value", all of them
  int input = 0;                         ///< the descriptors that it gets as standard input, output and error
  int output = 1;
  int error = 2;
  ProcessGroup group = ProcessGroup::own;
  sigset_t mask = {};                 ///< the signals that are blocked in it
  struct sigaction broken_pipe = {};  ///< what SIGPIPE does in it
  std::optional<rlimit> files = {};   ///< how many files it may open; nothing: as many as its launcher
};

/// Starts the process and returns when its program runs. It is killed when the calling thread ends, however that
/// happens; it inherits every descriptor that does not close itself. `tell` gets its number before the program begins:
/// who is to end what the program starts knows of it in time.
/// Throws `Error(invalid_argument)` where there is no such program, and `Error(unsupported)` where no process is to be
/// had.
pid_t start(const ProcessPlan& plan, const std::function<void(pid_t)>& tell);

}  // namespace tutti::launch
