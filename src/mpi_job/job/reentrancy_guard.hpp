/// @file
/// Reentrancy guard: distinguishes calls of the program from calls made inside MPI or this library.
#pragma once

#include <cstdint>

namespace tutti::interpose {

/// Guard of a thread: while it lives, calls of this thread are MPI's business, unless its frame is left by longjmp, as
/// by an error handler of the program's that MPI has called.
class ReentrancyGuard {
 public:
  ReentrancyGuard() {
    if (depth++ == 0) outermost = reinterpret_cast<std::uintptr_t>(this);
  }
  ReentrancyGuard(const ReentrancyGuard&) = delete;
  ReentrancyGuard& operator=(const ReentrancyGuard&) = delete;
  ~ReentrancyGuard() {
    if (depth > 0) --depth;
  }
  /// Whether the call that came in at the frame `entry` was made within another one. Looks through the frames in
  /// between, microseconds, where it seems so.
  static bool is_reentrant(const void* entry) { return depth > 0 && is_outermost_there(entry); }

 private:
  /// Whether the outermost one's frame is still there. If not, none is.
  static bool is_outermost_there(const void* entry);

  static inline thread_local int depth = 0;
  /// Address of the outermost guard: a number, because the guard's frame may be gone.
  static inline thread_local std::uintptr_t outermost = 0;
};

}  // namespace tutti::interpose
