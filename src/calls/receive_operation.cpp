#include "calls/receive_operation.hpp"

#include <fmt/format.h>

#include <cstring>

#include "progress/communicator_state.hpp"

namespace tutti::runtime {
namespace {

std::string amount(std::int64_t count, std::string_view type) { return fmt::format("{} {}", count, type); }

}  // namespace

ReceiveOperation::~ReceiveOperation() {
  if (posted_) inbox_.forget(*this);
}

bool ReceiveOperation::advance() {
  if (communicator().failure().failed()) return false;
  if (!posted_) {
    posted_ = true;
    inbox_.post(*this);
  }
  bool moved = is_waiting() && inbox_.look(*this);
  if (is_waiting() || communicator().failure().failed()) return moved;
  moved |= advance_message();
  return moved;
}

bool ReceiveOperation::advance_message() {
  bool moved = false;
  if (reception_) moved |= reception_->advance(communicator());
  if (set_aside_) moved |= set_aside_->reception.advance(communicator());
  const bool has_come = (!reception_ || reception_->done()) && (!set_aside_ || set_aside_->reception.done());
  // A receive that has begun to set messages aside sees them arrive in full: their senders wait for nothing else.
  if (!has_come || inbox_.is_setting_aside()) {
    moved |= inbox_.look(*this);
    return moved;
  }
  if (set_aside_ && set_aside_->announced.bytes > 0)
    std::memcpy(parcel_->data, set_aside_->memory.get(), static_cast<std::size_t>(set_aside_->announced.bytes));
  set_aside_.reset();
  finish();
  return true;
}

void ReceiveOperation::take_over(const Announced& announced, const Route& route) {
  envelope_ = announced.envelope;
  if (fits(announced))
    reception_.emplace(route, static_cast<std::byte*>(parcel_->data), announced.bytes, announced.element_size);
}

void ReceiveOperation::take_over(std::unique_ptr<SetAside> message) {
  envelope_ = message->announced.envelope;
  if (fits(message->announced)) set_aside_ = std::move(message);
}

void ReceiveOperation::cancel() {
  if (!active()) return;
  inbox_.forget(*this);
  finish();
}

bool ReceiveOperation::fits(const Announced& announced) {
  if (announced.type == parcel_->type.identity && announced.bytes == parcel_->count * parcel_->type.size) return true;
  communicator().failure().fail(ErrorCode::mismatch,
                                fmt::format("rank {} sends {} to rank {}, which receives {}", envelope_.rank,
                                            amount(envelope_.count, announced.type_name), communicator().rank(),
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
Deed ReceiveOperation::deed() const { return receive_deed(communicator().identity(), 0, from_, communicator().rank()); }

// Whatever the tag is: without another message from there nothing comes.
Need ReceiveOperation::need_of(int source) const {
  const std::uint64_t number = communicator().coming(source).number;
  return {send_deed(communicator().identity(), number, source, communicator().rank()), communicator().member(source),
          Need::Kind::begin};
}

void ReceiveOperation::tell_needs(Standing& standing) const {
  if (!is_waiting() || inbox_.is_setting_aside()) return standing.doubt();
  if (from_ != any_rank) return standing.add(need_of(from_));
  for (int source = 0; source < communicator().size(); ++source) standing.add(need_of(source));
  standing.let_any_suffice();
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

}  // namespace tutti::runtime
