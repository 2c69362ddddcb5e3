#include "interpose/mpi/requests.hpp"

#include <algorithm>
#include <utility>

#include "interpose/mpi/comparison.hpp"
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

namespace {

std::vector<int> ranks_needed(const Needed& needed, int rank, int size) {
  const bool is_root = rank == needed.root;
  const bool are_all = needed.of == Needed::Of::all || (needed.of == Needed::Of::by_root && is_root);
  std::vector<int> ranks;
  for (int other = 0; other < size; ++other) {
    const bool is_needed = are_all || (needed.of == Needed::Of::lower && other < rank) ||
                           (needed.of == Needed::Of::root && other == needed.root);
    if (is_needed && other != rank) ranks.push_back(other);
  }
  return ranks;
}

}  // namespace

// Of those between groups it is known where their ranks tell one another: whoever compares waits for all of the other
// group.
std::optional<Posted> begun(const char* function, MPI_Comm comm, const Needed& needed,
                            std::shared_ptr<Comparison> comparison) {
  Taken* const on = state_known_of(comm);
  int is_between = 0;
  PMPI_Comm_test_inter(comm, &is_between);
  if (on == nullptr || (is_between != 0 && comparison == nullptr)) return std::nullopt;
  Posted what{
      {Message::Side::begun, Message::other_host, on->count_begun(), on->peers()->digest}, comm, 0, on->peers()};
  Requests::all().note_begun(what.message.communicator, what.message.tag);
  what.function = function;
  // Who compares waits for all.
  const int own = is_between != 0 ? MPI_PROC_NULL : on->rank();
  const auto others = static_cast<int>(on->peers()->in_job.size());
  what.needed = ranks_needed(comparison != nullptr ? Needed{} : needed, own, others);
  what.comparison = std::move(comparison);
  return what.needed.empty() ? std::nullopt : std::optional(std::move(what));
}

bool is_done(MPI_Request request) {
  int is_done = 0;
  return PMPI_Request_get_status(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
}

bool has_ended(MPI_Request request) {
  const Posted* const what = Requests::all().find(request);
  const bool is_compared = what != nullptr && what->comparison != nullptr;
  return (!is_compared || what->comparison->have_all_told()) && is_done(request);
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
  const bool is_new =
      !what->is_collective() && std::find(abandoned_.begin(), abandoned_.end(), what->message) == abandoned_.end();
  if (is_new && !is_done(request)) abandoned_.push_back(what->message);
  remove(request);
}

void Requests::note_begun(std::uint32_t communicator, std::int32_t collectives) {
  const auto known =
      std::find_if(begun_.begin(), begun_.end(), [&](const Begun& each) { return each.communicator == communicator; });
  if (known == begun_.end()) {
    begun_.push_back({communicator, collectives});
  } else {
    known->collectives = std::max(known->collectives, collectives);
  }
}

Beside Requests::under_way(std::span<const MPI_Request> except) const {
  // A profiling library may have ended some unseen, whose handles MPI knows no more.
  const QuietWorld quiet(OtherThreads::do_not_call);
  Beside beside{abandoned_, begun_};
  for (const auto& [handle, known] : known_) {
    const bool is_left_out = std::find(except.begin(), except.end(), known.request) != except.end();
    if (!is_left_out && !known.what.is_collective() && !is_done(known.request))
      beside.messages.push_back(known.what.message);
  }
  return beside;
}

}  // namespace tutti::interpose
