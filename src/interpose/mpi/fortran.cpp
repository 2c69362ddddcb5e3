// Open MPI's Fortran functions, which call none of C's names that could be taken over: `mpif.h` and `use mpi` under
// four manglings, and what `use mpi_f08` calls. MPICH's collectives call the functions of C; what has no buffer in
// `use mpi_f08` does not.

#include <mpi.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include "interpose/mpi/entry.hpp"
#include "interpose/mpi/inside.hpp"

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
  if (Taken* const on = taken(*comm, __builtin_frame_address(0))) {
    if (const Served served = barrier(*on)) {
      call.served(*served);
      if (code != nullptr) *code = *served;
      return;
    }
  }
  const Inside inside;
  next(comm, code);
  call.forwarded(MPI_SUCCESS);
}

#else

namespace tutti::interpose {
namespace {

/// Where Fortran's sentinels lie: variables of its binding, in the form of name that the compiler at hand has.
class Sentinel {
 public:
  explicit Sentinel(std::array<const char*, 4> names) {
    for (const char* const name : names) {
      if (void* const place = dlsym(RTLD_DEFAULT, name); place != nullptr) places_.push_back(place);
      const std::vector<void*> more = symbols_of_all_files(name);
      places_.insert(places_.end(), more.begin(), more.end());
    }
  }
  bool is(const void* address) const { return std::find(places_.begin(), places_.end(), address) != places_.end(); }

 private:
  std::vector<const void*> places_;
};

void* buffer_of(void* address) {
  static const Sentinel in_place(
      {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
  static const Sentinel bottom(
      {"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
  if (in_place.is(address)) return MPI_IN_PLACE;
  return bottom.is(address) ? MPI_BOTTOM : address;
}

/// An argument of Fortran, which is the address of what C has.
template <typename T>
T fortran_argument(void* address) {
  if constexpr (std::is_same_v<T, Numbers>) {
    return Numbers(static_cast<const MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, void*> || std::is_same_v<T, const void*>) {
    return buffer_of(address);
  } else if constexpr (std::is_same_v<T, MPI_Datatype>) {
    return PMPI_Type_f2c(*static_cast<MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, MPI_Op>) {
    return PMPI_Op_f2c(*static_cast<MPI_Fint*>(address));
  } else {
    return *static_cast<MPI_Fint*>(address);
  }
}

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
    if (Taken* const on = taken(comm, __builtin_frame_address(0))) {
      if (const Served served = Serve(*on, fortran_argument<Arguments>(all[K])...)) {
        *code = call.served(*served);
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
#define TUTTI_PLACES_2 void *a, void *b
#define TUTTI_PLACES_6 TUTTI_PLACES_2, void *c, void *d, void *e, void *f
#define TUTTI_PLACES_7 TUTTI_PLACES_6, void* g
#define TUTTI_PLACES_8 TUTTI_PLACES_7, void* h
#define TUTTI_PLACES_9 TUTTI_PLACES_8, void* i
#define TUTTI_PLACES_10 TUTTI_PLACES_9, void* j
#define TUTTI_GIVE_2 a, b
#define TUTTI_GIVE_6 TUTTI_GIVE_2, c, d, e, f
#define TUTTI_GIVE_7 TUTTI_GIVE_6, g
#define TUTTI_GIVE_8 TUTTI_GIVE_7, h
#define TUTTI_GIVE_9 TUTTI_GIVE_8, i
#define TUTTI_GIVE_10 TUTTI_GIVE_9, j
#define TUTTI_SYMBOL(SYMBOL, NAME, SERVE, ARGUMENTS)                                                          \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##ARGUMENTS) {                   \
    using namespace tutti::interpose;                                                                         \
    using Function = void (*)(TUTTI_PLACES_##ARGUMENTS);                                                      \
    static const Next<Function> next(#SYMBOL);                                                                \
    FortranEntry<SERVE>::call(NAME, next, std::make_index_sequence<ARGUMENTS - 2>(), TUTTI_GIVE_##ARGUMENTS); \
  }
#define TUTTI_FORTRAN(LOWER, UPPER, NAME, SERVE, ARGUMENTS) \
  TUTTI_SYMBOL(mpi_##LOWER, NAME, SERVE, ARGUMENTS)         \
  TUTTI_SYMBOL(mpi_##LOWER##_, NAME, SERVE, ARGUMENTS)      \
  TUTTI_SYMBOL(mpi_##LOWER##__, NAME, SERVE, ARGUMENTS)     \
  TUTTI_SYMBOL(MPI_##UPPER, NAME, SERVE, ARGUMENTS)         \
  TUTTI_SYMBOL(ompi_##LOWER##_f, NAME, SERVE, ARGUMENTS)

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
