#include "runtime/message_operation.hpp"

#include <fmt/format.h>

#include "execute/walk.hpp"
#include "runtime/communicator_state.hpp"

namespace tutti::runtime {
namespace {

std::string amount(std::int64_t count, const detail::Datatype& type) { return fmt::format("{} {}", count, type.name); }

}  // namespace

MessageOperation::MessageOperation(CommunicatorState& of, Direction direction, const untyped::Parcel& parcel, int peer)
    : Operation(of), direction_(direction), type_(parcel.type), slice_{Buffer::input, 0, parcel.count} {
  bindings_.base[static_cast<std::size_t>(Buffer::input)] = static_cast<std::byte*>(parcel.data);
  bindings_.element_size = type_.size;
  route_ = direction == Direction::send ? communicator().next_sent(peer) : communicator().next_received(peer);
}

bool MessageOperation::advance() { return direction_ == Direction::send ? advance_send() : advance_receive(); }

bool MessageOperation::advance_send() {
  Transport& transport = communicator().transport();
  if (!posted_) {
    const Outgoing message{{&slice_, 1}, &bindings_, slice_.count * type_.size, type_.identity, type_.name, false};
    Trace* const trace = communicator().trace();
    const Instant began = trace == nullptr ? 0 : trace_clock();
    posted_ = transport.post(route_, message) != Offer::refused;
    if (trace != nullptr) {
      posted_ ? trace->sent(route_.peer, route_.call_slot, route_.number, message.bytes, began) : trace->missed();
    }
    return posted_;
  }
  Trace* const trace = communicator().trace();
  if (!transport.delivered(route_)) {
    if (trace != nullptr) trace->missed();
    transport.help(route_.peer, route_.call_slot, {nullptr, type_.size});
    return false;
  }
  if (trace != nullptr) trace->delivered(route_.peer, route_.call_slot, route_.number);
  finish();
  return true;
}

bool MessageOperation::advance_receive() {
  Transport& transport = communicator().transport();
  if (transport.failed()) return false;
  Trace* const trace = communicator().trace();
  if (!come_ && !come()) return false;
  const std::int64_t before = taken_;
  if (slice_.count > 0 && !(arrival_.in_parts ? take_parts() : take())) return taken_ > before;
  transport.release(route_);
  if (trace != nullptr) trace->released(route_.peer, route_.call_slot, route_.number, trace_clock());
  finish();
  return true;
}

/// Whether the message has come, and is the one expected.
bool MessageOperation::come() {
  const std::span<std::byte> landing(bindings_.at(slice_), static_cast<std::size_t>(slice_.count * type_.size));
  Trace* const trace = communicator().trace();
  if (!communicator().transport().arrived(route_, landing, arrival_)) {
    if (trace != nullptr) trace->missed();
    return false;
  }
  if (!fits(arrival_)) return false;
  if (trace != nullptr) trace->arrived(route_.peer, route_.call_slot, route_.number, arrival_.bytes);
  come_ = true;
  return true;
}

bool MessageOperation::take() {
  const Reading reading(communicator().transport(), arrival_.in_place);
  if (!reading) return false;
  const Stretch from = arrival_.stretches.front();
  const Fold whole{Stretch::of(bindings_.at(slice_), from.bytes), {&from, 1}};
  return communicator().transport().carry_out(whole, {nullptr, type_.size}, route_.call_slot);
}

bool MessageOperation::take_parts() {
  Transport& transport = communicator().transport();
  while (taken_ < arrival_.bytes) {
    const std::span<const std::byte> part = transport.part(route_);
    if (part.empty()) return false;
    const Stretch from = Stretch::of(part.data(), static_cast<std::int64_t>(part.size()));
    const Fold piece{Stretch::of(bindings_.at(slice_) + taken_, from.bytes), {&from, 1}};
    if (!transport.carry_out(piece, {nullptr, type_.size}, route_.call_slot)) return false;
    transport.take(route_, from.bytes);
    taken_ += from.bytes;
  }
  return true;
}

bool MessageOperation::fits(const Arrival& arrival) {
  const std::int64_t expected = slice_.count * type_.size;
  if (arrival.digest == type_.identity && arrival.bytes == expected) return true;
  const detail::Datatype sent{.size = static_cast<std::uint32_t>(arrival.element_size), .name = arrival.type_name};
  communicator().transport().fail(ErrorCode::mismatch, fmt::format("rank {} sends {} to rank {}, which receives {}",
                                                                   route_.peer, amount(arrival.bytes / sent.size, sent),
                                                                   communicator().rank(), amount(slice_.count, type_)));
  return false;
}

std::string MessageOperation::describe() const {
  const bool sends = direction_ == Direction::send;
  return fmt::format("{} of {} {} rank {}", sends ? "send" : "receive", amount(slice_.count, type_),
                     sends ? "to" : "from", route_.peer);
}

std::string MessageOperation::waits_for() const {
  return fmt::format("rank {}{} to {} {}", route_.peer, communicator().suffix(),
                     direction_ == Direction::send ? "receive" : "send", amount(slice_.count, type_));
}

Deed MessageOperation::deed_of(Direction side) const {
  const bool sends = direction_ == Direction::send;
  const int from = sends ? communicator().rank() : route_.peer;
  const int to = sends ? route_.peer : communicator().rank();
  return side == Direction::send ? send_deed(communicator().identity(), route_.number, from, to)
                                 : receive_deed(communicator().identity(), route_.number, from, to);
}

void MessageOperation::tell_needs(Standing& standing) const {
  if (come_) return standing.doubt();  // the message is on its way
  const Direction other = direction_ == Direction::send ? Direction::receive : Direction::send;
  standing.add({deed_of(other), communicator().member(route_.peer), Need::Kind::begin});
}

std::optional<Error> MessageOperation::lost() {
  if (auto error = communicator().failure_of_a_rank()) return error;
  if (!communicator().record(route_.peer).has_ended()) return std::nullopt;
  // What the peer did before it ended counts: look once more.
  step();
  if (!active() || communicator().transport().failed()) return std::nullopt;
  // It may have failed since this began to look; who has ended has said so before.
  if (auto error = communicator().failure_of_a_rank()) return error;
  return Error(ErrorCode::peer_failed, fmt::format("rank {} ended, but rank {} waits for {}{}", route_.peer,
                                                   communicator().rank(), waits_for(), communicator().cause()));
}

}  // namespace tutti::runtime
