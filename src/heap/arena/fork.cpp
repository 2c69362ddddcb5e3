#include "heap/arena/fork.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "base/system/waiting_time.hpp"
#include "heap/arena/system.hpp"

namespace tutti::heap {
namespace {

/// From this size on a copy is told of, once.
constexpr std::size_t remarkable = std::size_t{1} << 30;

// These are guarded by the arena's lock, which is held from before a fork to after it.
Arena* forked = nullptr;
bool has_warned = false;
/// The child closes its writing end when it has copied, and the system does if the child ends before.
std::array<int, 2> ends{-1, -1};
/// Word that this process and its children see if no descriptors are left: by it the child that the latest fork has
/// made tells its parent how far it is.
enum class Child : std::uint8_t { unseen, is_there, has_copied };
std::atomic<Child>* child_word = nullptr;
/// Value of errno before the fork, which makes it 0: a parent that finds another one knows that fork() may have failed,
/// and that this is why.
int error_before = 0;

void close_end(int& end) {
  if (end >= 0) close(end);
  end = -1;
}

void before() {
  forked->lock();
  error_before = errno;
  if (forked->used() != 0) {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    // Relaxed: fork() comes after it.
    const Child first = forked->is_shared() ? Child::unseen : Child::has_copied;
    if (child_word != nullptr) child_word->store(first, std::memory_order_relaxed);
    if (forked->used() >= remarkable && !has_warned) {
      has_warned = true;
      say("fork() copies 1 GiB or more of this rank's memory, which other ranks share: start programs with "
          "posix_spawn(), or set TUTTI_HEAP=0 (--heap off)");
    }
  }
  errno = 0;
}

/// The child's death is not seen here, so that the wait has a limit. One that may not be there at all has much less
/// time to be seen.
void wait_for_word(bool may_have_failed) {
  constexpr timespec nap{0, 100'000};
  constexpr std::chrono::seconds limit(30);
  constexpr std::chrono::milliseconds limit_unseen(500);
  if (child_word == nullptr) return;
  WaitingTime waiting;
  for (;;) {
    // Acquire: the child has read what this process writes from here on.
    const Child child = child_word->load(std::memory_order_acquire);
    const WaitingTime::Duration waited = waiting.look();
    if (child == Child::has_copied || waited >= limit) return;
    if (child == Child::unseen && may_have_failed && waited >= limit_unseen) return;
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
    wait_for_word(error != 0);
  }
  close_end(ends[0]);
  errno = error != 0 ? error : error_before;
  forked->unlock();
}

/// A word for the children of this process: its parent waits for the one that it had.
void make_word() { child_word = reinterpret_cast<std::atomic<Child>*>(common_page()); }

void in_child() {
  // Relaxed: there is nothing that it tells of.
  if (child_word != nullptr) child_word->store(Child::is_there, std::memory_order_relaxed);
  close_end(ends[0]);
  const bool is_whole = forked->separate();
  if (child_word != nullptr) {
    // Release: pairs with wait_for_word() of the parent, also where this process ends now.
    child_word->store(Child::has_copied, std::memory_order_release);
    give_page_back(child_word);
  }
  if (!is_whole) {
    say("fork(): the child has no room for its copy of the memory that ranks share: free memory, or set TUTTI_HEAP=0");
    _exit(127);
  }
  make_word();
  close_end(ends[1]);
  errno = error_before;
  forked->unlock();
}

}  // namespace

void guard_forks(Arena& arena) noexcept {
  forked = &arena;
  make_word();
  pthread_atfork(before, in_parent, in_child);
}

}  // namespace tutti::heap
