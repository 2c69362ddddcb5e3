// The functions of C that wait for messages, and those that begin and end what they wait for: taken over in a program
// that is checked, and else passed on.

#include <mpi.h>

#include <vector>

#include "interpose/mpi/beginning.hpp"
#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/neighbours.hpp"
#include "interpose/mpi/watched.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {
namespace {

int int_of(Word word) { return argument<int, int>(word); }
MPI_Comm comm_of(Word word) { return argument<MPI_Comm, int>(word); }
MPI_Request* request_of(Word word) { return reinterpret_cast<MPI_Request*>(word); }
template <typename Count>
Region region_of(Word buffer, Word count, Word type) {
  return {argument<const void*, Count>(buffer), argument<MPI_Count, Count>(count), argument<MPI_Datatype, Count>(type)};
}
Region region(Word buffer, Word count, Word type) { return region_of<int>(buffer, count, type); }
#ifdef MPICH_VERSION
Region region_c(Word buffer, Word count, Word type) { return region_of<MPI_Count>(buffer, count, type); }
#endif
Word word_of(const void* address) { return reinterpret_cast<Word>(address); }

std::vector<MPI_Request> requests_of(Word count, Word requests) {
  const MPI_Request* const first = request_of(requests);
  return first == nullptr || int_of(count) < 0 ? std::vector<MPI_Request>()
                                               : std::vector<MPI_Request>(first, first + int_of(count));
}

/// A function of MPI's, with words as its arguments and a request as the last one.
template <typename Function, typename... Words>
BeginOfMpi beginning(Function* function, Words... words) {
  return [=](MPI_Request* request) {
    return reinterpret_cast<int (*)(Words..., Word)>(reinterpret_cast<void*>(function))(words..., word_of(request));
  };
}

int end(const char* function, Word count, Word requests, bool any_suffices, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_of(count, requests);
  const int code = wait(function, before, any_suffices, call);
  forget_ended(before, request_of(requests));
  return code;
}

int test(Word count, Word requests, const OfMpi& call) {
  const std::vector<MPI_Request> before = requests_of(count, requests);
  const int code = call();
  forget_ended(before, request_of(requests));
  return code;
}

Needed of_root(Word root) { return {Needed::Of::root, int_of(root)}; }
Needed of_root_by_counts(Word root) { return {Needed::Of::unknown, int_of(root)}; }
Needed of_all_by_root(Word root) { return {Needed::Of::by_root, int_of(root)}; }

int free_request(Word request, const OfMpi& call) {
  if (request != 0) Requests::all().abandon(*request_of(request));  // MPI refuses null
  return call();
}

}  // namespace

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_WATCH_IF(IS_SO, NAME, ARGUMENTS, WATCHED)                                                          \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) asm("MPI_" #NAME); \
  int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) {                                                                    \
    using Function = int (*)(TUTTI_WORDS_##ARGUMENTS);                                                           \
    static const Next<Function> next("MPI_" #NAME, PMPI_##NAME);                                                 \
    constexpr const char* name = "MPI_" #NAME;                                                                   \
    if (!(IS_SO)) return next(TUTTI_PASS_##ARGUMENTS);                                                           \
    const auto call = [&] { return next(TUTTI_PASS_##ARGUMENTS); };                                              \
    static_cast<void>(name);                                                                                     \
    return done_or_no_memory([&]() -> int { return WATCHED; });                                                  \
  }

#define TUTTI_WATCH(NAME, ARGUMENTS, WATCHED) TUTTI_WATCH_IF(is_watched(), NAME, ARGUMENTS, WATCHED)

#define TUTTI_WATCH_SEND(NAME, BEGIN) \
  TUTTI_WATCH(NAME, 6, send(name, comm_of(f), int_of(d), int_of(e), beginning(PMPI_##BEGIN, a, b, c, d, e, f), call))
#define TUTTI_WATCH_BEGIN(NAME, SIDE) \
  TUTTI_WATCH(NAME, 7, begin(Message::Side::SIDE, comm_of(f), int_of(d), int_of(e), request_of(g), call))

#define TUTTI_WATCH_ALL(SUFFIX)                                                                                     \
  TUTTI_WATCH(Recv##SUFFIX, 7, receive(name, comm_of(f), int_of(d), int_of(e), call))                               \
  TUTTI_WATCH_SEND(Send##SUFFIX, Isend##SUFFIX)                                                                     \
  TUTTI_WATCH_SEND(Ssend##SUFFIX, Issend##SUFFIX)                                                                   \
  TUTTI_WATCH_SEND(Rsend##SUFFIX, Irsend##SUFFIX)                                                                   \
  TUTTI_WATCH(                                                                                                      \
      Sendrecv##SUFFIX, 12,                                                                                         \
      exchange(                                                                                                     \
          name,                                                                                                     \
          {comm_of(k), int_of(d), int_of(e), int_of(i), int_of(j), beginning(PMPI_Isend##SUFFIX, a, b, c, d, e, k), \
           beginning(PMPI_Irecv##SUFFIX, f, g, h, i, j, k), region##SUFFIX(a, b, c), region##SUFFIX(f, g, h)},      \
          reinterpret_cast<MPI_Status*>(l), call))                                                                  \
  TUTTI_WATCH_BEGIN(Isend##SUFFIX, sent)                                                                            \
  TUTTI_WATCH_BEGIN(Issend##SUFFIX, sent)                                                                           \
  TUTTI_WATCH_BEGIN(Irsend##SUFFIX, sent)                                                                           \
  TUTTI_WATCH_BEGIN(Ibsend##SUFFIX, sent)                                                                           \
  TUTTI_WATCH_BEGIN(Irecv##SUFFIX, received)                                                                        \
  TUTTI_WATCH_BEGIN(Send_init##SUFFIX, sent)                                                                        \
  TUTTI_WATCH_BEGIN(Ssend_init##SUFFIX, sent)                                                                       \
  TUTTI_WATCH_BEGIN(Rsend_init##SUFFIX, sent)                                                                       \
  TUTTI_WATCH_BEGIN(Bsend_init##SUFFIX, sent)                                                                       \
  TUTTI_WATCH_BEGIN(Recv_init##SUFFIX, received)

TUTTI_WATCH_ALL()
#ifdef MPICH_VERSION
TUTTI_WATCH_ALL(_c)
#endif

#define TUTTI_WATCH_BEGINNING(NAME, LOWER, UPPER, ARGUMENTS, COMM, REQUEST, PLACES, CODE, NEEDED, AMOUNT) \
  TUTTI_WATCH_IF(are_beginnings_told(), NAME, ARGUMENTS,                                                  \
                 begin_collective(name, comm_of(COMM), NEEDED, AMOUNT, request_of(REQUEST), call))
TUTTI_BEGINNINGS(TUTTI_WATCH_BEGINNING)
#ifdef MPICH_VERSION
TUTTI_BEGINNINGS_WITH_COUNTS(TUTTI_WATCH_BEGINNING, _c, _c, _C)
TUTTI_BEGINNINGS_OF_MPICH(TUTTI_WATCH_BEGINNING)
#endif

TUTTI_WATCH(Probe, 4, receive(name, comm_of(c), int_of(a), int_of(b), call))
TUTTI_WATCH(Mprobe, 5, receive(name, comm_of(c), int_of(a), int_of(b), call))
TUTTI_WATCH(Sendrecv_replace, 9,
            exchange_in_place(
                name,
                {comm_of(h), int_of(d), int_of(e), int_of(f), int_of(g), {}, beginning(PMPI_Irecv, a, b, c, f, g, h)},
                reinterpret_cast<const void*>(a), int_of(b), argument<MPI_Datatype, int>(c),
                reinterpret_cast<MPI_Status*>(i), call))

TUTTI_WATCH(Wait, 2, end(name, 1, a, false, call))
TUTTI_WATCH(Waitall, 3, end(name, a, b, false, call))
TUTTI_WATCH(Waitany, 4, end(name, a, b, true, call))
TUTTI_WATCH(Waitsome, 5, end(name, a, b, true, call))
TUTTI_WATCH(Test, 3, test(1, a, call))
TUTTI_WATCH(Testall, 4, test(a, b, call))
TUTTI_WATCH(Testany, 5, test(a, b, call))
TUTTI_WATCH(Testsome, 5, test(a, b, call))
TUTTI_WATCH(Request_free, 1, free_request(a, call))
// NOLINTEND

}  // namespace tutti::interpose
