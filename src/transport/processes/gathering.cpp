#include "transport/processes/gathering.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <limits>

namespace tutti::runtime {

void Gathering::arrive(int ranks) {
  // Acquire, too: the last one has seen what all others did before.
  const std::uint32_t before = come_.fetch_add(1, std::memory_order_acq_rel);
  if (before + 1 == static_cast<std::uint32_t>(ranks)) tell();
}

void Gathering::tell() {
  // Release: who sees the news finds what they are about.
  news_.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &news_, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

void Gathering::wait(std::uint32_t seen, std::chrono::nanoseconds most) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec time{seconds.count(), (most - seconds).count()};
  syscall(SYS_futex, &news_, FUTEX_WAIT, seen, &time, nullptr, 0);
}

}  // namespace tutti::runtime
