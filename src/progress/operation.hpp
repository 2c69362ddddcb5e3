/// @file
/// Something that a rank has started and that is to end.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/waiting_time.hpp"
#include "transport/sleep_word.hpp"
#include "transport/standing.hpp"
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

  /// How often the operation has moved: the time that counts towards a rank's timeout begins anew with each move.
  std::uint64_t moves() const { return moves_; }
  /// How long a rank that only tests has seen no move; nothing before its first test.
  std::optional<WaitingTime> idle;

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

  /// "all_reduce (call 3)", "send of 4 float to rank 1".
  virtual std::string describe() const = 0;
  /// The call in a trace, the same for all calls alike: "all_reduce of 4 float by ring"; empty: it is part of another.
  virtual std::string title() const { return {}; }
  /// What the operation waits for, as it follows "rank 2 waits for": "rank 3 to enter reduce (call 5)".
  virtual std::string waits_for() const = 0;
  /// Adds the operation's present needs to the standing as its next part; false where the standing has no room.
  bool tell(Standing& standing) const;
  /// Which events let the operation go on: they wake a rank that sleeps meanwhile.
  virtual WokenBy woken_by() const = 0;
  /// The error if it can never end, because a rank that it needs has ended or calls something else.
  virtual std::optional<Error> lost() = 0;
  /// Why the operation cannot end, where it would otherwise fail by the clock: ranks have entered the call with
  /// different arguments.
  virtual std::optional<Error> explain() { return std::nullopt; }
  virtual std::string_view algorithm() const { return {}; }
  /// Of a receive or a probe that is done: what it has found.
  virtual Envelope envelope() const { return {}; }

 protected:
  virtual bool advance() = 0;
  /// Its name among all ranks' operations.
  virtual Deed deed() const = 0;
  /// Adds its needs, or a doubt where they are not known.
  virtual void tell_needs(Standing& standing) const = 0;
  void finish() { state_ = State::done; }
  /// In the handler of an exception: it becomes the operation's, and its communicator's.
  void take_exception();

 private:
  bool try_to_advance();

  CommunicatorState* communicator_;
  std::shared_ptr<void> keeper_;
  State state_ = State::idle;
  bool in_step_ = false;
  std::uint64_t moves_ = 0;
  std::exception_ptr exception_;  // this rank's own, from a user operator; others see its text
};

}  // namespace tutti::runtime
