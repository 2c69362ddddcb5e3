/// @file
/// Processor: the distance at which two threads' writes do not disturb each other, lines fetched ahead, and rest while
/// looking for something again and again.
#pragma once

#include <cstddef>

namespace tutti {

/// Two cache lines, because processors fetch them in pairs.
inline constexpr std::size_t line_pair = 128;

/// Begins to fetch the line in order to write it. Compilers make a fetch for reading of __builtin_prefetch where the
/// oldest processors of the architecture know no other; the write then has to wait for the other cores a second time.
inline void prefetch_for_writing(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

/// Lets the core's other thread, or its power supply, have a moment. On arm64 a barrier of instructions takes about as long
/// as x86-64's pause, where its yield is over at once on cores without a second thread.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace tutti
