#include "mpi_check/point_to_point/checked_point_to_point.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/request_wait.hpp"
#include "mpi_check/point_to_point/watched_call.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {
namespace {

/// A request of this library's own for what the program calls; one that goes nowhere ends at once. Where there is no
/// memory to remember it, its wait is MPI's.
int begin_known(const std::optional<TrackedRequest>& what, const BeginOfMpi& begin, MPI_Request* request) {
  const int code = begin(request);
  if (code != MPI_SUCCESS || !what) return code;
  try {
    RequestRegistry::all().add(*request, *what);
  } catch (const std::bad_alloc&) {
    RequestRegistry::all().remove(*request);
  }
  return code;
}

/// Leaves the requests of a call whose wait never ends to MPI; returns that code.
int leave_to_mpi(std::vector<MPI_Request> requests, int code) {
  std::erase(requests, MPI_REQUEST_NULL);
  for (MPI_Request& request : requests) {
    try {
      RequestRegistry::all().abandon(request);
    } catch (const std::bad_alloc&) {
      RequestRegistry::all().remove(request);
    }
    PMPI_Cancel(&request);
    PMPI_Request_free(&request);
  }
  return code;
}

/// Watches requests of this library's own, as watch() does: if the wait ends with an error, or with an exception of the
/// error handler's, MPI gets no buffer of the program's any more.
std::optional<int> watch_own(const char* function, std::vector<MPI_Request>& begun) {
  try {
    const auto error = watch_requests(function, begun, false);
    return error ? std::optional(leave_to_mpi(std::move(begun), *error)) : std::nullopt;
  } catch (...) {
    leave_to_mpi(std::move(begun), MPI_ERR_OTHER);
    throw;
  }
}

}  // namespace

int receive(const char* function, MPI_Comm comm, int source, int tag, const OfMpi& call) {
  note_other_call();
  const std::optional<TrackedRequest> what = tracked_message(PendingMessage::Side::received, comm, source, tag);
  if (!what) return call();
  WatchedCall wait(function, {*what});
  const auto has_come = [&] {
    int is_there = 0;
    return PMPI_Iprobe(source, tag, comm, &is_there, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_there != 0;
  };
  if (const auto error = wait.wait_for(has_come)) return *error;
  return call();
}

int send(const char* function, MPI_Comm comm, int rank, int tag, const BeginOfMpi& begin, const OfMpi& call) {
  note_other_call();
  const std::optional<TrackedRequest> what = tracked_message(PendingMessage::Side::sent, comm, rank, tag);
  if (!what) return call();
  std::vector<MPI_Request> begun(1, MPI_REQUEST_NULL);
  MPI_Request& request = begun.front();
  if (const int code = begin_known(what, begin, &request); code != MPI_SUCCESS) return code;
  if (const auto error = watch_own(function, begun)) return *error;
  RequestRegistry::all().remove(request);
  return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

namespace {

/// After the exchange: what the rank has sent, and where it has received, are to be apart.
int apart_or_raised(const char* function, const SendReceive& what) {
  const std::int64_t common = bytes_in_common(what.sent, what.received);
  const ServedCommunicator* const on = common == 0 ? nullptr : state_known_of(what.comm);
  if (on == nullptr) return MPI_SUCCESS;
  return raise_of_this_rank(*on, overlap(function, on->rank(), common, "; MPI_Sendrecv_replace has one buffer"));
}

}  // namespace

int exchange(const char* function, const SendReceive& what, MPI_Status* status, const OfMpi& call) {
  note_other_call();
  const auto received = tracked_message(PendingMessage::Side::received, what.comm, what.from, what.tag_from);
  const auto sent = tracked_message(PendingMessage::Side::sent, what.comm, what.to, what.tag_to);
  if (!received && !sent) return call();
  // All memory that is needed once they are begun.
  std::vector<MPI_Request> begun(2, MPI_REQUEST_NULL);
  if (const int code = begin_known(received, what.receive, &begun[0]); code != MPI_SUCCESS) return code;
  if (const int code = begin_known(sent, what.send, &begun[1]); code != MPI_SUCCESS)
    return leave_to_mpi(std::move(begun), code);
  if (const auto error = watch_own(function, begun)) return *error;
  for (const MPI_Request request : begun) RequestRegistry::all().remove(request);
  MPI_Status both[2];
  const int code = PMPI_Waitall(2, begun.data(), both);
  if (status != MPI_STATUS_IGNORE) {
    const int error = std::exchange(*status, both[0]).MPI_ERROR;
    status->MPI_ERROR = error;  // functions with one status leave it as it is
  }
  if (code == MPI_SUCCESS && received && sent) return apart_or_raised(function, what);
  if (code != MPI_ERR_IN_STATUS) return code;
  return both[0].MPI_ERROR != MPI_SUCCESS ? both[0].MPI_ERROR : both[1].MPI_ERROR;
}

int exchange_in_place(const char* function, const SendReceive& what, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status, const OfMpi& call) {
  int bytes = 0;
  MPI_Count each = 0;
  // The program's error handler has heard of it if MPI refuses the arguments.
  if (const int code = PMPI_Pack_size(count, type, what.comm, &bytes); code != MPI_SUCCESS) return code;
  if (bytes < 0) return call();
  // Open MPI tells the lower half of a size that is too large for an int.
  if (PMPI_Type_size_x(type, &each) != MPI_SUCCESS || (count > 0 && each > bytes / count)) return call();
  std::unique_ptr<std::byte[]> packed(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
  if (packed == nullptr) return call();
  int end = 0;
  if (const int code = PMPI_Pack(buffer, count, type, packed.get(), bytes, &end, what.comm); code != MPI_SUCCESS)
    return code;
  // The buffer is nobody's until the exchange has ended: MPI may still read it if that fails.
  std::byte* const sent = packed.release();
  SendReceive apart = what;
  apart.send = [&](MPI_Request* request) {
    return PMPI_Isend(sent, end, MPI_PACKED, what.to, what.tag_to, what.comm, request);
  };
  const int code = exchange(function, apart, status, call);
  if (code == MPI_SUCCESS) packed.reset(sent);
  return code;
}

int begin(PendingMessage::Side side, MPI_Comm comm, int peer, int tag, const MPI_Request* request, const OfMpi& call) {
  note_other_call();
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  RequestRegistry::all().remove(*request);
  if (const auto what = tracked_message(side, comm, peer, tag)) RequestRegistry::all().add(*request, *what);
  return code;
}

}  // namespace tutti::interpose
