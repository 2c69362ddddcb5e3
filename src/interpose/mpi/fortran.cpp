// Open MPI's Fortran functions, which call none of C's names that could be taken over: `mpif.h` and `use mpi` under
// four manglings, and what `use mpi_f08` calls. MPICH's collectives call the functions of C; what has no buffer in
// `use mpi_f08` does not.

#include <mpi.h>

#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/entry.hpp"
#include "interpose/mpi/fortran_arguments.hpp"
#include "interpose/mpi/inside.hpp"
#include "interpose/mpi/meeting.hpp"
#include "interpose/mpi/passed.hpp"
#include "interpose/mpi/words.hpp"

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own. The error code may be left out in mpi_f08.
#define TUTTI_INIT(SYMBOL)                                                        \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(MPI_Fint* code) { \
    using namespace tutti::interpose;                                             \
    static const Next<void (*)(MPI_Fint*)> next(#SYMBOL);                         \
    before_init();                                                                \
    next(code);                                                                   \
    if (code == nullptr || *code == MPI_SUCCESS) after_init();                    \
  }
#define TUTTI_INIT_THREAD(SYMBOL)                                                                       \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(MPI_Fint* required, MPI_Fint* provided, \
                                                                MPI_Fint* code) {                       \
    using namespace tutti::interpose;                                                                   \
    static const Next<void (*)(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#SYMBOL);                         \
    before_init();                                                                                      \
    next(required, provided, code);                                                                     \
    if (code == nullptr || *code == MPI_SUCCESS) after_init();                                          \
  }
#define TUTTI_FINALIZE(SYMBOL)                                                    \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(MPI_Fint* code) { \
    using namespace tutti::interpose;                                             \
    static const Next<void (*)(MPI_Fint*)> next(#SYMBOL);                         \
    before_finalize();                                                            \
    next(code);                                                                   \
    after_finalize();                                                             \
  }
// NOLINTEND

#ifndef OPEN_MPI

TUTTI_INIT(mpi_init_f08_)
TUTTI_INIT_THREAD(mpi_init_thread_f08_)
TUTTI_FINALIZE(mpi_finalize_f08_)

// What has no buffer goes another way, too: the freeing of communicators, and one collective.
#define TUTTI_FREE_F08(SYMBOL)                                                                      \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(MPI_Fint* handle, MPI_Fint* code) { \
    using namespace tutti::interpose;                                                               \
    static const Next<void (*)(MPI_Fint*, MPI_Fint*)> next(#SYMBOL);                                \
    const Freeing freeing(*handle);                                                                 \
    next(handle, code);                                                                             \
  }
TUTTI_FREE_F08(mpi_comm_free_f08_)
TUTTI_FREE_F08(mpi_comm_disconnect_f08_)
extern "C" __attribute__((visibility("default"))) void mpi_barrier_f08_(MPI_Fint* comm, MPI_Fint* code) {
  using namespace tutti::interpose;
  static const Next<void (*)(MPI_Fint*, MPI_Fint*)> next("mpi_barrier_f08_");
  CountedCall call("MPI_Barrier");
  const void* const entry = __builtin_frame_address(0);
  if (Taken* const on = taken(*comm, "MPI_Barrier", entry)) {
    if (const Served served = done_or_raised(*on, [&] { return barrier(*on); })) {
      call.served(*served);
      if (code != nullptr) *code = *served;
      return;
    }
  } else if (const auto error = meet_between(*comm, "MPI_Barrier", entry)) {
    call.forwarded(*error);
    if (code != nullptr) *code = *error;
    return;
  }
  const Inside inside;
  next(comm, code);
  call.forwarded(MPI_SUCCESS);
}

#else

namespace tutti::interpose {
namespace {

template <auto Serve>
struct FortranEntry;

template <typename... Arguments, Served (*Serve)(Taken&, Arguments...)>
struct FortranEntry<Serve> {
  /// After the arguments come the communicator, and where the error code goes.
  template <typename Next, std::size_t... K, typename... Addresses>
  static void call(const char* name, const Next& next, std::index_sequence<K...>, Addresses... addresses) {
    void* const all[] = {addresses...};
    CountedCall call(name);
    auto* const code = static_cast<MPI_Fint*>(all[sizeof...(Arguments) + 1]);
    const MPI_Comm comm = PMPI_Comm_f2c(*static_cast<MPI_Fint*>(all[sizeof...(Arguments)]));
    const void* const entry = __builtin_frame_address(0);
    if (Taken* const on = taken(comm, name, entry)) {
      const auto serve = [&] { return Serve(*on, fortran_argument<Arguments>(all[K])...); };
      if (const Served served = done_or_raised(*on, serve)) {
        *code = call.served(*served);
        return;
      }
    } else if (is_checked()) {
      const auto passed = [&](const Taken& to) { return passed_by<Serve>(to, fortran_argument<Arguments>(all[K])...); };
      if (const auto error = meet_between(comm, name, entry, passed)) {
        *code = call.forwarded(*error);
        return;
      }
    }
    const Inside inside;
    next(addresses...);
    call.forwarded(*code);
  }
};

}  // namespace
}  // namespace tutti::interpose

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_SYMBOL(SYMBOL, NAME, SERVE, ARGUMENTS)                                                          \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##ARGUMENTS) {                   \
    using namespace tutti::interpose;                                                                         \
    using Function = void (*)(TUTTI_PLACES_##ARGUMENTS);                                                      \
    static const Next<Function> next(#SYMBOL);                                                                \
    FortranEntry<SERVE>::call(NAME, next, std::make_index_sequence<ARGUMENTS - 2>(), TUTTI_PASS_##ARGUMENTS); \
  }
#define TUTTI_FORTRAN(LOWER, UPPER, NAME, SERVE, ARGUMENTS) \
  TUTTI_UNDER_ALL_NAMES(TUTTI_SYMBOL, LOWER, UPPER, NAME, SERVE, ARGUMENTS)

TUTTI_FORTRAN(barrier, BARRIER, "MPI_Barrier", barrier, 2)
TUTTI_FORTRAN(bcast, BCAST, "MPI_Bcast", broadcast, 6)
TUTTI_FORTRAN(reduce, REDUCE, "MPI_Reduce", reduce, 8)
TUTTI_FORTRAN(allreduce, ALLREDUCE, "MPI_Allreduce", all_reduce, 7)
TUTTI_FORTRAN(scan, SCAN, "MPI_Scan", scan, 7)
TUTTI_FORTRAN(exscan, EXSCAN, "MPI_Exscan", exclusive_scan, 7)
TUTTI_FORTRAN(gather, GATHER, "MPI_Gather", gather, 9)
TUTTI_FORTRAN(gatherv, GATHERV, "MPI_Gatherv", gather_v, 10)
TUTTI_FORTRAN(scatter, SCATTER, "MPI_Scatter", scatter, 9)
TUTTI_FORTRAN(scatterv, SCATTERV, "MPI_Scatterv", scatter_v, 10)
TUTTI_FORTRAN(allgather, ALLGATHER, "MPI_Allgather", all_gather, 8)
TUTTI_FORTRAN(allgatherv, ALLGATHERV, "MPI_Allgatherv", all_gather_v, 9)
TUTTI_FORTRAN(alltoall, ALLTOALL, "MPI_Alltoall", all_to_all, 8)
TUTTI_FORTRAN(alltoallv, ALLTOALLV, "MPI_Alltoallv", all_to_all_v, 10)
TUTTI_FORTRAN(reduce_scatter, REDUCE_SCATTER, "MPI_Reduce_scatter", reduce_scatter, 7)
TUTTI_FORTRAN(reduce_scatter_block, REDUCE_SCATTER_BLOCK, "MPI_Reduce_scatter_block", reduce_scatter_block, 7)
// NOLINTEND

#define TUTTI_FREE_SYMBOL(SYMBOL)                                                           \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(void* handle, void* code) { \
    using namespace tutti::interpose;                                                       \
    static const Next<void (*)(void*, void*)> next(#SYMBOL);                                \
    end_comparisons_on(PMPI_Comm_f2c(*static_cast<MPI_Fint*>(handle)));                     \
    const Freeing freeing;                                                                  \
    next(handle, code);                                                                     \
  }
#define TUTTI_FREE_OF_FORTRAN(LOWER, UPPER) \
  TUTTI_FREE_SYMBOL(mpi_##LOWER)            \
  TUTTI_FREE_SYMBOL(mpi_##LOWER##_)         \
  TUTTI_FREE_SYMBOL(mpi_##LOWER##__)        \
  TUTTI_FREE_SYMBOL(MPI_##UPPER)            \
  TUTTI_FREE_SYMBOL(ompi_##LOWER##_f)

TUTTI_FREE_OF_FORTRAN(comm_free, COMM_FREE)
TUTTI_FREE_OF_FORTRAN(comm_disconnect, COMM_DISCONNECT)
TUTTI_INIT(mpi_init)
TUTTI_INIT(mpi_init_)
TUTTI_INIT(mpi_init__)
TUTTI_INIT(MPI_INIT)
TUTTI_INIT(ompi_init_f)
TUTTI_INIT_THREAD(mpi_init_thread)
TUTTI_INIT_THREAD(mpi_init_thread_)
TUTTI_INIT_THREAD(mpi_init_thread__)
TUTTI_INIT_THREAD(MPI_INIT_THREAD)
TUTTI_INIT_THREAD(ompi_init_thread_f)
TUTTI_FINALIZE(mpi_finalize)
TUTTI_FINALIZE(mpi_finalize_)
TUTTI_FINALIZE(mpi_finalize__)
TUTTI_FINALIZE(MPI_FINALIZE)
TUTTI_FINALIZE(ompi_finalize_f)

#endif
