/// @file
/// Sleep in the kernel of a rank that waits for long; whoever posts what it may wait for wakes it.
///
/// Posting is to stay fast: after its store, the poster only loads whether anybody sleeps, with no fence between the
/// two. The rank that is about to sleep pays for the order:
///
///     the sleeper                              the poster
///     stores that it sleeps                    stores the message, the flag, …
///     makes all processes pass a barrier       loads whether anybody sleeps
///     looks once more for what it waits for    wakes it, if so
///     sleeps until it is woken
///
/// The barrier falls into the row of the poster's instructions somewhere. If that is after the load, it is after the
/// store as well, which the second look then sees; if it is before the load, the load sees that the rank sleeps. Either
/// way nobody sleeps beside a message that has come. A rank sleeps for a limited time all the same, because it looks
/// for ranks that have died without a word.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/system/processor.hpp"

namespace tutti::runtime {

/// Events that wake a sleeping rank.
enum class WokenBy : std::uint32_t {
  nothing,   ///< the rank does not sleep
  messages,  ///< messages of its peers, or their having read its own, and what ends a meeting
  calls,     ///< messages, and whatever ranks tell of their calls
};

/// Whether a rank sleeps: a futex in its record, on a line that is seldom written. One thread of the rank sleeps.
class SleepWord {
 public:
  /// The rank is about to sleep. Others learn of it for certain once all processes have passed a barrier.
  void prepare_sleep(WokenBy what) { word_.store(static_cast<std::uint32_t>(what), std::memory_order_relaxed); }
  /// Returns when somebody has woken the rank, perhaps before this, or after `most`; or early, without having been
  /// woken, where the call that woke an earlier sleep comes late. Says whether it was woken.
  bool sleep(std::chrono::nanoseconds most) const;
  void finish_sleep() { word_.store(0, std::memory_order_relaxed); }

  bool is_woken_by(WokenBy what) const {
    // Sequentially consistent: who posts in that order, too, may do without the sleepers' barrier.
    return word_.load(std::memory_order_seq_cst) >= static_cast<std::uint32_t>(what);
  }
  /// Wakes the rank, if it sleeps.
  void wake();

 private:
  alignas(line_pair) std::atomic<std::uint32_t> word_ = 0;
};

/// This process takes part in the barriers of others, for as long as it runs. False where the system has none.
///
/// The system takes some 15 ms for the first call once the process has threads, as one that has initialized MPI has,
/// and microseconds before: who is about to start threads calls it first. Later calls cost nothing.
bool register_for_barriers() noexcept;
/// All processes that take part have passed a full barrier when this returns. False where the system refuses it.
bool pass_barrier() noexcept;

}  // namespace tutti::runtime
