#include "mpi_check/point_to_point/watched_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_job/communicators/errors.hpp"

namespace tutti::interpose {

std::optional<int> WatchedCall::wait_for(const std::function<bool()>& has_come,
                                         const std::vector<MPI_Request>& requests) {
  while (!has_come()) {
    if (const auto code = raise_difference()) return code;
    const std::optional<Hang> hang = wait_.pass_time([&] { return told(requests); });
    if (!hang) continue;
    for (const TrackedRequest& each : awaited_) give_up(each.comparison);
    return raise(on(), *hang);
  }
  return std::nullopt;
}

const ServedCommunicator& WatchedCall::on() const {
  const ServedCommunicator* const own = state_known_of(awaited_.front().comm);
  return own != nullptr ? *own : *state_known_of(MPI_COMM_WORLD);
}

AwaitedMessages WatchedCall::told(const std::vector<MPI_Request>& requests) const {
  AwaitedMessages what;
  const TrackedRequest& first = awaited_.front();
  what.any_suffices = (any_suffices_ && !first.is_collective()) || (awaited_.size() == 1 && first.is_from_any());
  for (const TrackedRequest& each : awaited_) {
    if (each.is_collective()) {
      for (const int rank : each.needed) {
        what.awaited.push_back(each.message);
        what.awaited.back().peer = each.peers->on_host[static_cast<std::size_t>(rank)];
      }
    } else if (!each.is_from_any()) {
      what.awaited.push_back(each.message);
    } else if (what.any_suffices) {
      for (const int place : each.peers->on_host) {
        what.awaited.push_back(each.message);
        what.awaited.back().peer = place;
      }
    }
  }
  what.beside = RequestRegistry::all().under_way(requests);
  // A message that any rank may send needs none of them in particular, among several that are all awaited.
  for (const TrackedRequest& each : awaited_) {
    if (each.is_from_any() && !what.any_suffices) what.beside.messages.push_back(each.message);
  }
  what.text = with_call_site(text());
  return what;
}

std::string WatchedCall::text() const {
  constexpr std::size_t most_named = 2;
  std::string what;
  for (std::size_t k = 0; k < std::min(awaited_.size(), most_named); ++k)
    what += fmt::format("{}{}", k == 0 ? "" : any_suffices_ ? " or " : " and ", words_of(awaited_[k]));
  if (awaited_.size() > most_named) what += fmt::format(", and {} messages more", awaited_.size() - most_named);
  return fmt::format("{}, in {} of {}", what, function_, on().title());
}

}  // namespace tutti::interpose
