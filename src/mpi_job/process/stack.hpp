/// @file
/// Search of the stack: finds whether a call into this library is still under way, because longjmp may have left it.
#pragma once

namespace tutti::interpose {

/// Whether `object`, which a function of this library had on this thread's stack, is still there, while the thread is
/// in a call that came in at the frame `entry`. Walks the stack, which takes microseconds.
bool is_on_the_stack(const void* object, const void* entry);

}  // namespace tutti::interpose
