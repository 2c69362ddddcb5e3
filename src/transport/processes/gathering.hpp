/// @file
/// Gathering of a run's ranks, and their waits for one another meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/system/processor.hpp"
#include "transport/location.hpp"
#include "transport/proposal.hpp"

namespace tutti::runtime {

/// Lies in memory that all processes of a run share. What each rank would have to ask of every other one it keeps
/// together, so that p ranks join without p * p looks. Who waits sleeps in the kernel and is
/// woken once: when the last rank has come, or when one has ended.
class Gathering {
 public:
  static constexpr int most_ranks = 4096;

  /// The rank takes part in barriers; to be said before it arrives.
  void note_barriers() { with_barriers_.fetch_add(1, std::memory_order_relaxed); }
  /// Whether all do. Only once all have come, which publishes it.
  bool have_all_barriers(int ranks) const {
    return with_barriers_.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(ranks);
  }
  /// The rank may use these cores; to be said before it arrives.
  void note_cores(const UsableCores& cores);
  /// Returns the cores that the ranks may use together. Only once all have come, which publishes it.
  UsableCores cores() const;
  /// The rank's process is of that kind, a number other than 0; to be said before it arrives.
  void note_kind(std::uint64_t kind);
  /// Whether the processes of all ranks are of one kind. Only once all have come, which publishes it.
  bool are_of_one_kind() const { return of_other_kinds_.load(std::memory_order_relaxed) == 0; }
  /// Sets what rank 0 decides for all; to be said before it arrives.
  void propose(const Proposal& proposal) { proposal_ = proposal; }
  /// Only once all have come, which publishes it.
  const Proposal& proposal() const { return proposal_; }
  /// One of `ranks` ranks has come; each says so once.
  void arrive(int ranks);
  /// There is something new to see, such as a rank that has ended: who waits looks again.
  void tell();
  /// A rank has found out what it can read of others: of all, or not. To be said once.
  void note_reach(bool of_all);
  /// Whether all ranks can read all others; nothing while some have yet to find out.
  std::optional<bool> do_all_reach_all(int ranks) const;

  bool is_complete(int ranks) const {
    // Acquire: pairs with arrive(), of every rank.
    return come_.load(std::memory_order_acquire) == static_cast<std::uint32_t>(ranks);
  }
  /// Changes whenever there is something new to see; to be read before looking.
  std::uint32_t news() const { return news_.load(std::memory_order_acquire); }
  /// Returns when there is other news than `seen`, or after `most`.
  void wait(std::uint32_t seen, std::chrono::nanoseconds most) const;

  /// One rank at a time looks after all others: the first of the next `n` of `ranks` ranks to look at, for the one
  /// whose turn it is at `now`; nothing for the others until `interval` has passed.
  std::optional<int> take_watch(std::int64_t now, std::chrono::nanoseconds interval, int n, int ranks) {
    std::int64_t next = next_watch_.load(std::memory_order_relaxed);
    // A time that lies further ahead is told by another clock: processes may live in namespaces of time.
    if (now < next && next - now <= interval.count()) return std::nullopt;
    // Relaxed, both: only one may win, and what is looked at tells itself.
    if (!next_watch_.compare_exchange_strong(next, now + interval.count(), std::memory_order_relaxed))
      return std::nullopt;
    const std::uint32_t before = watched_.fetch_add(static_cast<std::uint32_t>(n), std::memory_order_relaxed);
    return static_cast<int>(before % static_cast<std::uint32_t>(ranks));
  }

  /// Whether the rank holds a lock that tells others that its process runs.
  bool is_guarded(int rank) const { return (word(rank).load(std::memory_order_acquire) & bit(rank)) != 0; }
  void set_guarded(int rank) { word(rank).fetch_or(bit(rank), std::memory_order_release); }

 private:
  static constexpr std::size_t word_bits = 64;

  static std::uint64_t bit(int rank) { return std::uint64_t{1} << (static_cast<std::size_t>(rank) % word_bits); }
  const std::atomic<std::uint64_t>& word(int rank) const {
    return guarded_[static_cast<std::size_t>(rank) / word_bits];
  }
  std::atomic<std::uint64_t>& word(int rank) { return guarded_[static_cast<std::size_t>(rank) / word_bits]; }

  alignas(line_pair) std::atomic<std::uint32_t> come_ = 0;
  std::atomic<std::uint32_t> with_barriers_ = 0;
  std::array<std::atomic<std::uint64_t>, UsableCores::Words{}.size()> cores_ = {};
  std::atomic<int> quota_ = UsableCores().quota();
  std::atomic<std::uint64_t> kind_ = 0;  // kind of the process that was first
  std::atomic<std::uint32_t> of_other_kinds_ = 0;
  alignas(line_pair) std::atomic<std::uint32_t> reaching_all_ = 0;
  std::atomic<std::uint32_t> reaching_some_ = 0;
  alignas(line_pair) std::atomic<std::uint32_t> news_ = 0;       // a futex
  alignas(line_pair) std::atomic<std::int64_t> next_watch_ = 0;  // time of the steady clock, in ns
  std::atomic<std::uint32_t> watched_ = 0;                       // ranks looked at so far
  alignas(line_pair) std::array<std::atomic<std::uint64_t>, most_ranks / word_bits> guarded_ = {};
  Proposal proposal_;  // written by rank 0 before it arrives

  static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace tutti::runtime
