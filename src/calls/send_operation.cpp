#include "calls/send_operation.hpp"

#include <fmt/format.h>

#include "progress/communicator_state.hpp"
#include "tutti/envelope.hpp"

namespace tutti::runtime {

SendOperation::SendOperation(CommunicatorState& of, const untyped::Parcel& parcel, int to, int tag)
    : Operation(of),
      type_(parcel.type),
      slice_{Buffer::input, 0, parcel.count},
      tag_(tag),
      route_(communicator().next_sent(to)) {
  bindings_.base[static_cast<std::size_t>(Buffer::input)] = static_cast<std::byte*>(parcel.data);
  bindings_.element_size = type_.size;
}

bool SendOperation::advance() {
  if (!posted_) return post();
  if (!communicator().channel().delivered(route_)) {
    communicator().folding().help(route_.peer, route_.call_slot, {nullptr, type_.size});
    return false;
  }
  finish();
  return true;
}

bool SendOperation::post() {
  const Outgoing message{.slices = {&slice_, 1},
                         .bindings = &bindings_,
                         .bytes = slice_.count * type_.size,
                         .digest = type_.identity,
                         .type_name = type_.name,
                         .tag = tag_,
                         .may_buffer = false};
  posted_ = communicator().channel().post(route_, message) != Offer::refused;
  return posted_;
}

std::string SendOperation::what() const {
  std::string text = fmt::format("{} {}", slice_.count, type_.name);
  if (tag_ != 0) text += fmt::format(" with tag {}", tag_);
  return text;
}

std::string SendOperation::describe() const { return fmt::format("send of {} to rank {}", what(), route_.peer); }

std::string SendOperation::waits_for() const {
  return fmt::format("rank {}{}{} to receive {}", route_.peer, communicator().suffix(),
                     communicator().of_the_run({&route_.peer, 1}), what());
}

Deed SendOperation::deed() const {
  return send_deed(communicator().identity(), route_.number, communicator().rank(), route_.peer);
}

// A receive that listens to this rank, or to all: see ReceiveOperation::deed().
void SendOperation::tell_needs(Standing& standing) const {
  const int peer = communicator().member(route_.peer);
  for (const int from : {communicator().rank(), any_rank}) {
    standing.add({receive_deed(communicator().identity(), 0, from, route_.peer), peer, Need::Kind::begin});
  }
  standing.let_any_suffice();
}

std::optional<Error> SendOperation::lost() {
  if (auto error = communicator().failure_of_a_rank()) return error;
  if (!communicator().record(route_.peer).has_ended()) return std::nullopt;
  // The peer may have read the message before it ended: this send looks once more.
  step();
  if (!active() || communicator().failure().failed()) return std::nullopt;
  // The receiver may have failed after the question above: a rank notes its failure before it notes its end.
  if (auto error = communicator().failure_of_missed({&route_.peer, 1})) return error;
  return Error(ErrorCode::peer_failed, fmt::format("rank {} ended, but rank {} waits for {}{}", route_.peer,
                                                   communicator().rank(), waits_for(), communicator().cause()));
}

}  // namespace tutti::runtime
