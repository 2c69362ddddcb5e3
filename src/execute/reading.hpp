/// @file
/// Reading where a message lies, in its sender's memory.
#pragma once

#include "transport/interfaces/failure.hpp"

namespace tutti::runtime {

/// While it lives, no peer takes back memory that is read in place. False where the communicator has failed.
class Reading {
 public:
  Reading(Failure& failure, bool needed)
      : failure_(needed && failure.begin_reading() ? &failure : nullptr), holds_(!needed || failure_ != nullptr) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (failure_ != nullptr) failure_->end_reading();
  }

  explicit operator bool() const { return holds_; }

 private:
  Failure* failure_;
  bool holds_;
};

}  // namespace tutti::runtime
