#include "mpi_check/point_to_point/request_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/rank_lists.hpp"
#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/job/null_safe_queries.hpp"

namespace tutti::interpose {

std::optional<TrackedRequest> tracked_message(PendingMessage::Side side, MPI_Comm comm, int peer, int tag) {
  ServedCommunicator* const on = state_known_of(comm);
  const bool is_tag = tag >= 0 || (tag == MPI_ANY_TAG && side == PendingMessage::Side::received);
  if (on == nullptr || peer == MPI_PROC_NULL || !is_tag) return std::nullopt;
  TrackedRequest what{
      {side, PendingMessage::any_rank, tag == MPI_ANY_TAG ? PendingMessage::any_tag : tag, 0}, comm, 0, on->peers()};
  what.message.communicator = what.peers->digest;
  if (side == PendingMessage::Side::received && peer == MPI_ANY_SOURCE) return what;
  if (peer < 0 || static_cast<std::size_t>(peer) >= what.peers->in_job.size()) return std::nullopt;
  what.message.peer = what.peers->on_host[static_cast<std::size_t>(peer)];
  what.rank = what.peers->in_job[static_cast<std::size_t>(peer)];
  return what;
}

namespace {

std::vector<int> ranks_needed(const NeededRanks& needed, int rank, int size) {
  const bool is_root = rank == needed.root;
  const bool are_all = needed.of == NeededRanks::Of::all || (needed.of == NeededRanks::Of::by_root && is_root);
  std::vector<int> ranks;
  for (int other = 0; other < size; ++other) {
    const bool is_needed = are_all || (needed.of == NeededRanks::Of::lower && other < rank) ||
                           (needed.of == NeededRanks::Of::root && other == needed.root);
    if (is_needed && other != rank) ranks.push_back(other);
  }
  return ranks;
}

}  // namespace

// Collectives between groups are known if their ranks tell one another: whoever compares waits for all of the other
// group.
std::optional<TrackedRequest> begun(const char* function, MPI_Comm comm, const NeededRanks& needed,
                                    std::shared_ptr<CallComparison> comparison) {
  ServedCommunicator* const on = state_known_of(comm);
  int is_between = 0;
  PMPI_Comm_test_inter(comm, &is_between);
  if (on == nullptr || (is_between != 0 && comparison == nullptr)) return std::nullopt;
  TrackedRequest what{{PendingMessage::Side::begun, PendingMessage::other_host, on->count_begun(), on->peers()->digest},
                      comm,
                      0,
                      on->peers()};
  RequestRegistry::all().note_begun(what.message.communicator, what.message.tag);
  what.function = function;
  // A rank that compares waits for all.
  const int own = is_between != 0 ? MPI_PROC_NULL : on->rank();
  const auto others = static_cast<int>(on->peers()->in_job.size());
  what.needed = ranks_needed(comparison != nullptr ? NeededRanks{} : needed, own, others);
  what.comparison = std::move(comparison);
  return what.needed.empty() ? std::nullopt : std::optional(std::move(what));
}

std::string words_of(const TrackedRequest& what) {
  if (what.is_collective()) {
    std::vector<int> ranks;
    for (const int rank : what.needed) ranks.push_back(what.peers->in_job[static_cast<std::size_t>(rank)]);
    const bool are_all = ranks.size() + 1 == what.peers->in_job.size() && ranks.size() > 1;
    return fmt::format("{} to begin {}, nonblocking collective {}", are_all ? "all ranks" : list_of(ranks),
                       what.function, what.message.tag);
  }
  const std::string who = what.is_from_any() ? "any rank"
                          : what.rank < 0    ? "a rank of another job"
                                             : fmt::format("rank {}", what.rank);
  const bool is_any_tag = what.message.tag == PendingMessage::any_tag;
  return fmt::format("{} to {} with {}", who,
                     what.message.side == PendingMessage::Side::sent ? "receive its message" : "send",
                     is_any_tag ? "any tag" : fmt::format("tag {}", what.message.tag));
}

bool is_done(MPI_Request request) {
  int is_done = 0;
  return PMPI_Request_get_status(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
}

bool has_ended(MPI_Request request) {
  const TrackedRequest* const what = RequestRegistry::all().find(request);
  const bool is_compared = what != nullptr && what->comparison != nullptr;
  return (!is_compared || what->comparison->have_all_told()) && is_done(request);
}

RequestRegistry& RequestRegistry::all() {
  static RequestRegistry& only = *new RequestRegistry;
  return only;
}

std::uintptr_t RequestRegistry::key(MPI_Request request) { return key_of(request); }

const TrackedRequest* RequestRegistry::find(MPI_Request request) const {
  const auto found = known_.find(key(request));
  return found == known_.end() ? nullptr : &found->second.what;
}

void RequestRegistry::abandon(MPI_Request request) {
  const TrackedRequest* const what = find(request);
  if (what == nullptr) return;
  const bool is_new =
      !what->is_collective() && std::find(abandoned_.begin(), abandoned_.end(), what->message) == abandoned_.end();
  if (is_new && !is_done(request)) abandoned_.push_back(what->message);
  remove(request);
}

void RequestRegistry::note_begun(std::uint32_t communicator, std::int32_t collectives) {
  const auto known = std::find_if(begun_.begin(), begun_.end(),
                                  [&](const BegunCollectives& each) { return each.communicator == communicator; });
  if (known == begun_.end()) {
    begun_.push_back({communicator, collectives});
  } else {
    known->collectives = std::max(known->collectives, collectives);
  }
}

WorkUnderWay RequestRegistry::under_way(std::span<const MPI_Request> except) const {
  // A profiling library may have ended some unseen, whose handles MPI knows no more.
  const NullSafeQueries quiet(OtherThreads::do_not_call);
  WorkUnderWay beside{abandoned_, begun_};
  for (const auto& [handle, known] : known_) {
    const bool is_left_out = std::find(except.begin(), except.end(), known.request) != except.end();
    if (!is_left_out && !known.what.is_collective() && !is_done(known.request))
      beside.messages.push_back(known.what.message);
  }
  return beside;
}

}  // namespace tutti::interpose
