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

// Relaxed, here and below: arrive() releases what ranks have noted before.
void Gathering::note_cores(const UsableCores& cores) {
  for (std::size_t k = 0; k < cores_.size(); ++k) {
    if (cores.allowed()[k] != 0) cores_[k].fetch_or(cores.allowed()[k], std::memory_order_relaxed);
  }
  int least = quota_.load(std::memory_order_relaxed);
  while (cores.quota() < least && !quota_.compare_exchange_weak(least, cores.quota(), std::memory_order_relaxed)) {
  }
}

UsableCores Gathering::cores() const {
  UsableCores all;
  for (std::size_t k = 0; k < cores_.size(); ++k) all.allowed()[k] = cores_[k].load(std::memory_order_relaxed);
  all.limit(quota_.load(std::memory_order_relaxed));
  return all;
}

void Gathering::note_kind(std::uint64_t kind) {
  std::uint64_t first = 0;
  const bool is_first = kind_.compare_exchange_strong(first, kind, std::memory_order_relaxed);
  if (!is_first && first != kind) of_other_kinds_.fetch_add(1, std::memory_order_relaxed);
}

// Release: who finds that all have found out finds what is in their records.
void Gathering::note_reach(bool of_all) {
  (of_all ? reaching_all_ : reaching_some_).fetch_add(1, std::memory_order_release);
}

// Acquire, both: pairs with note_reach(), of every rank.
std::optional<bool> Gathering::do_all_reach_all(int ranks) const {
  const auto all = static_cast<std::uint32_t>(ranks);
  const std::uint32_t reaching_all = reaching_all_.load(std::memory_order_acquire);
  if (reaching_all + reaching_some_.load(std::memory_order_acquire) < all) return std::nullopt;
  return reaching_all >= all;
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
