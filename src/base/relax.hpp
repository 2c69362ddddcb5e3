/// @file
/// A moment's rest while looking for something again and again.
#pragma once

namespace tutti {

/// Lets the core's other thread, or its power supply, have a moment.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace tutti
