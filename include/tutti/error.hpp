/// @file
/// The one exception of tutti's own: beside it calls throw what a program's operator throws, and std::bad_alloc where
/// there is no memory.
#pragma once

#include <stdexcept>
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti {

/// Kind of an error, for programs that decide by it; the message is for people.
enum class ErrorCode {
  invalid_argument,  ///< a value that no call accepts: a negative count, a root outside the communicator
  unsupported,       ///< a valid request that this algorithm, type or operator cannot serve
  mismatch,          ///< ranks entered a collective, or met in a message, with different arguments
  timeout,           ///< a rank waited longer than the communicator's timeout, or ranks wait for one another for ever
  peer_failed,       ///< another rank ended, with or without an error, while this one still needed it
  internal,          ///< tutti broke its own rule: a defect worth reporting
};

/// Bad input, a mismatched call or a lost peer. `what()` is one sentence that names the value and the remedy. Members
/// that name neither errors nor cost have no errors and take constant time.
class TUTTI_API Error : public std::runtime_error {
 public:
  /// Makes an error of that kind with that sentence. Throws std::bad_alloc where there is no memory for it. Cost: a
  /// copy of the sentence.
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  /// Returns the kind of the error.
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace tutti
