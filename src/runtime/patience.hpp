/// @file
/// How a rank passes the time while it waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tutti::runtime {

/// Spins for as long as a message between cores takes, then lets other threads run, then sleeps in naps that grow.
/// Where there are more ranks than cores it never spins: the rank that it waits for may need this core.
class Patience {
 public:
  explicit Patience(int ranks) : spins_(ranks <= cores() ? 100 : 0) {}

  void reset() { idle_ = 0; }
  void pause() {
    ++idle_;
    if (idle_ <= spins_) {
      relax();
    } else if (idle_ <= spins_ + yields) {
      std::this_thread::yield();
    } else {
      const int naps = idle_ - spins_ - yields;
      std::this_thread::sleep_for(std::chrono::microseconds(std::min(1000, 20 * naps)));
      idle_ = std::min(idle_, spins_ + yields + 100);
    }
  }
  /// Whether it is time to look whether waiting makes sense at all: seldom while spinning, always when napping.
  bool is_thoughtful() const { return idle_ > spins_ && (idle_ > spins_ + yields || idle_ % 64 == 0); }
  /// Whether the wait has become a long one.
  bool naps() const { return idle_ > spins_ + yields; }

 private:
  static constexpr int yields = 400;

  static int cores() {
    static const int count = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return count;
  }
  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  int spins_;
  int idle_ = 0;
};

}  // namespace tutti::runtime
