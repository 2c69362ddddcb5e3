// Functions of one-sided communication that may wait for another rank's MPI: they say so before, and are MPI's.

#include <mpi.h>

#include "interpose/mpi/job.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {
namespace {

void need_mpi() noexcept {
  if (is_job_ready()) job().ranks->need_mpi();
}

}  // namespace

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
/// Each of them: its name after MPI_, in letters of both cases; its number of arguments in C, and in Fortran.
#define TUTTI_NEEDINGS(NEEDS)                                                \
  NEEDS(Win_lock, win_lock, WIN_LOCK, 4, 5)                                  \
  NEEDS(Win_lock_all, win_lock_all, WIN_LOCK_ALL, 2, 3)                      \
  NEEDS(Win_unlock, win_unlock, WIN_UNLOCK, 2, 3)                            \
  NEEDS(Win_unlock_all, win_unlock_all, WIN_UNLOCK_ALL, 1, 2)                \
  NEEDS(Win_flush, win_flush, WIN_FLUSH, 2, 3)                               \
  NEEDS(Win_flush_all, win_flush_all, WIN_FLUSH_ALL, 1, 2)                   \
  NEEDS(Win_flush_local, win_flush_local, WIN_FLUSH_LOCAL, 2, 3)             \
  NEEDS(Win_flush_local_all, win_flush_local_all, WIN_FLUSH_LOCAL_ALL, 1, 2) \
  NEEDS(Win_start, win_start, WIN_START, 3, 4)                               \
  NEEDS(Win_complete, win_complete, WIN_COMPLETE, 1, 2)                      \
  NEEDS(Win_wait, win_wait, WIN_WAIT, 1, 2)

/// Those that make a request, which the program waits for. They have buffers, which MPICH's functions of Fortran take as
/// descriptors, under names of their own.
#define TUTTI_NEEDINGS_OF_REQUESTS(NEEDS)              \
  NEEDS(Rput, rput, RPUT, 9, 10)                       \
  NEEDS(Rget, rget, RGET, 9, 10)                       \
  NEEDS(Raccumulate, raccumulate, RACCUMULATE, 10, 11) \
  NEEDS(Rget_accumulate, rget_accumulate, RGET_ACCUMULATE, 13, 14)

#define TUTTI_NEED(NAME, LOWER, UPPER, ARGUMENTS, PLACES)                                                        \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) asm("MPI_" #NAME); \
  int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) {                                                                    \
    static const Next<int (*)(TUTTI_WORDS_##ARGUMENTS)> next("MPI_" #NAME, PMPI_##NAME);                         \
    need_mpi();                                                                                                  \
    return next(TUTTI_PASS_##ARGUMENTS);                                                                         \
  }
#define TUTTI_NEED_SYMBOL(SYMBOL, PLACES)                                                \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##PLACES) { \
    using namespace tutti::interpose;                                                    \
    static const Next<void (*)(TUTTI_PLACES_##PLACES)> next(#SYMBOL);                    \
    need_mpi();                                                                          \
    next(TUTTI_PASS_##PLACES);                                                           \
  }
#ifdef OPEN_MPI
#define TUTTI_NEED_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, PLACES) \
  TUTTI_UNDER_ALL_NAMES(TUTTI_NEED_SYMBOL, LOWER, UPPER, PLACES)
#define TUTTI_NEED_OF_DESCRIPTORS TUTTI_NEED_OF_FORTRAN
#define TUTTI_NEED_WIDE(NAME, LOWER, UPPER, ARGUMENTS, PLACES)
#else
// All others call the functions of C.
#define TUTTI_NEED_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, PLACES) TUTTI_NEED_SYMBOL(mpi_##LOWER##_f08_, PLACES)
#define TUTTI_NEED_OF_DESCRIPTORS(NAME, LOWER, UPPER, ARGUMENTS, PLACES) \
  TUTTI_NEED_SYMBOL(mpi_##LOWER##_f08ts_, PLACES)                        \
  TUTTI_NEED_SYMBOL(mpi_##LOWER##_f08ts_large_, PLACES)
/// The form whose counts are wide.
#define TUTTI_NEED_WIDE(NAME, LOWER, UPPER, ARGUMENTS, PLACES) TUTTI_NEED(NAME##_c, LOWER, UPPER, ARGUMENTS, PLACES)
#endif

TUTTI_NEEDINGS(TUTTI_NEED)
TUTTI_NEEDINGS_OF_REQUESTS(TUTTI_NEED)
TUTTI_NEEDINGS_OF_REQUESTS(TUTTI_NEED_WIDE)

}  // namespace tutti::interpose

TUTTI_NEEDINGS(TUTTI_NEED_OF_FORTRAN)
TUTTI_NEEDINGS_OF_REQUESTS(TUTTI_NEED_OF_DESCRIPTORS)
// NOLINTEND
