#include "interpose/mpi/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/rank_lists.hpp"
#include "interpose/message_wait.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/inside.hpp"
#include "interpose/mpi/requests.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {
namespace {

Meeting meeting_of(std::uint32_t communicator, const std::vector<int>& on_host) {
  const int own = job().ranks->host()->place;
  Meeting meeting{communicator, {}};
  for (const int place : on_host) {
    if (place >= 0 && place != own) meeting.others.push_back(place);
  }
  return meeting;
}

AwaitedMessages told(const std::string& what, const Meeting& meeting) {
  AwaitedMessages all;
  all.beside = Requests::all().under_way();
  all.text = with_call_site(what);
  all.meeting = meeting;
  return all;
}

/// Waits until `has_ended` says so, as meet() does; `what` follows "waits for".
void wait_for(Taken& on, const std::string& what, const Meeting& meeting, const std::function<bool()>& has_ended) {
  MessageWait wait(*job().ranks->host());
  bool is_told = false;
  std::string text;  // finding a call site takes milliseconds
  while (!has_ended()) {
    std::optional<Hang> hang = wait.pass_time([&] { return told(what, meeting); });
    if (is_told) continue;
    if (!hang && wait.is_overdue()) {
      if (text.empty()) text = with_call_site(what);
      hang = wait.overdue(meeting, text);
    }
    if (!hang) continue;
    is_told = true;
    raise(on, *hang);
  }
}

/// The same until MPI has done what was begun; returns whether it has without an error.
bool wait_for(Taken& on, const std::string& what, const Meeting& meeting, MPI_Request request) {
  bool has_failed = false;
  wait_for(on, what, meeting, [&] {
    int is_done = 0;
    has_failed = PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return has_failed || is_done != 0;
  });
  return !has_failed;
}

std::string first_collective_of(const Taken& on, const char* function) {
  return fmt::format("all ranks to come to the first collective of communicator {}, in {}", on.title(), function);
}

Meeting meeting_of(Taken& on) { return meeting_of(on.peers()->digest, on.peers()->on_host); }

/// A group's own numbers in MPI_COMM_WORLD, of an intercommunicator.
std::vector<int> own_ranks_in_job(MPI_Comm handle) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(handle, &group);
  std::vector<int> ranks = ranks_in_job(group);
  PMPI_Group_free(&group);
  return ranks;
}

/// The ranks of both groups of an intercommunicator, by their places on this host.
std::vector<int> places_of_both(const std::vector<int>& own, const Peers& remote) {
  std::vector<int> places = remote.on_host;
  for (const int rank : own) places.push_back(job().ranks->host()->place_of(rank));
  return places;
}

/// Of an intercommunicator all of whose ranks have come to some function: a sentence that says who has called what,
/// where that is not the same, alike on all ranks. MPI tells each rank what those of the other group say, so that each
/// group hears of itself from the other one.
std::optional<std::string> difference_between(Taken& on, const char* function, const std::vector<int>& own) {
  using Name = std::array<char, 48>;
  constexpr int bytes = sizeof(Name);
  const std::vector<int>& others = on.peers()->in_job;
  Name mine = {};
  without_width(function).copy(mine.data(), mine.size() - 1);
  std::vector<Name> theirs(others.size());
  std::vector<Name> ours(own.size() * others.size());
  const int to_each = bytes * static_cast<int>(others.size());
  const int of_each = bytes * static_cast<int>(own.size());
  if (PMPI_Allgather(mine.data(), bytes, MPI_BYTE, theirs.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS ||
      PMPI_Allgather(theirs.data(), to_each, MPI_BYTE, ours.data(), of_each, MPI_BYTE, on.handle()) != MPI_SUCCESS)
    return std::nullopt;
  RankGroups groups;
  for (std::size_t k = 0; k < others.size(); ++k) groups.add(others[k], theirs[k].data());
  for (std::size_t k = 0; k < own.size(); ++k) groups.add(own[k], ours[k].data());
  std::vector<RankGroup> all = groups.largest_first();
  if (all.size() == 1) return std::nullopt;
  std::reverse(all.begin(), all.end());  // the odd ones first
  std::string sentence;
  for (const auto& [ranks, name] : all)
    sentence += fmt::format("{}{} called {}", sentence.empty() ? "" : "; ", list_of(ranks), name);
  return fmt::format("{} (ranks of MPI_COMM_WORLD, on intercommunicator {})", sentence, on.title());
}

}  // namespace

bool meet(Taken& on, const char* function, MPI_Request request) {
  return wait_for(on, first_collective_of(on, function), meeting_of(on), request);
}

bool all_have_called(Taken& on, const char* function) {
  const auto comparison = Comparison::begin(on, Comparison::Kind::blocking,
                                            {.words = fmt::format("called {}", function), .kind = {}, .flows = {}});
  if (comparison == nullptr) return true;
  wait_for(on, first_collective_of(on, function), meeting_of(on), [&] { return comparison->have_all_told(); });
  return !comparison->difference() || !raise_difference();
}

std::optional<int> meet_between(MPI_Comm handle, const char* function, const void* entry) {
  if (!is_checked() || !is_job_ready() || Inside::is_so(entry)) return std::nullopt;
  Taken* const on = state_known_of(handle);
  int is_between = 0;
  if (on == nullptr || job().ranks->host() == nullptr) return std::nullopt;
  PMPI_Comm_test_inter(handle, &is_between);
  if (is_between == 0) return std::nullopt;
  return done_or_raised(*on, [&]() -> std::optional<int> {
    const Inside inside;
    const std::vector<int> own = own_ranks_in_job(handle);
    const std::vector<int> places = places_of_both(own, *on->peers());
    MPI_Request request = MPI_REQUEST_NULL;
    const bool are_all_here = std::none_of(places.begin(), places.end(), [](int place) { return place < 0; });
    if (!are_all_here || PMPI_Ibarrier(handle, &request) != MPI_SUCCESS) return std::nullopt;
    const std::string what = fmt::format("all ranks to come to {} of intercommunicator {}", function, on->title());
    // Where MPI cannot say, the function that is called next waits itself.
    if (!wait_for(*on, what, meeting_of(on->peers()->digest, places), request)) return std::nullopt;
    if (const auto difference = difference_between(*on, function, own)) throw Error(ErrorCode::mismatch, *difference);
    return std::nullopt;
  });
}

std::string_view without_width(std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  return function;
}

}  // namespace tutti::interpose
