/// @file
/// Failure of a communicator: its end before its time.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "transport/late_after.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// Remedy for a good reason to wait, in each error that says that a wait was too long.
inline constexpr std::string_view longer_wait = "TUTTI_TIMEOUT, RunOptions::timeout or set_timeout() allow more";

/// One rank's part in the failure of a communicator, which ends it on all ranks, and in leaving it without harm to
/// anyone. For one thread at a time.
class Failure {
 public:
  Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;
  virtual ~Failure() = default;

  virtual bool failed() const = 0;
  /// Ends all operations, on every rank, with this error. The first call counts.
  virtual void fail(ErrorCode code, const std::string& message) = 0;
  /// The error that ended the communicator. Only once failed.
  virtual Error error() const = 0;
  /// After the communicator has failed: returns when no peer touches this rank's memory any more, or when a peer that
  /// still does can do no harm. Where harm cannot be ruled out within leaving_time(), it ends the process and says why.
  virtual void withdraw() noexcept = 0;

  /// From here to end_reading() no peer takes back the memory of a message in place, but one that has waited for this
  /// rank in vain: see withdraw(). False once the communicator has failed: then it may be gone.
  virtual bool begin_reading() { return !failed(); }
  virtual void end_reading() noexcept {}

  /// Time for which this rank waits for a peer while nothing moves.
  std::chrono::duration<double> timeout = no_limit;
  /// When a wait that the engine of progress does not see says that it lasts.
  std::chrono::duration<double> late_after = no_limit;
  /// Remedy for the program, or for whoever runs it.
  std::string_view remedy = longer_wait;

 protected:
  /// Returns how long this rank waits for a peer after a failure: its call is over, so that no wait is without a limit.
  std::chrono::duration<double> leaving_time() const {
    return std::min<std::chrono::duration<double>>(timeout, longest_leaving);
  }

 private:
  static constexpr std::chrono::seconds longest_leaving{30};
};

}  // namespace tutti::runtime
