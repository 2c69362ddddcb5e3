/// @file
/// Ends the ranks of a launcher that has died.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "launch/descriptor.hpp"
#include "launch/process.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::launch {

/// A process beside the launcher that waits for its end, in a session of its own, so that what is sent to the
/// launcher's group does not reach it. If the launcher dies with ranks under way, however that happens, it kills them
/// with all that they have started: the system alone would end the launcher's own children, not those behind a script.
///
/// Once the launcher is dead the numbers of its children may be given to others at any time. So the launcher, whose
/// children keep their numbers until it has asked for their ends, hands over a descriptor of each; and a program that
/// has joined as a rank, whose number in its record may be another namespace's, is looked for by its mark.
class Guardian {
 public:
  /// To be made before the ranks, by a process of one thread; the segment outlives it.
  /// Throws `Error(unsupported)` where no process is to be had.
  explicit Guardian(const runtime::Segment& segment);
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;
  /// Returns when the guardian has ended.
  ~Guardian();

  /// The rank runs as that child.
  void add(int rank, pid_t process, ProcessGroup group);
  /// The rank has ended; its number is still its own.
  void remove(int rank) { tell({rank, 0, ProcessGroup::own}, -1); }

 private:
  struct Note {
    int rank;
    pid_t process;
    ProcessGroup group;
  };
  /// Program that runs as a rank.
  struct Target {
    Note note;
    Descriptor process;
  };

  void tell(const Note& note, int descriptor);
  [[noreturn]] static void keep_watch(const runtime::Segment& segment, int notes);
  static bool hear(int notes, Target& target);
  static void end(const Target& target, std::uint64_t ended);

  Descriptor notes_;
  pid_t process_ = 0;
};

/// Clock ticks since the system began, in which it counts when processes began.
std::uint64_t ticks_now();
/// Whether a process of that group began at `latest` or before.
bool has_member(pid_t group, std::uint64_t latest);

}  // namespace tutti::launch
