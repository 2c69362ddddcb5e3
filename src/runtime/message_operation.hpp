/// @file
/// One rank's part in a message of the user's own.
#pragma once

#include <string>

#include "runtime/operation.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

enum class Direction : std::uint8_t { send, receive };

class MessageOperation final : public Operation {
 public:
  MessageOperation(CommunicatorState& communicator, Direction direction, const untyped::Parcel& parcel, int peer);

  std::string describe() const override;
  std::string title() const override { return describe(); }
  std::string waits_for() const override;
  std::optional<Error> lost() override;

 protected:
  bool advance() override;
  Deed deed() const override { return deed_of(direction_); }
  void tell_needs(Standing& standing) const override;

 private:
  /// This side of the message, or the other.
  Deed deed_of(Direction side) const;
  bool advance_send();
  bool advance_receive();
  bool come();
  bool take();
  bool take_parts();
  bool fits(const Arrival& arrival);

  Direction direction_;
  detail::Datatype type_;
  Slice slice_;
  Bindings bindings_;
  Route route_;
  Arrival arrival_;
  bool posted_ = false;
  bool come_ = false;
  std::int64_t taken_ = 0;  // bytes of what comes in parts
};

}  // namespace tutti::runtime
