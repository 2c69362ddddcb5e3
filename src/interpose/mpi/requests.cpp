#include "interpose/mpi/requests.hpp"

#include <algorithm>

#include "interpose/mpi/quiet_world.hpp"
#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

std::optional<Posted> posted(Message::Side side, MPI_Comm comm, int peer, int tag) {
  Taken* const on = state_known_of(comm);
  const bool is_tag = tag >= 0 || (tag == MPI_ANY_TAG && side == Message::Side::received);
  if (on == nullptr || peer == MPI_PROC_NULL || !is_tag) return std::nullopt;
  Posted what{{side, Message::any_rank, tag == MPI_ANY_TAG ? Message::any_tag : tag, 0}, comm, 0, on->peers()};
  what.message.communicator = what.peers->digest;
  if (side == Message::Side::received && peer == MPI_ANY_SOURCE) return what;
  if (peer < 0 || static_cast<std::size_t>(peer) >= what.peers->in_job.size()) return std::nullopt;
  what.message.peer = what.peers->on_host[static_cast<std::size_t>(peer)];
  what.rank = what.peers->in_job[static_cast<std::size_t>(peer)];
  return what;
}

bool is_done(MPI_Request request) {
  int is_done = 0;
  return PMPI_Request_get_status(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
}

Requests& Requests::all() {
  static Requests& only = *new Requests;
  return only;
}

std::uintptr_t Requests::key(MPI_Request request) { return key_of(request); }

const Posted* Requests::find(MPI_Request request) const {
  const auto found = known_.find(key(request));
  return found == known_.end() ? nullptr : &found->second.what;
}

void Requests::abandon(MPI_Request request) {
  const Posted* const what = find(request);
  if (what == nullptr) return;
  const bool is_new = std::find(abandoned_.begin(), abandoned_.end(), what->message) == abandoned_.end();
  if (is_new && !is_done(request)) abandoned_.push_back(what->message);
  remove(request);
}

std::vector<Message> Requests::under_way(std::span<const MPI_Request> except) const {
  // A profiling library may have ended some unseen, whose handles MPI knows no more.
  const QuietWorld quiet(OtherThreads::do_not_call);
  std::vector<Message> messages = abandoned_;
  for (const auto& [handle, known] : known_) {
    const bool is_left_out = std::find(except.begin(), except.end(), known.request) != except.end();
    if (!is_left_out && !is_done(known.request)) messages.push_back(known.what.message);
  }
  return messages;
}

}  // namespace tutti::interpose
