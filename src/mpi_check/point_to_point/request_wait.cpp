#include "mpi_check/point_to_point/request_wait.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <utility>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/point_to_point/watched_call.hpp"

namespace tutti::interpose {
namespace {

/// Takes what has ended out of `open`; returns whether that was any.
bool take_out_done(std::vector<MPI_Request>& open) { return std::erase_if(open, has_ended) > 0; }

std::vector<TrackedRequest> what_is_known(const std::vector<MPI_Request>& requests) {
  std::vector<TrackedRequest> known;
  for (const MPI_Request request : requests) {
    if (const TrackedRequest* const what = RequestRegistry::all().find(request)) known.push_back(*what);
  }
  return known;
}

/// Whether what these requests need can be told: each of several collectives may need several ranks, which is too much
/// to say where one of them suffices.
bool can_be_told(const std::vector<TrackedRequest>& known, bool any_suffices) {
  return !any_suffices || known.size() == 1 ||
         std::none_of(known.begin(), known.end(), [](const TrackedRequest& each) { return each.is_collective(); });
}

/// Returns once all of the requests have ended, or one of them where that suffices, or where there are some among them
/// of which nobody but MPI knows what they need; or the error's code where they never will.
std::optional<int> wait_for_known(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices) {
  std::vector<MPI_Request> open = requests;
  std::erase(open, MPI_REQUEST_NULL);
  const bool has_any = take_out_done(open);
  std::vector<TrackedRequest> known = what_is_known(open);
  if (open.empty() || known.size() != open.size() || (has_any && any_suffices)) return std::nullopt;
  if (!can_be_told(known, any_suffices)) return std::nullopt;
  WatchedCall wait(function, std::move(known), any_suffices);
  const auto have_come = [&] {
    if (!take_out_done(open)) return false;
    if (any_suffices || open.empty()) return true;
    wait.set_awaited(what_is_known(open));
    return false;
  };
  return wait.wait_for(have_come, requests);
}

}  // namespace

std::optional<int> watch_requests(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices) {
  try {
    return wait_for_known(function, requests, any_suffices);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

int wait(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices, const OfMpi& call) {
  note_other_call();
  if (const auto error = watch_requests(function, requests, any_suffices)) return *error;
  const auto difference = raise_difference();
  return difference ? *difference : call();
}

void forget_ended(const std::vector<MPI_Request>& before, const MPI_Request* now) {
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (now[k] == MPI_REQUEST_NULL && before[k] != MPI_REQUEST_NULL) RequestRegistry::all().remove(before[k]);
  }
}

}  // namespace tutti::interpose
