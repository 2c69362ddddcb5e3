#include "transport/mpi/plugin/mpi_connection.hpp"

#include <fmt/format.h>

#include <thread>

#include "base/system/waiting_time.hpp"

namespace tutti::runtime {

bool MpiFolding::carry_out(const Fold& fold, const Combination& how, int) {
  const MemoryRange& from = fold.operands.front();
  if (fold.operands.size() == 1 && from.address == fold.into.address) return true;  // the operand has arrived there
  const RoomInUse use(room_);
  fold_here(fold, how, 0, fold.into.bytes, stores_for(fold.into.bytes), room_.pointers);
  return true;
}

MpiConnection::~MpiConnection() {
  if (!origin_.is_this_process()) return;  // a child's copy, and MPI is no child's
  failure_.withdraw();
  mailboxes_.leave(identity_);
}

bool MpiAgreement::may_enter(std::uint64_t number) {
  // A rank that has entered a call in which ranks differ enters no later one, and a rank that is behind comes to it.
  if (number < free_below_ && !calls_.is_disputed_below(number)) return true;
  peers_.progress();
  if (calls_.is_disputed_below(number)) return false;
  const std::uint64_t completed = calls_.completed_by_all();
  if (completed + collective_slots <= number) {
    calls_.publish();
    return false;
  }
  free_below_ = completed + collective_slots;
  return true;
}

bool MpiAgreement::has_signed(int rank, std::uint64_t number) {
  if (calls_.has_signed(rank, number)) return true;
  peers_.progress();
  calls_.publish();
  return calls_.has_signed(rank, number);
}

bool MpiAgreement::settled() {
  peers_.progress();
  calls_.publish();
  const std::uint64_t entered = calls_.entered();
  return calls_.entered_by_all() >= entered && !calls_.is_disputed_below(entered);
}

void MpiFailure::fail(ErrorCode code, const std::string& message) {
  if (failed()) return;
  peers_.box().failure.emplace(code, message);
  tell_others();
}

void MpiFailure::tell_others() const {
  peers_.box().has_told_failure = true;
  const std::string message = error().what();
  for (int peer = 0; peer < peers_.size(); ++peer) {
    if (peer == peers_.rank()) continue;
    PacketPointer out = peers_.packet(PacketKind::failure);
    const std::size_t n = message.copy(reinterpret_cast<char*>(out->body.data()), out->body.size());
    out->head.word = static_cast<std::uint64_t>(error().code());
    out->head.body_bytes = static_cast<std::uint32_t>(n);
    peers_.send(peer, std::move(out));
  }
}

void MpiFailure::withdraw() noexcept {
  for (auto& [key, incoming] : peers_.box().incoming) {
    if (incoming.transfer != nullptr) peers_.link().divert(*incoming.transfer);
  }
  peers_.box().incoming.clear();
  // Messages that the receiver has not asked for are gone from here on: see Mailbox::clear.
  std::erase_if(peers_.box().unread, [](const auto& each) { return each.second.transfer == nullptr; });
  for (auto& [key, unread] : peers_.box().unread) wait_for_end(*unread.transfer, key.peer);
  peers_.box().unread.clear();
}

// The receiver has its place ready, so that the transfer ends as soon as MPI runs there. Where it does not, for so
// long, MPI may still read memory that its owner is about to free: the error ends the process, because withdraw() lets
// none pass.
void MpiFailure::wait_for_end(const Transfer& transfer, int peer) {
  WaitingTime waiting;
  while (!transfer.done() && !peers_.link().closed()) {
    if (peers_.link().progress()) continue;
    if (waiting.look() >= leaving_time()) {
      throw Error(ErrorCode::timeout,
                  fmt::format("rank {} cannot leave its communicator ({}): rank {} has not taken a message for {:g} s",
                              peers_.rank(), failed() ? error().what() : "which ends", peer, leaving_time().count()));
    }
    std::this_thread::yield();
  }
}

}  // namespace tutti::runtime
