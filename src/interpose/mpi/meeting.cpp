#include "interpose/mpi/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpose/message_wait.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/requests.hpp"

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

/// The ranks of both groups of an intercommunicator, by their places on this host.
std::vector<int> places_of_both(MPI_Comm handle, const Peers& remote) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(handle, &group);
  std::vector<int> places = remote.on_host;
  for (const int rank : ranks_in_job(group)) places.push_back(job().ranks->host()->place_of(rank));
  PMPI_Group_free(&group);
  return places;
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

void meet_between(MPI_Comm handle, const char* function) {
  Taken* const on = state_known_of(handle);
  int is_between = 0;
  if (on == nullptr || job().ranks->host() == nullptr) return;
  PMPI_Comm_test_inter(handle, &is_between);
  if (is_between == 0) return;
  const std::vector<int> places = places_of_both(handle, *on->peers());
  MPI_Request request = MPI_REQUEST_NULL;
  const bool are_all_here = std::none_of(places.begin(), places.end(), [](int place) { return place < 0; });
  if (!are_all_here || PMPI_Ibarrier(handle, &request) != MPI_SUCCESS) return;
  const std::string what = fmt::format("all ranks to come to {} of intercommunicator {}", function, on->title());
  // Where MPI cannot say, the function that is called next waits itself.
  static_cast<void>(wait_for(*on, what, meeting_of(on->peers()->digest, places), request));
}

}  // namespace tutti::interpose
