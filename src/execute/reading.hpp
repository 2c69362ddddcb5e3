/// @file
/// Reading where a message lies, in its sender's memory.
#pragma once

#include "transport/transport.hpp"

namespace tutti::runtime {

/// While it lives, no peer takes back memory that is read in place. False where the communicator has failed.
class Reading {
 public:
  Reading(Transport& transport, bool needed)
      : transport_(needed && transport.begin_reading() ? &transport : nullptr), holds_(!needed || transport_) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (transport_ != nullptr) transport_->end_reading();
  }

  explicit operator bool() const { return holds_; }

 private:
  Transport* transport_;
  bool holds_;
};

}  // namespace tutti::runtime
