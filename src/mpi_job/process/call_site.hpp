/// @file
/// Call site of a collective: functions and lines of the program, which TUTTI_MPI_CHECK adds to an error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::interpose {

/// The addresses of the calls that a thread is in, the innermost first.
struct CallFrames {
  /// More than these are some program's recursion.
  static constexpr std::size_t most = 128;
  std::array<std::uintptr_t, most> addresses = {};
  std::size_t count = 0;
  /// Noted by a signal's handler, which the system called in between.
  bool is_of_handler = false;

  /// Returns the frames of the calling thread. Takes no memory and no lock, so that a signal's handler may call it,
  /// once prepare_call_sites() has been called.
  static CallFrames here() noexcept;
};
void prepare_call_sites();

/// The functions that called into this library, or into MPI where the thread is there, the innermost first, one
/// "function (file:line)" each and at most `most`: "sum_up (solver.c:41), main (main.c:12)". What was compiled without
/// -g has its name and place in its file alone. Not in a signal's handler.
std::string call_site(const CallFrames& frames, int most);
}  // namespace tutti::interpose
