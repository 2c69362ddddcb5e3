/// @file
/// One rank's part in a call that makes communicators.
#pragma once

#include <string>
#include <vector>

#include "progress/numbered_operation.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// A call that only brings the ranks together: all of them have signed when it is done.
class MeetingOperation final : public NumberedOperation {
 public:
  MeetingOperation(CommunicatorState& communicator, const Signature& signature)
      : NumberedOperation(communicator), signature_(signature), met_(false) {}

  std::string waits_for() const override { return waits_to_enter(); }
  WokenBy woken_by() const override { return is_entered() ? WokenBy::messages : WokenBy::calls; }
  std::string title() const override;
  /// Once it is done: the communicator that the meeting makes, of the ranks that signed the same color. It has no
  /// connection for a negative color.
  Membership& made() { return made_; }

 protected:
  bool advance() override;
  void tell_dependencies(WaitState& wait_state) const override {
    is_entered() && !met_ ? depend_on_absent(wait_state) : wait_state.doubt();
  }
  const Signature& signature() const override { return signature_; }

 private:
  bool meet();
  bool join();

  Signature signature_;
  bool met_;
  std::vector<int> ranks_;  // ranks of the new communicator, as this one numbers them
  Membership made_;
};

}  // namespace tutti::runtime
