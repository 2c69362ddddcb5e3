// Open MPI's Fortran functions that wait for messages, and those that begin and end what they wait for: see
// message_entries.cpp. MPICH's call the functions of C, but for those of `use mpi_f08` that have no buffer, of which
// those that begin collectives are counted.

#include <mpi.h>

#include <vector>

#include "interpose/mpi/beginning.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/fortran_arguments.hpp"
#include "interpose/mpi/neighbours.hpp"
#include "interpose/mpi/watched.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {
namespace {

MPI_Comm comm_at(void* address) { return PMPI_Comm_f2c(*static_cast<MPI_Fint*>(address)); }

/// What `begin` returns for a call that leaves the request that it has made in `made`.
template <typename Begin>
int with_request(void* request, const OfMpi& call, Begin begin) {
  MPI_Request made = MPI_REQUEST_NULL;
  return begin(&made, [&] {
    const int code = call();
    made = PMPI_Request_f2c(*static_cast<MPI_Fint*>(request));
    return code;
  });
}

int begin_collective_at(const char* function, void* comm, const Needed& needed, const Amount& amount, void* request,
                        const OfMpi& call) {
  return with_request(request, call, [&](const MPI_Request* made, const OfMpi& making) {
    return begin_collective(function, comm_at(comm), needed, amount, made, making);
  });
}

}  // namespace
}  // namespace tutti::interpose

#ifdef OPEN_MPI

namespace tutti::interpose {
namespace {

Region region_at(void* buffer, void* count, void* type) {
  return {buffer_of(buffer), fortran_argument<int>(count), fortran_argument<MPI_Datatype>(type)};
}
int int_at(void* address) { return fortran_argument<int>(address); }

std::vector<MPI_Request> requests_at(int count, void* requests) {
  std::vector<MPI_Request> all;
  for (int k = 0; k < count; ++k) all.push_back(PMPI_Request_f2c(static_cast<MPI_Fint*>(requests)[k]));
  return all;
}

/// What makes a request of a message, as in C.
template <typename Buffer>
BeginOfMpi beginning(int (*function)(Buffer, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*), void* buffer,
                     void* count, void* type, void* peer, void* tag, void* comm) {
  return [=](MPI_Request* request) {
    return function(buffer_of(buffer), int_at(count), fortran_argument<MPI_Datatype>(type), int_at(peer), int_at(tag),
                    comm_at(comm), request);
  };
}

int begin_at(Message::Side side, void* comm, void* peer, void* tag, void* request, const OfMpi& call) {
  return with_request(request, call, [&](const MPI_Request* made, const OfMpi& making) {
    return begin(side, comm_at(comm), int_at(peer), int_at(tag), made, making);
  });
}

Needed of_root(void* root) { return {Needed::Of::root, int_at(root)}; }
Needed of_root_by_counts(void* root) { return {Needed::Of::unknown, int_at(root)}; }
Needed of_all_by_root(void* root) { return {Needed::Of::by_root, int_at(root)}; }

void forget_ended_at(const std::vector<MPI_Request>& before, void* requests) {
  forget_ended(before, requests_at(static_cast<int>(before.size()), requests).data());
}

int end_at(const char* function, int count, void* requests, bool any_suffices, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_at(count, requests);
  const int code = wait(function, before, any_suffices, call);
  forget_ended_at(before, requests);
  return code;
}

int test_at(int count, void* requests, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_at(count, requests);
  const int code = call();
  forget_ended_at(before, requests);
  return code;
}

int free_at(void* request, const OfMpi& call) {
  Requests::all().abandon(requests_at(1, request).front());
  return call();
}

/// `exchange` fills the status that it is given, or makes the call, which fills the program's.
template <typename Made>
int with_status(void* status, const OfMpi& call, Made exchange) {
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

}  // namespace
}  // namespace tutti::interpose

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_WATCH_SYMBOL(SYMBOL, IS_SO, NAME, ARGUMENTS, CODE, WATCHED)                   \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##ARGUMENTS) { \
    using namespace tutti::interpose;                                                       \
    static const Next<void (*)(TUTTI_PLACES_##ARGUMENTS)> next(#SYMBOL);                    \
    if (!(IS_SO)) return next(TUTTI_PASS_##ARGUMENTS);                                      \
    constexpr const char* name = NAME;                                                      \
    static_cast<void>(name);                                                                \
    const auto call = [&]() -> int {                                                        \
      next(TUTTI_PASS_##ARGUMENTS);                                                         \
      return int_at(CODE);                                                                  \
    };                                                                                      \
    *static_cast<MPI_Fint*>(CODE) = done_or_no_memory([&]() -> int { return WATCHED; });    \
  }
#define TUTTI_WATCH_IF(IS_SO, LOWER, UPPER, NAME, ARGUMENTS, CODE, WATCHED) \
  TUTTI_UNDER_ALL_NAMES(TUTTI_WATCH_SYMBOL, LOWER, UPPER, IS_SO, NAME, ARGUMENTS, CODE, WATCHED)
#define TUTTI_WATCH(LOWER, UPPER, NAME, ARGUMENTS, CODE, WATCHED) \
  TUTTI_WATCH_IF(is_watched(), LOWER, UPPER, NAME, ARGUMENTS, CODE, WATCHED)
#define TUTTI_WATCH_SEND(LOWER, UPPER, NAME, BEGIN) \
  TUTTI_WATCH(LOWER, UPPER, NAME, 7, g,             \
              send(name, comm_at(f), int_at(d), int_at(e), beginning(PMPI_##BEGIN, a, b, c, d, e, f), call))
#define TUTTI_WATCH_BEGIN(LOWER, UPPER, SIDE) \
  TUTTI_WATCH(LOWER, UPPER, "", 8, h, begin_at(Message::Side::SIDE, f, d, e, g, call))

TUTTI_WATCH(recv, RECV, "MPI_Recv", 8, h, receive(name, comm_at(f), int_at(d), int_at(e), call))
TUTTI_WATCH(probe, PROBE, "MPI_Probe", 5, e, receive(name, comm_at(c), int_at(a), int_at(b), call))
TUTTI_WATCH(mprobe, MPROBE, "MPI_Mprobe", 6, f, receive(name, comm_at(c), int_at(a), int_at(b), call))
TUTTI_WATCH_SEND(send, SEND, "MPI_Send", Isend)
TUTTI_WATCH_SEND(ssend, SSEND, "MPI_Ssend", Issend)
TUTTI_WATCH_SEND(rsend, RSEND, "MPI_Rsend", Irsend)
TUTTI_WATCH(sendrecv, SENDRECV, "MPI_Sendrecv", 13, m,
            with_status(l, call, [&](MPI_Status* status, const OfMpi& of_mpi) {
              return exchange(
                  name,
                  {comm_at(k), int_at(d), int_at(e), int_at(i), int_at(j), beginning(PMPI_Isend, a, b, c, d, e, k),
                   beginning(PMPI_Irecv, f, g, h, i, j, k), region_at(a, b, c), region_at(f, g, h)},
                  status, of_mpi);
            }))
TUTTI_WATCH(sendrecv_replace, SENDRECV_REPLACE, "MPI_Sendrecv_replace", 10, j,
            with_status(i, call, [&](MPI_Status* status, const OfMpi& of_mpi) {
              return exchange_in_place(
                  name,
                  {comm_at(h), int_at(d), int_at(e), int_at(f), int_at(g), {}, beginning(PMPI_Irecv, a, b, c, f, g, h)},
                  buffer_of(a), int_at(b), fortran_argument<MPI_Datatype>(c), status, of_mpi);
            }))

#define TUTTI_WATCH_BEGINNING(NAME, LOWER, UPPER, ARGUMENTS, COMM, REQUEST, PLACES, CODE, NEEDED, AMOUNT) \
  TUTTI_WATCH_IF(are_beginnings_told(), LOWER, UPPER, "MPI_" #NAME, PLACES, CODE,                         \
                 begin_collective_at(name, COMM, NEEDED, AMOUNT, REQUEST, call))
TUTTI_BEGINNINGS(TUTTI_WATCH_BEGINNING)

TUTTI_WATCH_BEGIN(isend, ISEND, sent)
TUTTI_WATCH_BEGIN(issend, ISSEND, sent)
TUTTI_WATCH_BEGIN(irsend, IRSEND, sent)
TUTTI_WATCH_BEGIN(ibsend, IBSEND, sent)
TUTTI_WATCH_BEGIN(irecv, IRECV, received)
TUTTI_WATCH_BEGIN(send_init, SEND_INIT, sent)
TUTTI_WATCH_BEGIN(ssend_init, SSEND_INIT, sent)
TUTTI_WATCH_BEGIN(rsend_init, RSEND_INIT, sent)
TUTTI_WATCH_BEGIN(bsend_init, BSEND_INIT, sent)
TUTTI_WATCH_BEGIN(recv_init, RECV_INIT, received)

TUTTI_WATCH(wait, WAIT, "MPI_Wait", 3, c, end_at(name, 1, a, false, call))
TUTTI_WATCH(waitall, WAITALL, "MPI_Waitall", 4, d, end_at(name, int_at(a), b, false, call))
TUTTI_WATCH(waitany, WAITANY, "MPI_Waitany", 5, e, end_at(name, int_at(a), b, true, call))
TUTTI_WATCH(waitsome, WAITSOME, "MPI_Waitsome", 6, f, end_at(name, int_at(a), b, true, call))
TUTTI_WATCH(test, TEST, "", 4, d, test_at(1, a, call))
TUTTI_WATCH(testall, TESTALL, "", 5, e, test_at(int_at(a), b, call))
TUTTI_WATCH(testany, TESTANY, "", 6, f, test_at(int_at(a), b, call))
TUTTI_WATCH(testsome, TESTSOME, "", 6, f, test_at(int_at(a), b, call))
TUTTI_WATCH(request_free, REQUEST_FREE, "", 2, b, free_at(a, call))
// NOLINTEND

#else

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
/// The error code may be left out.
#define TUTTI_COUNT_BEGINNING(LOWER, NAME, PLACES, COMM, REQUEST, CODE)                               \
  extern "C" __attribute__((visibility("default"))) void mpi_##LOWER##_f08_(TUTTI_PLACES_##PLACES) {  \
    using namespace tutti::interpose;                                                                 \
    static const Next<void (*)(TUTTI_PLACES_##PLACES)> next("mpi_" #LOWER "_f08_");                   \
    if (!are_beginnings_told()) return next(TUTTI_PASS_##PLACES);                                     \
    auto* const place = static_cast<MPI_Fint*>(CODE);                                                 \
    const auto call = [&]() -> int {                                                                  \
      next(TUTTI_PASS_##PLACES);                                                                      \
      return place == nullptr ? MPI_SUCCESS : *place;                                                 \
    };                                                                                                \
    const int code = done_or_no_memory(                                                               \
        [&] { return begin_collective_at("MPI_" #NAME, COMM, of_all(), nothing(), REQUEST, call); }); \
    if (place != nullptr) *place = code;                                                              \
  }
TUTTI_COUNT_BEGINNING(ibarrier, Ibarrier, 3, a, b, c)
TUTTI_COUNT_BEGINNING(comm_idup, Comm_idup, 4, a, c, d)
TUTTI_COUNT_BEGINNING(comm_idup_with_info, Comm_idup_with_info, 5, a, d, e)
// NOLINTEND

#endif

// The functions of C have some of the same names, and several files may be compiled as one.
#undef TUTTI_WATCH_IF
#undef TUTTI_WATCH
#undef TUTTI_WATCH_SEND
#undef TUTTI_WATCH_BEGIN
#undef TUTTI_WATCH_BEGINNING
