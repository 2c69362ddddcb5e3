// Entries of Fortran of the functions in message_entries.cpp.

#include <mpi.h>

#include <functional>
#include <utility>
#include <vector>

#include "interpose/entry/mpich_alltoallw_workaround.hpp"
#include "interpose/fortran/made_request.hpp"
#include "mpi_check/point_to_point/checked_point_to_point.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_check/point_to_point/program_watch.hpp"
#include "mpi_check/point_to_point/request_registry.hpp"
#include "mpi_check/point_to_point/request_wait.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"

namespace tutti::interpose {
namespace {

template <typename Count>
BufferRegion region(void* buffer, void* count, void* type) {
  return {buffer_of(buffer), fortran_argument<Count>(count), fortran_argument<MPI_Datatype>(type)};
}

/// Functions that make a request of a message, as in C.
template <typename Buffer>
BeginOfMpi beginning(int (*function)(Buffer, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*), void* buffer,
                     void* count, void* type, void* peer, void* tag, void* comm) {
  return [=](MPI_Request* request) {
    return function(buffer_of(buffer), int_in(count), fortran_argument<MPI_Datatype>(type), int_in(peer), int_in(tag),
                    comm_in(comm), request);
  };
}

[[maybe_unused]] int begin_message(PendingMessage::Side side, void* comm, void* peer, void* tag, void* request,
                                   const OfMpi& call) {
  return with_request(request, call, [&](const MPI_Request* made, const OfMpi& making) {
    return begin(side, comm_in(comm), int_in(peer), int_in(tag), made, making);
  });
}

/// `exchange` fills the status that it is given, or makes the call, which fills the program's.
template <typename Exchange>
int with_status(void* status, const OfMpi& call, Exchange exchange) {
  if (is_status_ignored(status)) return exchange(MPI_STATUS_IGNORE, call);
  bool is_called = false;
  MPI_Status made;
  PMPI_Status_f2c(static_cast<MPI_Fint*>(status), &made);
  const int code = exchange(&made, [&] {
    is_called = true;
    return call();
  });
  if (!is_called) PMPI_Status_c2f(&made, static_cast<MPI_Fint*>(status));
  return code;
}

void forget_ended_at(const std::vector<MPI_Request>& before, void* requests) {
  forget_ended(before, requests_at(static_cast<int>(before.size()), requests).data());
}

int end(const char* function, int count, void* requests, bool any_suffices, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_at(count, requests);
  const int code = wait(function, before, any_suffices, call);
  forget_ended_at(before, requests);
  return code;
}

bool is_positive(void* number) { return int_in(number) > 0; }
bool is_true(void* flag) { return *static_cast<MPI_Fint*>(flag) != 0; }

int test(const char* function, PollCall::For what, int count, void* requests, const std::function<bool()>& has_found,
         const OfMpi& call, const OfMpi& let_go) {
  const std::vector<MPI_Request> before = requests_at(count, requests);
  const int code = look({function, what, before}, call, has_found, let_go);
  forget_ended_at(before, requests);
  return code;
}

/// The request stays as it is.
int ask(const char* function, void* request, void* flag, const OfMpi& call, const OfMpi& let_go) {
  return look(
      {function, PollCall::For::all_of, requests_at(1, request)}, call, [&] { return is_true(flag); }, let_go);
}

int probe(const char* function, void* source, void* tag, void* comm, void* flag, const OfMpi& call,
          const OfMpi& let_go) {
  return look(
      {function, PollCall::For::message, {}, comm_in(comm), int_in(source), int_in(tag)}, call,
      [&] { return is_true(flag); }, let_go);
}

/// Arguments with which MPI finds nothing to look for, at addresses.
class NothingAtAddresses {
 public:
  void* none() { return &none_; }
  void* nobody() { return &nobody_; }
  void* request() { return &request_; }
  void* handle() { return &request_; }

 private:
  MPI_Fint none_ = 0;
  MPI_Fint nobody_ = MPI_PROC_NULL;
  MPI_Fint request_ = PMPI_Request_c2f(MPI_REQUEST_NULL);
};

template <typename Next>
void free_by_mpi(const Next& next, void* request, void* ierror) {
  forget_started(requests_at(1, request).front());
  next(request, ierror);
}

int free_request(void* request, const OfMpi& call) {
  note_other_call();
  RequestRegistry::all().abandon(requests_at(1, request).front());
  return call();
}

}  // namespace

#include "interpose/generated/message_fortran.inc"
#include "interpose/generated/polling_fortran.inc"

}  // namespace tutti::interpose
