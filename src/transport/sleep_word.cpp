#include "transport/sleep_word.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <limits>

namespace tutti::runtime {

bool SleepWord::sleep(std::chrono::nanoseconds most) const {
  const std::uint32_t asleep = word_.load(std::memory_order_relaxed);
  if (asleep == 0) return true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec time{seconds.count(), (most - seconds).count()};
  // Ends at once where the word is another by now.
  syscall(SYS_futex, &word_, FUTEX_WAIT, asleep, &time, nullptr, 0);
  return word_.load(std::memory_order_relaxed) == 0;
}

// Relaxed: what the rank is woken for is published by stores of its own.
void SleepWord::wake() {
  if (word_.exchange(0, std::memory_order_relaxed) == 0) return;
  syscall(SYS_futex, &word_, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

bool register_for_barriers() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

bool pass_barrier() noexcept { return syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0; }

}  // namespace tutti::runtime
