#include "runtime/message_operation.hpp"

#include <fmt/format.h>

#include "runtime/member.hpp"

namespace tutti::runtime {
namespace {

std::string amount(std::int64_t count, const detail::Datatype& type) { return fmt::format("{} {}", count, type.name); }

}  // namespace

MessageOperation::MessageOperation(std::shared_ptr<Member> of, Direction direction, const Parcel& parcel, int peer)
    : Operation(std::move(of)), direction_(direction), type_(parcel.type), slice_{Buffer::input, 0, parcel.count} {
  bindings_.base[static_cast<std::size_t>(Buffer::input)] = static_cast<std::byte*>(parcel.data);
  bindings_.element_size = type_.size;
  Numbers& numbers = member().numbers();
  route_ =
      direction == Direction::send ? numbers.next_sent(peer, message_lane) : numbers.next_received(peer, message_lane);
}

bool MessageOperation::advance() { return direction_ == Direction::send ? advance_send() : advance_receive(); }

bool MessageOperation::advance_send() {
  Transport& transport = member().transport();
  if (!posted_) {
    posted_ = transport.post(route_, {{&slice_, 1}, &bindings_, &type_});
    return posted_;
  }
  if (!transport.delivered(route_)) return false;
  finish();
  return true;
}

bool MessageOperation::advance_receive() {
  Arrival arrival(member().transport(), route_);
  if (!arrival || !fits(*arrival)) return false;
  if (slice_.count > 0) copy({{&slice_, 1}, &bindings_}, {arrival->slices, arrival->bindings});
  arrival.accept();
  finish();
  return true;
}

bool MessageOperation::fits(const Message& message) {
  const std::int64_t count = message.slices.front().count;
  if (message.type->identity == type_.identity && count == slice_.count) return true;
  member().group().fail(ErrorCode::mismatch,
                        fmt::format("rank {} sends {} to rank {}, which receives {}", route_.peer,
                                    amount(count, *message.type), member().rank(), amount(slice_.count, type_)));
  return false;
}

std::string MessageOperation::describe() const {
  const bool sends = direction_ == Direction::send;
  return fmt::format("{} of {} {} rank {}", sends ? "send" : "receive", amount(slice_.count, type_),
                     sends ? "to" : "from", route_.peer);
}

std::string MessageOperation::waits_for() const {
  return fmt::format("rank {}{} to {} {}", route_.peer, member().group().suffix(),
                     direction_ == Direction::send ? "receive" : "send", amount(slice_.count, type_));
}

std::optional<Error> MessageOperation::lost() {
  if (!member().has_ended(route_.peer)) return std::nullopt;
  // What the peer did before it ended counts: look once more.
  step();
  if (!active() || member().group().failed()) return std::nullopt;
  return Error(ErrorCode::peer_failed,
               fmt::format("rank {} ended, but rank {} waits for {}", route_.peer, member().rank(), waits_for()));
}

}  // namespace tutti::runtime
