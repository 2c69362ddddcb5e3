/// @file
/// Process of one rank: its start, long stops, and its end as it is told.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/system/waiting_time.hpp"
#include "base/text/rank_lists.hpp"

namespace tutti::launch {

/// Whom a process listens to beside its launcher.
///
/// A rank leads a process group of its own: what the terminal sends reaches the launcher alone, which forwards it, so
/// that it arrives once; what the launcher sends reaches also what the rank itself has started. But only the foreground
/// group may read a terminal: the rank that reads it stays in the launcher's group and hears the terminal itself.
enum class ProcessGroup { own, launcher };

/// Plan of a process, as seen by it.
struct ProcessPlan {
  std::vector<std::string> command;      ///< the program, looked for in PATH unless it has a slash, and its arguments
  std::vector<std::string> environment;  ///< "NAME=value", all of them
  int input = 0;                         ///< the descriptors that it gets as standard input, output and error
  int output = 1;
  int error = 2;
  ProcessGroup group = ProcessGroup::own;
  sigset_t mask = {};                 ///< the signals that are blocked in it
  struct sigaction broken_pipe = {};  ///< its action for SIGPIPE
  std::optional<rlimit> files = {};   ///< limit of the files that it may open; nothing: its launcher's
};

/// Starts the process and returns when its program runs. It is killed when the calling thread ends, however that
/// happens; it inherits every descriptor that does not close itself. `tell` gets its number before the program begins:
/// who is to end what the program starts knows of it in time.
/// Throws `Error(invalid_argument)` where there is no such program, and `Error(unsupported)` where no process is to be
/// had.
pid_t start(const ProcessPlan& plan, const std::function<void(pid_t)>& tell);

/// The ranks that ended badly after the first one that did. A run of hundreds of ranks ends with hundreds of errors,
/// nearly all of them alike: each is told once, with its ranks.
class Endings {
 public:
  /// The most sentences that are told.
  static constexpr std::size_t most_lines = 8;

  /// A rank ended; `how` continues "rank 2 ": "ended: rank 1 failed: …", "exited with status 3", "was killed by …".
  void add(int rank, const std::string& how) { groups_.add(rank, how); }
  /// One sentence for all ranks with the same `how`, those of most ranks first. What is too much is counted in the
  /// last.
  std::vector<std::string> lines() const;

 private:
  RankGroups groups_;
};

/// A rank that is stopped (SIGSTOP, or output to a terminal that stops who is in the background) ends when somebody
/// continues or kills it, and nobody can tell when. So who waits for its end says, once, that it waits. The time in
/// which the launcher was stopped as well, as by Ctrl-Z, does not count.
class Stops {
 public:
  using Clock = WaitingTime::Clock;

  explicit Stops(std::chrono::duration<double> limit) : limit_(limit) {}

  /// The ranks of `stopped`, which are those that are stopped now, that have been so for the limit; each rank once a
  /// stop. To be called every interval() or more often.
  std::vector<int> look(const std::set<int>& stopped, Clock::time_point now = Clock::now());
  /// Between two looks: short beside the limit.
  std::chrono::nanoseconds interval() const;
  std::chrono::duration<double> limit() const { return limit_; }

 private:
  struct Stop {
    WaitingTime time;
    bool is_told = false;
  };

  std::chrono::duration<double> limit_;
  std::map<int, Stop> stops_;  // by rank
};

}  // namespace tutti::launch
