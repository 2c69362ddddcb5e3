/// @file
/// Messages of the user's own: one rank's send of one, and its receive of one, or its look for one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calls/match_queue.hpp"
#include "progress/communicator_state.hpp"
#include "progress/operation.hpp"
#include "transport/interfaces/channel.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

class ReceiveOperation;
using ReceiveQueue = MatchQueue<ReceiveOperation>;

class ReceiveOperation final : public Operation {
 public:
  /// Receives into the parcel; a probe, which has none, ends when a message has come and leaves it there.
  ReceiveOperation(CommunicatorState& communicator, ReceiveQueue& match_queue, std::optional<untyped::Parcel> parcel,
                   int from, int tag)
      : Operation(communicator), match_queue_(match_queue), parcel_(std::move(parcel)), from_(from), tag_(tag) {}
  ~ReceiveOperation() override;

  bool is_probe() const { return !parcel_; }
  int from() const { return from_; }
  /// Whether the match queue has yet to find its message.
  bool is_waiting() const { return envelope_.rank == any_rank; }
  MatchKey key() const { return {from_, tag_}; }

  // Findings of the match queue.

  void see(const Envelope& envelope);
  void take_over(const MessageHeader& header, const Route& route);
  void take_over(std::shared_ptr<UnexpectedMessage> message);

  /// Ends a probe that has found nothing.
  void cancel();

  // The first of those that listen to a rank looks for all of them.
  OperationLane* awaited_lane() override { return is_waiting() ? &communicator().listening(from_) : nullptr; }

  std::string describe() const override;
  std::string title() const override { return describe(); }
  std::string waits_for() const override;
  WokenBy woken_by() const override { return WokenBy::messages; }
  std::optional<Error> lost() override;
  Envelope envelope() const override { return envelope_; }

 protected:
  bool advance() override;
  OperationId id() const override;
  void tell_dependencies(WaitState& wait_state) const override;

 private:
  friend ReceiveQueue;

  bool fits(const MessageHeader& header);
  void go_on() { communicator().rank_state().under_way.let_go_on(*this); }
  bool advance_message();
  std::string what() const;
  std::string who() const;
  Dependency dependency_of(int source) const;
  std::vector<int> ended_sources() const;

  ReceiveQueue& match_queue_;
  std::optional<untyped::Parcel> parcel_;
  int from_;
  int tag_;
  bool posted_ = false;
  std::uint64_t number_ = 0;                                       // in the order of all that were posted
  std::optional<KeyedQueues<ReceiveOperation*>::Position> place_;  // among those that wait
  Envelope envelope_;
  std::optional<IncomingMessage> incoming_;
  std::shared_ptr<UnexpectedMessage> unexpected_;
};

class SendOperation final : public Operation {
 public:
  SendOperation(CommunicatorState& communicator, const untyped::Parcel& parcel, int to, int tag);

  // Messages to a peer are posted one after the other.
  OperationLane* awaited_lane() override { return posted_ ? nullptr : &communicator().sending(route_.peer); }
  std::string describe() const override;
  std::string title() const override { return describe(); }
  std::string waits_for() const override;
  WokenBy woken_by() const override { return WokenBy::messages; }
  std::optional<Error> lost() override;

 protected:
  bool advance() override;
  OperationId id() const override;
  void tell_dependencies(WaitState& wait_state) const override;

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
