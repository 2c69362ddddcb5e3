/// @file
/// Whose business a call is: the program's, or MPI's and our own.
#pragma once

namespace tutti::interpose {

/// While it lives, what this thread calls is MPI's business: unless its frame is left by longjmp, as by an error
/// handler of the program's that MPI has called.
class Inside {
 public:
  Inside() {
    if (depth++ == 0) outermost = this;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    if (depth > 0) --depth;
  }
  /// Whether the call that came in at the frame `entry` was made within another one. Looks through the frames in
  /// between, microseconds, where it seems so.
  static bool is_so(const void* entry) { return depth > 0 && is_outermost_there(entry); }

 private:
  /// Whether the outermost one's frame is still there. If not, none is.
  static bool is_outermost_there(const void* entry);

  static inline thread_local int depth = 0;
  static inline thread_local const void* outermost = nullptr;
};

}  // namespace tutti::interpose
