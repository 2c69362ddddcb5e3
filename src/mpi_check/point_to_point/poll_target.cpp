#include "mpi_check/point_to_point/poll_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {
namespace {

bool is_of_one_rank(MPI_Comm comm) {
  int size = 0;
  return PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size == 1;
}

/// Adds the messages without which what `each` has begun does not end.
void add_all(std::vector<PendingMessage>& all, const TrackedRequest& each) {
  if (!each.is_collective()) return all.push_back(each.message);
  for (const int rank : each.needed) {
    all.push_back(each.message);
    all.back().peer = each.peers->on_host[static_cast<std::size_t>(rank)];
  }
}
/// Adds those of which the first that comes ends it.
void add_any(std::vector<PendingMessage>& any, const TrackedRequest& each) {
  if (!each.is_from_any()) return any.push_back(each.message);
  for (const int place : each.peers->on_host) {
    any.push_back(each.message);
    any.back().peer = place;
  }
}

}  // namespace

bool PollTarget::is_there() const {
  if (look_.what == PollCall::For::message) {
    int is_there = 0;
    return PMPI_Iprobe(look_.source, look_.tag, look_.comm, &is_there, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
           is_there != 0;
  }
  const auto is_open = [](MPI_Request each) { return each != MPI_REQUEST_NULL && !has_ended(each); };
  return look_.what == PollCall::For::one_of ? !std::all_of(look_.requests.begin(), look_.requests.end(), is_open)
                                             : std::none_of(look_.requests.begin(), look_.requests.end(), is_open);
}

std::optional<std::vector<TrackedRequest>> PollTarget::posted_now() const {
  if (look_.what == PollCall::For::message) {
    const auto what = tracked_message(PendingMessage::Side::received, look_.comm, look_.source, look_.tag);
    if (!what || is_of_one_rank(look_.comm)) return std::nullopt;
    return std::vector<TrackedRequest>{*what};
  }
  std::vector<TrackedRequest> all;
  for (const MPI_Request request : look_.requests) {
    if (request == MPI_REQUEST_NULL || has_ended(request)) continue;
    const TrackedRequest* const what = RequestRegistry::all().find(request);
    if (what == nullptr) return std::nullopt;
    all.push_back(*what);
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

void AwaitedByLoop::add(const PollTarget& thing, const std::vector<TrackedRequest>& known) {
  const bool are_apart = thing.look().what == PollCall::For::one_of || known.size() == 1;
  if (!are_apart) add_together(known);
  for (const TrackedRequest& each : known) {
    if (are_apart && each.is_collective()) add_together({each});
    if (are_apart && !each.is_collective()) add_any(what_.awaited, each);
    for_words_.push_back(each);
  }
  if (are_apart && known.size() > 1) word_ = " or ";
  const std::string name = thing.look().function;
  if (functions_.find(name) == std::string::npos) functions_ += functions_.empty() ? name : ", " + name;
  things_ += 1;
}

AwaitedMessages AwaitedByLoop::told(const std::vector<MPI_Request>& requests) {
  what_.any_suffices = true;
  const WorkUnderWay under_way = RequestRegistry::all().under_way(requests);
  what_.beside.messages.insert(what_.beside.messages.end(), under_way.messages.begin(), under_way.messages.end());
  what_.beside.collectives = under_way.collectives;
  what_.text = with_call_site(text());
  return std::move(what_);
}

// A message that any rank may send needs none of them in particular, among several that are all awaited.
void AwaitedByLoop::add_together(const std::vector<TrackedRequest>& known) {
  std::vector<PendingMessage> all;
  for (const TrackedRequest& each : known)
    each.is_from_any() ? what_.beside.messages.push_back(each.message) : add_all(all, each);
  if (!all.empty()) what_.or_all_of.push_back(std::move(all));
}

std::string AwaitedByLoop::text() const {
  constexpr std::size_t most_named = 2;
  std::string words;
  for (std::size_t k = 0; k < std::min(for_words_.size(), most_named); ++k)
    words += fmt::format("{}{}", k == 0 ? "" : things_ > 1 ? " or " : word_, words_of(for_words_[k]));
  if (for_words_.size() > most_named) words += fmt::format(", and {} messages more", for_words_.size() - most_named);
  const ServedCommunicator* const own = state_known_of(for_words_.front().comm);
  return fmt::format("{}, in {} of {}", words, functions_,
                     (own != nullptr ? own : state_known_of(MPI_COMM_WORLD))->title());
}

}  // namespace tutti::interpose
