/// @file
/// One rank's side of one communicator.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "execute/executor_pool.hpp"
#include "execute/traced_connection.hpp"
#include "progress/operation_lane.hpp"
#include "progress/rank_state.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// State of a communicator that operations know. Guarded by its rank (ProgressEngine::guard).
class CommunicatorState {
 public:
  /// `rank` outlives it.
  CommunicatorState(RankState& rank, Membership membership, std::chrono::duration<double> timeout);
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  int rank() const { return membership_.rank; }
  int size() const { return static_cast<int>(membership_.members.size()); }
  RankState& rank_state() const { return rank_; }
  World& world() const { return *rank_.world; }
  const Membership& membership() const { return membership_; }

  /// Returns the rank's connection with the others, traced if the rank is.
  const Connection& connection() const { return traced_ ? *traced_ : *membership_.connection; }
  Agreement& agreement() const { return agreement_; }
  Channel& channel() const { return channel_; }
  Folding& folding() const { return folding_; }
  /// Only while a message arrives in parts.
  StreamedMessages& streams() const { return *streams_; }
  /// Returns how many parts of messages have moved: see StreamedMessages::parts().
  std::uint64_t moved_parts() const { return streams_ != nullptr ? streams_->parts() : 0; }
  Failure& failure() const { return failure_; }

  /// The rank in the whole run of the communicator's `rank`.
  int member(int rank) const { return membership_.members[static_cast<std::size_t>(rank)]; }
  std::optional<int> rank_of(int member) const;
  /// Returns the number by which all its ranks know the communicator.
  std::uint64_t identity() const { return membership_.identity; }
  /// Returns its name in sentences now; empty for the communicator of all ranks.
  std::string title() const;
  /// " (ranks 5, 7 of the run)", after ranks of this communicator in a sentence; nothing where they have the same
  /// numbers in both.
  std::string of_the_run(std::span<const int> ranks) const;
  /// " of communicator 3.0", after a call in a sentence; nothing for the communicator of all ranks.
  std::string suffix() const;
  const RankRecord& record(int rank) const;
  /// The error for the other ranks once a rank has failed, which names the first that has; nothing while none has
  /// failed.
  std::optional<Error> failure_of_a_rank() const;
  /// Returns the failure if this rank needs these ranks, which have ended: the reason that such a rank has given for
  /// its end then counts as its failure.
  std::optional<Error> failure_of_missed(std::span<const int> ranks);
  /// "; rank 3 of the run failed: …", after an error that may follow from that first failure; nothing while none has
  /// failed.
  std::string cause() const;
  /// Returns the error for one rank and the reason that it gives. If that reason says no more than that the first rank
  /// of the run has failed, the error names that rank, and its reason once.
  Error failure_of(int rank, const std::string& reason) const;
  /// The error of the failed communicator, for a caller that throws it to the program.
  Error told_error() {
    is_told_ = true;
    return failure().error();
  }
  /// Whether the communicator has failed and the program does not know it.
  bool has_untold_failure() const { return failure().failed() && !is_told_; }

  /// The number of the next collective. Collectives are entered in the order of their numbers, number s once s - L is
  /// complete on all ranks.
  std::uint64_t take_number() { return next_number_++; }
  bool may_enter(std::uint64_t number) {
    return number == next_to_enter_ && due_[number % collective_slots] == number && agreement().may_enter(number);
  }
  void enter(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) {
    next_to_enter_ = number + 1;
    agreement().sign(number, signature, counts);
  }
  void leave(std::uint64_t number) {
    due_[number % collective_slots] = number + collective_slots;
    if (number != completed_) return;
    do {
      ++completed_;
    } while (due_[completed_ % collective_slots] == completed_ + collective_slots);
    agreement().complete(completed_);
  }
  std::uint64_t entered() const { return next_to_enter_; }

  /// Returns how often this rank has waited for all of its operations here.
  std::uint64_t waits_for_all() const { return waits_for_all_; }
  void note_wait_for_all() { ++waits_for_all_; }

  /// Messages of the user's own are numbered from 1 on, by peer.
  Route next_sent(int peer);
  /// The next message from a peer that has not been taken over yet.
  Route coming(int peer) const {
    const std::uint64_t previous = received_[static_cast<std::size_t>(peer)];
    return {peer, message_slot, previous + 1, previous, previous == 0};
  }
  void take_over(int peer) { ++received_[static_cast<std::size_t>(peer)]; }

  /// Lanes of the operations that wait for their turn: collectives to enter, sends to a peer, receives from a rank or
  /// from any.
  OperationLane& entering() { return entering_; }
  OperationLane& sending(int peer) { return lane_of(sending_, peer); }
  OperationLane& listening(int from) { return lane_of(listening_, from); }

  /// Executors for calls that have entered.
  ExecutorPool& executors() { return executors_; }

  /// Time for which this rank waits on this communicator while nothing moves; a reference to Failure::timeout.
  std::chrono::duration<double>& timeout;

 private:
  /// The rank that has failed first in the whole run, and why.
  struct FirstFailure {
    int member;
    std::string reason;

    /// Whether the text of an error comes from this failure.
    bool is_told_in(const std::string& text) const;
  };
  std::optional<FirstFailure> first_failure() const;
  OperationLane& lane_of(std::unique_ptr<OperationLane[]>& lanes, int peer);

  RankState& rank_;
  Membership membership_;
  std::unique_ptr<TracedConnection> traced_;
  Agreement& agreement_;
  Channel& channel_;
  StreamedMessages* const streams_;
  Folding& folding_;
  Failure& failure_;
  std::uint64_t next_number_ = 0;
  std::uint64_t next_to_enter_ = 0;
  std::uint64_t completed_ = 0;  // all below
  std::uint64_t waits_for_all_ = 0;
  std::array<std::uint64_t, collective_slots> due_ = {};  // by call slot: the collective that may enter next
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
  OperationLane entering_;
  std::unique_ptr<OperationLane[]> sending_;    // by peer; null before the first that waits
  std::unique_ptr<OperationLane[]> listening_;  // by rank, and of any rank
  ExecutorPool executors_;
  bool is_told_ = false;  // its error was thrown to the program
};

}  // namespace tutti::runtime
