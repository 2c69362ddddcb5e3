/// @file
/// The one file that all ranks of a run write their traces to.
#pragma once

#include <string>
#include <string_view>

#include "base/check.hpp"

namespace tutti::runtime {

/// The name of a trace's file is wrong, which all ranks of a host find alike.
class WrongTraceName : public Error {
 public:
  using Error::Error;
};

/// Appends events, as timeline::events_of makes them, to the trace in the file, which is a whole JSON array whenever no
/// writer holds its lock (flock). Writers of different processes, of this machine or of one that locks the same file,
/// take turns. A trace that was begun before this process is that of an earlier run, and is replaced. What a writer
/// that was killed left half written is cut off. Throws `WrongTraceName` where the file is something else, such as a
/// pipe or a device, or cannot be opened, and `Error(invalid_argument)` with the system's reason where it cannot be
/// written; then it holds the events that it held, but for an earlier run's.
void append_to_trace(const std::string& file, std::string_view events);

}  // namespace tutti::runtime
