/// @file
/// Operations under way.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "tutti/detail/export.hpp"
#include "tutti/envelope.hpp"

namespace tutti {

namespace runtime {
class Operation;
class ProgressEngine;
}  // namespace runtime

/// An operation that was started and is to be waited for. Its buffers must stay as they are until it is done.
///
/// A handle belongs to the rank that made it. Dropping one does not stop the operation: `wait_all()` still completes
/// it. Dropping one because an exception passes ends the communicator's operations on every rank with an error, so that
/// no peer reads from buffers that are going away.
class [[nodiscard]] TUTTI_API Handle {
 public:
  /// A handle of nothing, which is done. No errors, no cost.
  Handle() = default;
  /// Handle of an operation that `engine` advances, for the library itself. No errors, no cost.
  Handle(std::shared_ptr<runtime::Operation> operation, std::shared_ptr<runtime::ProgressEngine> engine);
  /// The handle of two operations of one rank, which is done when both are; for the library itself. No errors, no cost.
  Handle&& with(std::shared_ptr<runtime::Operation> second) &&;
  Handle(Handle&& other) noexcept = default;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  /// Returns when the operation is done, while all other operations of this rank make progress.
  /// Throws what ended the operation; see Communicator for the errors of collectives and messages. Cost: the rank looks
  /// for a short time, then leaves its core to others, and sleeps where the wait is long.
  void wait();
  /// Waits like wait(), but ends the wait soon after `wanted` is no longer 0: within 10 ms. Says whether the operation
  /// is done. For threads that share a rank under a lock of their own: who wants the rank counts itself in `wanted`.
  /// Errors and cost: as wait().
  bool wait_until_wanted(const std::atomic<int>& wanted);
  /// Makes progress, and says whether the operation is done. Throws like wait(). Cost: a look at each operation of this
  /// rank that can move, and what can be done of them at once: those that wait for the turn of an earlier one, as
  /// collectives beyond `most_collectives_ahead` and messages behind one to or from the same rank do, cost nothing.
  bool test();
  /// Returns the algorithm that was chosen; empty for a message. No errors. Cost: a look-up.
  std::string_view algorithm() const;
  /// Once a receive is done: returns who has sent the message, under which tag, and its elements. Of others, nobody and
  /// none. No errors, no cost.
  Envelope envelope() const;

 private:
  friend class Communicator;

  void release() noexcept;
  void release(std::shared_ptr<runtime::Operation>& operation) const noexcept;

  std::shared_ptr<runtime::ProgressEngine> engine_;  // outlives the operations
  std::shared_ptr<runtime::Operation> operation_;
  std::shared_ptr<runtime::Operation> second_;  // null but for a send_receive
  bool told_ = false;                           // wait_any has returned it
  int exceptions_ = 0;  // in flight when the handle was made: more at its end mean that one passes through here
};

}  // namespace tutti
