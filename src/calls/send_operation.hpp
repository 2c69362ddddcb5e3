/// @file
/// One rank's send of a message of the user's own.
#pragma once

#include <string>

#include "progress/operation.hpp"
#include "transport/channel.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

class SendOperation final : public Operation {
 public:
  SendOperation(CommunicatorState& communicator, const untyped::Parcel& parcel, int to, int tag);

  std::string describe() const override;
  std::string title() const override { return describe(); }
  std::string waits_for() const override;
  WokenBy woken_by() const override { return WokenBy::messages; }
  std::optional<Error> lost() override;

 protected:
  bool advance() override;
  Deed deed() const override;
  void tell_needs(Standing& standing) const override;

 private:
  bool post();
  std::string what() const;

  detail::Datatype type_;
  Slice slice_;
  Bindings bindings_;
  int tag_;
  Route route_;
  bool posted_ = false;
};

}  // namespace tutti::runtime
