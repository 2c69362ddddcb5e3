#include "calls/message_operations.hpp"

#include <fmt/format.h>

#include <cstring>

#include "tutti/envelope.hpp"

namespace tutti::runtime {
namespace {

std::string amount(std::int64_t count, std::string_view type) { return fmt::format("{} {}", count, type); }

}  // namespace

ReceiveOperation::~ReceiveOperation() {
  if (posted_) match_queue_.forget(*this);
}

bool ReceiveOperation::advance() {
  if (communicator().failure().failed()) return false;
  if (!posted_) {
    posted_ = true;
    match_queue_.post(*this);
  }
  bool moved = is_waiting() && match_queue_.look(*this);
  if (is_waiting() || communicator().failure().failed()) return moved;
  moved |= advance_message();
  return moved;
}

bool ReceiveOperation::advance_message() {
  bool moved = false;
  if (incoming_) moved |= incoming_->advance(communicator());
  if (unexpected_) moved |= unexpected_->incoming.advance(communicator());
  const bool has_come = (!incoming_ || incoming_->done()) && (!unexpected_ || unexpected_->incoming.done());
  // A receive that has begun to set messages aside sees them arrive in full: their senders wait for nothing else.
  if (!has_come || match_queue_.is_copying_unexpected()) {
    moved |= match_queue_.look(*this);
    return moved;
  }
  if (unexpected_ && unexpected_->header.bytes > 0)
    std::memcpy(parcel_->data, unexpected_->memory.get(), static_cast<std::size_t>(unexpected_->header.bytes));
  unexpected_.reset();
  finish();
  return true;
}

void ReceiveOperation::see(const Envelope& envelope) {
  envelope_ = envelope;
  go_on();
}

void ReceiveOperation::take_over(const MessageHeader& header, const Route& route) {
  see(header.envelope);
  if (fits(header)) incoming_.emplace(route, static_cast<std::byte*>(parcel_->data), header.bytes, header.element_size);
}

void ReceiveOperation::take_over(std::shared_ptr<UnexpectedMessage> message) {
  see(message->header.envelope);
  if (fits(message->header)) unexpected_ = std::move(message);
}

void ReceiveOperation::cancel() {
  if (!active()) return;
  match_queue_.forget(*this);
  finish();
  go_on();
}

bool ReceiveOperation::fits(const MessageHeader& header) {
  if (header.type == parcel_->type.identity && header.bytes == parcel_->count * parcel_->type.size) return true;
  communicator().failure().fail(ErrorCode::mismatch,
                                fmt::format("rank {} sends {} to rank {}, which receives {}", envelope_.rank,
                                            amount(envelope_.count, header.type_name), communicator().rank(),
                                            amount(parcel_->count, parcel_->type.name)));
  return false;
}

std::string ReceiveOperation::who() const { return from_ == any_rank ? "any rank" : fmt::format("rank {}", from_); }

std::string ReceiveOperation::what() const {
  std::string text = is_probe() ? "a message" : amount(parcel_->count, parcel_->type.name);
  if (tag_ > 0) text += fmt::format(" with tag {}", tag_);
  return text;
}

std::string ReceiveOperation::describe() const {
  return fmt::format("{} {} from {}", is_probe() ? "probe for" : "receive of", what(), who());
}

std::string ReceiveOperation::waits_for() const {
  const std::string of_the_run = from_ == any_rank ? std::string() : communicator().of_the_run({&from_, 1});
  return fmt::format("{}{}{} to send {}", who(), communicator().suffix(), of_the_run, what());
}

// Senders need any receive that listens to them: if it takes another message, it sets theirs aside.
OperationId ReceiveOperation::id() const {
  return receive_id(communicator().identity(), 0, from_, communicator().rank());
}

// Whatever the tag is: without another message from there nothing comes.
Dependency ReceiveOperation::dependency_of(int source) const {
  const std::uint64_t number = communicator().coming(source).number;
  return {send_id(communicator().identity(), number, source, communicator().rank()), communicator().member(source),
          Dependency::Kind::begin};
}

void ReceiveOperation::tell_dependencies(WaitState& wait_state) const {
  if (!is_waiting() || match_queue_.is_copying_unexpected()) return wait_state.doubt();
  if (from_ != any_rank) return wait_state.add(dependency_of(from_));
  for (int source = 0; source < communicator().size(); ++source) wait_state.add(dependency_of(source));
  wait_state.let_any_suffice();
}

/// The ranks that the message may come from, if each has ended; none otherwise.
std::vector<int> ReceiveOperation::ended_sources() const {
  std::vector<int> sources;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    if (from_ == any_rank ? rank == communicator().rank() : rank != from_) continue;
    if (!communicator().record(rank).has_ended()) return {};
    sources.push_back(rank);
  }
  return sources;
}

std::optional<Error> ReceiveOperation::lost() {
  if (auto error = communicator().failure_of_a_rank()) return error;
  const std::vector<int> ended = ended_sources();
  if (ended.empty()) return std::nullopt;
  // The peer may have sent before it ended: this receive looks once more.
  step();
  if (!active() || !is_waiting() || communicator().failure().failed()) return std::nullopt;
  // The sender may have failed after the question above: a rank notes its failure before it notes its end.
  if (auto error = communicator().failure_of_missed(ended)) return error;
  return Error(ErrorCode::peer_failed,
               fmt::format("{} ended, but rank {} waits for {}{}", from_ == any_rank ? "all other ranks" : who(),
                           communicator().rank(), waits_for(), communicator().cause()));
}

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
  posted_ = communicator().channel().post(route_, message) != PostResult::refused;
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

OperationId SendOperation::id() const {
  return send_id(communicator().identity(), route_.number, communicator().rank(), route_.peer);
}

// A receive that listens to this rank, or to all: see ReceiveOperation::id().
void SendOperation::tell_dependencies(WaitState& wait_state) const {
  const int peer = communicator().member(route_.peer);
  for (const int from : {communicator().rank(), any_rank}) {
    wait_state.add({receive_id(communicator().identity(), 0, from, route_.peer), peer, Dependency::Kind::begin});
  }
  wait_state.let_any_suffice();
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
