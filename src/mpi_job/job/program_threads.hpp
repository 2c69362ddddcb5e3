/// @file
/// Threads of the program: tells whether it has more than one, where several may be in MPI at once.
///
/// MPI has threads of its own, and so has this library. They are there when MPI has begun, and were not before. A
/// program that had one thread before, and whose process has no other thread now than those, has one thread still. Only
/// that thread could start another one: while it waits, it stays alone.
#pragma once

namespace tutti::interpose {

/// To be called before MPI begins, and when it has begun and this library has started its own threads.
void note_threads_before_init();
void note_threads_after_init();

/// Whether the calling thread is the program's only one; false where that cannot be known.
bool has_no_other_thread();

}  // namespace tutti::interpose
