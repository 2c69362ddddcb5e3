#include "runtime/message_operation.hpp"

#include <fmt/format.h>

#include "execute/walk.hpp"
#include "runtime/member.hpp"

namespace tutti::runtime {
namespace {

std::string amount(std::int64_t count, const detail::Datatype& type) { return fmt::format("{} {}", count, type.name); }

}  // namespace

MessageOperation::MessageOperation(Member& of, Direction direction, const Parcel& parcel, int peer)
    : Operation(of), direction_(direction), type_(parcel.type), slice_{Buffer::input, 0, parcel.count} {
  bindings_.base[static_cast<std::size_t>(Buffer::input)] = static_cast<std::byte*>(parcel.data);
  bindings_.element_size = type_.size;
  route_ = direction == Direction::send ? member().next_sent(peer) : member().next_received(peer);
}

bool MessageOperation::advance() { return direction_ == Direction::send ? advance_send() : advance_receive(); }

bool MessageOperation::advance_send() {
  Transport& transport = member().transport();
  if (!posted_) {
    const Outgoing message{{&slice_, 1}, &bindings_, slice_.count * type_.size, type_.identity, type_.name, false};
    Trace* const trace = member().trace();
    const Instant began = trace == nullptr ? 0 : trace_clock();
    posted_ = transport.post(route_, message) != Offer::refused;
    if (trace != nullptr) {
      posted_ ? trace->sent(route_.peer, route_.lane, route_.number, message.bytes, began) : trace->missed();
    }
    return posted_;
  }
  Trace* const trace = member().trace();
  if (!transport.delivered(route_)) {
    if (trace != nullptr) trace->missed();
    transport.help(route_.peer, route_.lane, {nullptr, type_.size});
    return false;
  }
  if (trace != nullptr) trace->delivered(route_.peer, route_.lane, route_.number);
  finish();
  return true;
}

bool MessageOperation::advance_receive() {
  Transport& transport = member().transport();
  if (transport.failed()) return false;
  Trace* const trace = member().trace();
  if (!come_ && !come()) return false;
  const std::int64_t before = taken_;
  if (slice_.count > 0 && !(arrival_.in_parts ? take_parts() : take())) return taken_ > before;
  transport.release(route_);
  if (trace != nullptr) trace->released(route_.peer, route_.lane, route_.number, trace_clock());
  finish();
  return true;
}

/// Whether the message has come, and is the one expected.
bool MessageOperation::come() {
  const std::span<std::byte> landing(bindings_.at(slice_), static_cast<std::size_t>(slice_.count * type_.size));
  Trace* const trace = member().trace();
  if (!member().transport().arrived(route_, landing, arrival_)) {
    if (trace != nullptr) trace->missed();
    return false;
  }
  if (!fits(arrival_)) return false;
  if (trace != nullptr) trace->arrived(route_.peer, route_.lane, route_.number, arrival_.bytes);
  come_ = true;
  return true;
}

bool MessageOperation::take() {
  const Reading reading(member().transport(), arrival_.in_place);
  if (!reading) return false;
  const Stretch from = arrival_.stretches.front();
  const Fold whole{Stretch::of(bindings_.at(slice_), from.bytes), {&from, 1}};
  return member().transport().carry_out(whole, {nullptr, type_.size}, route_.lane);
}

bool MessageOperation::take_parts() {
  Transport& transport = member().transport();
  while (taken_ < arrival_.bytes) {
    const std::span<const std::byte> part = transport.part(route_);
    if (part.empty()) return false;
    const Stretch from = Stretch::of(part.data(), static_cast<std::int64_t>(part.size()));
    const Fold piece{Stretch::of(bindings_.at(slice_) + taken_, from.bytes), {&from, 1}};
    if (!transport.carry_out(piece, {nullptr, type_.size}, route_.lane)) return false;
    transport.take(route_, from.bytes);
    taken_ += from.bytes;
  }
  return true;
}

bool MessageOperation::fits(const Arrival& arrival) {
  const std::int64_t expected = slice_.count * type_.size;
  if (arrival.digest == type_.identity && arrival.bytes == expected) return true;
  const detail::Datatype sent{.size = static_cast<std::uint32_t>(arrival.element_size), .name = arrival.type_name};
  member().transport().fail(ErrorCode::mismatch, fmt::format("rank {} sends {} to rank {}, which receives {}",
                                                             route_.peer, amount(arrival.bytes / sent.size, sent),
                                                             member().rank(), amount(slice_.count, type_)));
  return false;
}

std::string MessageOperation::describe() const {
  const bool sends = direction_ == Direction::send;
  return fmt::format("{} of {} {} rank {}", sends ? "send" : "receive", amount(slice_.count, type_),
                     sends ? "to" : "from", route_.peer);
}

std::string MessageOperation::waits_for() const {
  return fmt::format("rank {}{} to {} {}", route_.peer, member().suffix(),
                     direction_ == Direction::send ? "receive" : "send", amount(slice_.count, type_));
}

Deed MessageOperation::deed_of(Direction side) const {
  const bool sends = direction_ == Direction::send;
  const int from = sends ? member().rank() : route_.peer;
  const int to = sends ? route_.peer : member().rank();
  return side == Direction::send ? send_deed(member().identity(), route_.number, from, to)
                                 : receive_deed(member().identity(), route_.number, from, to);
}

void MessageOperation::tell_needs(Standing& standing) const {
  if (come_) return standing.doubt();  // the message is on its way
  const Direction other = direction_ == Direction::send ? Direction::receive : Direction::send;
  standing.add({deed_of(other), member().member(route_.peer), Need::Kind::begin});
}

std::optional<Error> MessageOperation::lost() {
  if (auto error = member().failure_of_a_rank()) return error;
  if (!member().record(route_.peer).has_ended()) return std::nullopt;
  // What the peer did before it ended counts: look once more.
  step();
  if (!active() || member().transport().failed()) return std::nullopt;
  // It may have failed since this began to look; who has ended has said so before.
  if (auto error = member().failure_of_a_rank()) return error;
  return Error(ErrorCode::peer_failed, fmt::format("rank {} ended, but rank {} waits for {}{}", route_.peer,
                                                   member().rank(), waits_for(), member().cause()));
}

}  // namespace tutti::runtime
