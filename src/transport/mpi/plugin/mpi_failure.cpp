#include "transport/mpi/plugin/mpi_failure.hpp"

#include <fmt/format.h>

#include <thread>

#include "base/waiting_time.hpp"

namespace tutti::runtime {

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
    PacketPointer out = peers_.packet(Kind::failure);
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
  // Those that the receiver has not asked for are gone from here on: see Mailbox::clear.
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
    if (waiting.look() >= timeout) {
      throw Error(ErrorCode::timeout,
                  fmt::format("rank {} cannot leave its communicator ({}): rank {} has not taken a message for {:g} s",
                              peers_.rank(), failed() ? error().what() : "which ends", peer, timeout.count()));
    }
    std::this_thread::yield();
  }
}

}  // namespace tutti::runtime
