/// @file
/// Ranks as threads of this process.
#pragma once

#include <functional>

#include "tutti/communicator.hpp"
#include "tutti/detail/export.hpp"

namespace tutti {

/// Options of run() and join().
struct RunOptions {
  /// Timeout of the communicator that the ranks are given (Communicator::timeout); 0: the environment's TUTTI_TIMEOUT
  /// in seconds, or else no_timeout. Ranks that are still being started are waited for without a limit.
  Duration timeout = Duration(0);
  /// Whether each rank has a thread of its own that advances asynchronous operations while the rank computes.
  /// The environment's TUTTI_PROGRESS_THREAD=1 asks for it too.
  bool progress_thread = false;
};

/// Calls `rank` on `ranks` threads at once, each with its own Communicator of all of them; returns when all have ended.
///
/// If a rank throws, the others' pending and next calls throw `Error(peer_failed)` that names it, and run() throws what
/// the first failing rank threw. Ranks may outnumber cores. Where the environment's TUTTI_TRACE names a file, the ranks
/// write there what they did when, as a trace for ui.perfetto.dev and `tutti draw --trace`; so do those of world().
/// The first run of 2 to 48 ranks on a machine whose profile does not know what threads cost there lets the command
/// `tutti`, where it is installed, measure that for at most 0.3 s, once; TUTTI_PROFILE=built-in goes without.
/// Throws `Error(invalid_argument)` for fewer than one rank. Cost: that of starting as many threads.
TUTTI_API void run(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options = {});

}  // namespace tutti
