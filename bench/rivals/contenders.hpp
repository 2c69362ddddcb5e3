/// @file
/// Contenders of a measurement, and their commands.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/cell.hpp"

namespace tutti::bench {

enum class Contender { tutti_processes, tutti_threads, open_mpi, mpich, gloo };

inline constexpr Contender contenders[] = {Contender::tutti_processes, Contender::open_mpi, Contender::mpich,
                                           Contender::tutti_threads, Contender::gloo};

/// "Open MPI", for people.
std::string_view title_of(Contender contender);

/// A contender's work: one collective at several sizes on so many ranks.
struct Task {
  Contender contender;
  Collective collective;
  int ranks = 2;
  std::vector<std::int64_t> sizes;
  std::string seconds;  ///< at most, for each size: "0.3"
  bool single = false;  ///< each call by itself, and not in a row of calls

  /// The command, as a shell takes it; empty where the contender's program is not built.
  std::string command() const;
};

/// Median microseconds of a call.
struct Medians {
  double changing = 0;          ///< with buffers that change from call to call
  double warm = 0;              ///< with the same buffers for all calls
  double least = 0;             ///< the least instead of the median, with buffers that change
  std::optional<double> fresh;  ///< with memory that the call has for itself; nothing for short messages
};

/// Returns the figures that a task's command printed, by size. Throws `Error` if it failed or printed something else.
std::map<std::int64_t, Medians> run(const std::string& command);

}  // namespace tutti::bench
