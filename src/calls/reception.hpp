/// @file
/// A message on its way into this rank's memory.
#pragma once

#include "transport/channel.hpp"

namespace tutti::runtime {

class CommunicatorState;

/// Brings one message that has been announced to where it is wanted. The memory stays until it is done.
class Reception {
 public:
  Reception(const Route& route, std::byte* into, std::int64_t bytes, std::int64_t element_size)
      : route_(route), into_(into), bytes_(bytes), element_size_(element_size) {}

  /// Does what can be done now, and says whether anything moved.
  bool advance(CommunicatorState& communicator);
  bool done() const { return done_; }

 private:
  bool come(CommunicatorState& communicator);
  bool take(CommunicatorState& communicator);
  bool take_parts(CommunicatorState& communicator);

  Route route_;
  std::byte* into_;
  std::int64_t bytes_;
  std::int64_t element_size_;
  Arrival arrival_;
  std::int64_t taken_ = 0;  // bytes of what comes in parts
  bool come_ = false;
  bool done_ = false;
};

}  // namespace tutti::runtime
