#include "transport/origin.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <chrono>
#include <new>

#include "base/check.hpp"

namespace tutti::runtime {
namespace {

using Mark = std::atomic<std::uint64_t>;

// Lies in a page of its own for as long as the process lives, because the system clears whole pages.
Mark* made_place() {
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(ErrorCode::unsupported, "the machine has no room for {} bytes", bytes);
  return new (memory) Mark(0);
}

Mark& place() {
  static Mark* const mark = [] {
    Mark* const made = made_place();
    // Before Linux 4.14 only those children know that fork() makes, and not the system's own call.
    if (madvise(made, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), MADV_WIPEONFORK) != 0) {
      pthread_atfork(nullptr, nullptr, [] { place().store(0, std::memory_order_relaxed); });
    }
    return made;
  }();
  return *mark;
}

std::uint64_t drawn() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != static_cast<ssize_t>(sizeof(number))) {
    number = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
             static_cast<std::uint64_t>(getpid()) << 40;
  }
  return number == 0 ? 1 : number;
}

}  // namespace

Origin::Origin() : place_(&place()), value_(place().load(std::memory_order_relaxed)) {
  if (value_ != 0) return;
  const std::uint64_t fresh = drawn();
  // Relaxed: who reads the number in another process knows it from the rank's record.
  if (place().compare_exchange_strong(value_, fresh, std::memory_order_relaxed)) value_ = fresh;
}

void Origin::refuse(std::string_view what) {
  fail(ErrorCode::invalid_argument,
       "{} was called in process {}, which a rank has forked and which is no rank: call it in the process that joined",
       what, getpid());
}

}  // namespace tutti::runtime
