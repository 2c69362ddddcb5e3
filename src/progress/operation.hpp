/// @file
/// Operation: work that a rank has started, and that the progress engine advances until it ends.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/system/waiting_time.hpp"
#include "progress/operation_lane.hpp"
#include "transport/interfaces/wait_state.hpp"
#include "transport/late_after.hpp"
#include "transport/sleep_word.hpp"
#include "tutti/envelope.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

class CommunicatorState;

/// One rank's part in a collective or a message. Belongs to the rank's thread, which advances it from any wait or test.
class Operation {
 public:
  /// The communicator lives as long as the operation is active: see keep().
  explicit Operation(CommunicatorState& communicator) : communicator_(&communicator) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  CommunicatorState& communicator() const { return *communicator_; }

  /// Keeps `owner` alive as long as this operation, which may outlive the call that began it: the communicator is a
  /// part of `owner`.
  void keep(std::shared_ptr<void> owner) { keeper_ = std::move(owner); }

  enum class State : std::uint8_t { idle, active, done, failed };
  State state() const { return state_; }
  bool active() const { return state_ == State::active; }
  /// Throws what made the operation fail, if it did.
  void rethrow() const;

  /// Returns how often the operation has moved, or one before which it does not get its turn: the time that counts
  /// towards a rank's timeout begins anew with each move.
  std::uint64_t moves() const { return moves_ + (lane_ != nullptr ? lane_->moves() : 0); }
  /// Returns how many other ranks have come up, and to this operation, and what work they have done for it before, as
  /// far as is known: a rank waits in vain only while that stays, too. Costs a look at each rank.
  virtual std::uint64_t arrivals() const { return 0; }
  /// Time for which a rank that only tests, or breaks its waits off, has seen no move; nothing before the first time.
  std::optional<WaitingTime> idle;
  /// The moves and arrivals that such a rank has seen.
  std::uint64_t seen = 0;
  /// When such a rank says so.
  std::optional<LateMoments> late;

  void activate() {
    state_ = State::active;
    idle.reset();
  }
  /// Does what can be done now, and says whether anything moved. An exception becomes the operation's, and its
  /// communicator's. Within a user's operator, which may call again and wait, the operation itself does not move.
  bool step();
  /// Whether the operation is in its step: within a user's operator, which called tutti. Then nobody ends it, or lets
  /// it go, until the step has returned.
  bool in_step() const { return in_step_; }
  /// Ends the operation with its communicator's error. Returns when no peer reads its memory any more.
  void fail();
  /// In the handler of an exception that keeps this rank from what it has begun: ends the operation, and the
  /// communicator, whose other ranks learn why.
  void break_off();
  /// The caller's buffers are about to go: ends the communicator.
  void abandon();

  /// Returns the lane in which the operation waits for its turn: it does not move unless it is first there, or is let
  /// go. Null: it moves by itself.
  virtual OperationLane* awaited_lane() { return nullptr; }
  /// The lane that it is in; null: none.
  OperationLane* lane() const { return lane_; }
  /// Whether it is in a lane and need not be.
  bool may_leave_lane() { return lane_ != nullptr && (!active() || awaited_lane() == nullptr); }

  /// "all_reduce (call 3)", "send of 4 float to rank 1".
  virtual std::string describe() const = 0;
  /// The call in a trace, the same for all calls alike: "all_reduce of 4 float by ring"; empty: it is part of another.
  virtual std::string title() const { return {}; }
  /// Returns the operation's wait, as it follows "rank 2 waits for": "rank 3 to enter reduce (call 5)".
  virtual std::string waits_for() const = 0;
  /// Adds the operation's present needs to the wait state as its next part; false where the wait state has no room.
  bool tell(WaitState& wait_state) const;
  /// Returns the events that let the operation go on: they wake a rank that sleeps meanwhile.
  virtual WokenBy woken_by() const = 0;
  /// The error if it can never end, because a rank that it needs has ended or calls something else.
  virtual std::optional<Error> lost() = 0;
  /// Why the operation cannot end, where it would otherwise fail by the clock: ranks have entered the call with
  /// different arguments.
  virtual std::optional<Error> explain() { return std::nullopt; }
  virtual std::string_view algorithm() const { return {}; }
  /// Returns the findings of a receive or a probe that is done.
  virtual Envelope envelope() const { return {}; }

 protected:
  virtual bool advance() = 0;
  /// Its name among all ranks' operations.
  virtual OperationId id() const = 0;
  /// Adds its needs, or a doubt where they are not known.
  virtual void tell_dependencies(WaitState& wait_state) const = 0;
  void finish() { state_ = State::done; }
  /// In the handler of an exception: it becomes the operation's, and its communicator's.
  void take_exception();

 private:
  friend OperationLane;

  bool try_to_advance();

  CommunicatorState* communicator_;
  std::shared_ptr<void> keeper_;
  State state_ = State::idle;
  bool in_step_ = false;
  std::uint64_t moves_ = 0;
  OperationLane* lane_ = nullptr;
  OperationLane::Parked::iterator place_{};  // in the lane, behind the first
  std::exception_ptr exception_;             // this rank's own, from a user operator; others see its text
};

}  // namespace tutti::runtime
