/// @file
/// One rank's receive of a message of the user's own, or its look for one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calls/inbox.hpp"
#include "progress/operation.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

class ReceiveOperation final : public Operation {
 public:
  /// Receives into the parcel; a probe, which has none, ends when a message has come and leaves it there.
  ReceiveOperation(CommunicatorState& communicator, Inbox& inbox, std::optional<untyped::Parcel> parcel, int from,
                   int tag)
      : Operation(communicator), inbox_(inbox), parcel_(std::move(parcel)), from_(from), tag_(tag) {}
  ~ReceiveOperation() override;

  bool is_probe() const { return !parcel_; }
  int from() const { return from_; }
  /// Whether the inbox has yet to find its message.
  bool is_waiting() const { return envelope_.rank == any_rank; }
  bool accepts(const Envelope& envelope) const {
    return (from_ == any_rank || from_ == envelope.rank) && (tag_ == any_tag || tag_ == envelope.tag);
  }

  // What the inbox finds.

  void see(const Envelope& envelope) { envelope_ = envelope; }
  void take_over(const Announced& announced, const Route& route);
  void take_over(std::unique_ptr<SetAside> message);

  /// Ends a probe that has found nothing.
  void cancel();

  std::string describe() const override;
  std::string title() const override { return describe(); }
  std::string waits_for() const override;
  WokenBy woken_by() const override { return WokenBy::messages; }
  std::optional<Error> lost() override;
  Envelope envelope() const override { return envelope_; }

 protected:
  bool advance() override;
  Deed deed() const override;
  void tell_needs(Standing& standing) const override;

 private:
  bool fits(const Announced& announced);
  bool advance_message();
  std::string what() const;
  std::string who() const;
  Need need_of(int source) const;
  std::vector<int> ended_sources() const;

  Inbox& inbox_;
  std::optional<untyped::Parcel> parcel_;
  int from_;
  int tag_;
  bool posted_ = false;
  Envelope envelope_;
  std::optional<Reception> reception_;
  std::unique_ptr<SetAside> set_aside_;
};

}  // namespace tutti::runtime
