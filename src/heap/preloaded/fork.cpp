#include "heap/preloaded/fork.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>

#include "heap/preloaded/system.hpp"

namespace tutti::heap {
namespace {

/// From this size on a copy is told of, once.
constexpr std::size_t remarkable = std::size_t{1} << 30;

// These are guarded by the arena's lock, which is held from before a fork to after it.
Arena* forked = nullptr;
bool has_warned = false;
/// The child closes its writing end when it has copied, and the system does if the child ends before.
std::array<int, 2> ends{-1, -1};
/// Where no descriptors are left: a word that this process and its children see, and that the child sets which the
/// latest fork has made.
std::atomic<int>* has_copied = nullptr;

void close_end(int& end) {
  if (end >= 0) close(end);
  end = -1;
}

void before() {
  forked->lock();
  if (forked->used() == 0) return;
  const int error = errno;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  errno = error;
  // Relaxed: fork() comes after it.
  if (has_copied != nullptr) has_copied->store(forked->is_shared() ? 0 : 1, std::memory_order_relaxed);
  if (forked->used() < remarkable || has_warned) return;
  has_warned = true;
  say("fork() copies 1 GiB or more of this rank's memory, which other ranks share: start programs with posix_spawn(), "
      "or set TUTTI_HEAP=0 (--heap off)");
}

/// The child's death is not seen here, so that the wait has a limit.
void wait_for_word() {
  constexpr timespec nap{0, 100'000};
  constexpr int most_naps = 300'000;
  if (has_copied == nullptr) return;
  // Acquire: the child has read what this process writes from here on.
  for (int naps = 0; has_copied->load(std::memory_order_acquire) == 0 && naps < most_naps; ++naps) {
    nanosleep(&nap, nullptr);
  }
}

void in_parent() {
  const int error = errno;
  close_end(ends[1]);
  char byte = 0;
  if (ends[0] >= 0) {
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) continue;
  } else if (forked->used() > 0) {
    wait_for_word();
  }
  close_end(ends[0]);
  forked->unlock();
  errno = error;
}

/// A word for the children of this process: its parent waits for the one that it had.
void make_word() { has_copied = reinterpret_cast<std::atomic<int>*>(common_page()); }

void in_child() {
  const int error = errno;
  close_end(ends[0]);
  if (!forked->separate()) {
    say("fork(): the child has no room for its copy of the memory that ranks share: free memory, or set TUTTI_HEAP=0");
    _exit(127);
  }
  // Release: pairs with wait_for_word() of the parent.
  if (has_copied != nullptr) {
    has_copied->store(1, std::memory_order_release);
    give_page_back(has_copied);
  }
  make_word();
  close_end(ends[1]);
  forked->unlock();
  errno = error;
}

}  // namespace

void guard_forks(Arena& arena) noexcept {
  forked = &arena;
  make_word();
  pthread_atfork(before, in_parent, in_child);
}

}  // namespace tutti::heap
