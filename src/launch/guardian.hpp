/// @file
/// Ends the ranks of a launcher that has died.
#pragma once

#include <sys/types.h>

#include "launch/descriptor.hpp"
#include "launch/process.hpp"
#include "runtime/transport/processes/segment.hpp"

namespace tutti::launch {

/// A process beside the launcher that waits for its end, in a session of its own, so that what is sent to the
/// launcher's group does not reach it. If the launcher dies with ranks under way, however that happens, it kills them
/// with all that they have started: the system alone would end the launcher's own children, not those behind a script.
class Guardian {
 public:
  /// To be made before the ranks, by a process of one thread; the segment outlives it.
  /// Throws `Error(unsupported)` where no process is to be had.
  explicit Guardian(const runtime::Segment& segment);
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;
  /// Returns when the guardian has ended.
  ~Guardian();

  /// The rank runs as that process.
  void add(int rank, pid_t process, ProcessGroup group) { tell({rank, process, group}); }
  /// The rank has ended.
  void remove(int rank) { tell({rank, 0, ProcessGroup::own}); }

 private:
  struct Note {
    int rank;
    pid_t process;
    ProcessGroup group;
  };

  void tell(const Note& note);
  [[noreturn]] static void keep_watch(const runtime::Segment& segment, int notes);

  Pipe notes_;
  pid_t process_ = 0;
};

}  // namespace tutti::launch
