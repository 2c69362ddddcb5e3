/// @file
/// Runs the ranks of a program as processes on this machine.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "launch/preloads.hpp"

namespace tutti::launch {

struct LaunchedJob {
  int ranks = 1;
  std::vector<std::string> command;      ///< the program and its arguments, the same for every rank
  Heap heap = Heap::shared;              ///< whether ranks share their heaps; one alone has nobody to share with
  bool label = false;                    ///< whether each line that rank r prints begins with "[r] "
  std::chrono::milliseconds grace{500};  ///< time that the others have, after the first failure, to end by themselves
};

/// Ending of a run.
struct Ending {
  int status = 0;  ///< status of the rank that failed first, 128 + n if signal n killed it; 0: all ranks succeeded
  bool interrupted = false;  ///< SIGINT was sent to this process, and that rank died of it
};

/// Starts all ranks, joined by a segment of shared memory, and returns when all have ended.
///
/// Rank 0 reads this process's standard input, the others have none. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2
/// and SIGTSTP are forwarded to all ranks. When a rank exits with another status than 0 or is killed, its record in the
/// segment says so at once, `report` gets a line, and the others have the job's grace; then they get SIGTERM,
/// and SIGKILL soon after. The first line and the status are those of the rank that failed first, also where others end
/// earlier because of it: the report waits for that rank until the grace is over. If this process dies, the ranks are
/// killed with all that they have started.
///
/// To be called by the main thread of a process that has no others and no other children.
/// Throws `Error(invalid_argument)` for a number of ranks that no segment has, or a program that cannot be started, and
/// `Error(unsupported)` where the machine has no shared memory or no processes left: no rank runs then.
/// Throws `Error(invalid_argument)` after the run where labelled output could not be written and no rank has failed.
Ending launch(const LaunchedJob& job, const std::function<void(const std::string&)>& report);

}  // namespace tutti::launch
