/// @file
/// Wakes ranks that sleep when something is posted on a communicator.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "transport/rank_record.hpp"
#include "transport/shared/control_segment.hpp"

namespace tutti::runtime {

/// Wakes all ranks of a run that sleep, after a store that all must see, in sequentially consistent order: who calls
/// this need not take part in barriers. For rare events.
void wake_all(std::span<RankRecord> records);

/// One rank's way to wake its peers on a communicator. Where nobody sleeps it costs a load of the line that says
/// whether the communicator has failed, which every call reads: see sleep_word.hpp for why no fence is needed.
class Alarm {
 public:
  /// `members` are the communicator's ranks in the run, whose records these are.
  Alarm(const ControlSegment& control, std::span<RankRecord> records, const std::vector<int>& members)
      : header_(&control.header()), records_(records), members_(&members) {}

  /// After each store that this peer may wait for.
  void ring(int peer) const {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler leaves the load behind the store
    if (header_->sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake(peer);
  }
  /// After each store about this rank's calls, for which all may wait.
  void ring_for_calls() const {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (header_->call_sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake_for_calls();
  }
  /// After a store, about a meeting, for which all ranks that have come wait.
  void ring_for_meeting() const {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (header_->sleepers.load(std::memory_order_relaxed) != 0) ring_for_failure();
  }
  /// After the communicator has failed, which is stored in sequentially consistent order.
  void ring_for_failure() const;

  /// This rank is about to sleep: from the next barrier on all know of it.
  void prepare_sleep(WokenBy what) const;
  void finish_sleep(WokenBy what) const;

 private:
  SleepWord& word_of(int peer) const {
    return records_[static_cast<std::size_t>((*members_)[static_cast<std::size_t>(peer)])].sleep_word();
  }
  void wake(int peer) const;
  void wake_for_calls() const;

  ControlHeader* header_;
  std::span<RankRecord> records_;
  const std::vector<int>* members_;
};

}  // namespace tutti::runtime
