#include "interpose/mpi/coming.hpp"

#include <optional>
#include <string_view>

#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/taken.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {
namespace {

// Ranks may call the form of a function with counts of either width.
std::string_view without_width(std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  return function;
}

std::optional<Error> error_of(Taken& on, const char* function) {
  const Inside inside;
  try {
    on.ranks().come_to(without_width(function));
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

int come_to(const char* function, MPI_Comm handle, const void* entry, const OfMpi& call) {
  if (Taken* const on = taken(handle, function, entry)) {
    const Taken::Calling calling(*on);
    if (const std::optional<Error> error = error_of(*on, function)) return raise(*on, *error);
  }
  const Inside inside;
  return call();
}

}  // namespace tutti::interpose

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_COME(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE)                                            \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) asm("MPI_" #NAME); \
  int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) {                                                                    \
    using Function = int (*)(TUTTI_WORDS_##ARGUMENTS);                                                           \
    static const Next<Function> next("MPI_" #NAME, PMPI_##NAME);                                                 \
    if (!is_checked()) return next(TUTTI_PASS_##ARGUMENTS);                                                      \
    return come_to("MPI_" #NAME, argument<MPI_Comm, int>(COMM), __builtin_frame_address(0),                      \
                   [&] { return next(TUTTI_PASS_##ARGUMENTS); });                                                \
  }

namespace tutti::interpose {

TUTTI_COMINGS(TUTTI_COME)
#ifdef MPICH_VERSION
TUTTI_COMINGS_WITH_COUNTS(TUTTI_COME, _c, _c, _C)
#endif

}  // namespace tutti::interpose

/// A function of Fortran, whose error code may be left out in `use mpi_f08` of MPICH.
#define TUTTI_COME_SYMBOL(SYMBOL, NAME, COMM, PLACES, CODE)                              \
  extern "C" __attribute__((visibility("default"))) void SYMBOL(TUTTI_PLACES_##PLACES) { \
    using namespace tutti::interpose;                                                    \
    static const Next<void (*)(TUTTI_PLACES_##PLACES)> next(#SYMBOL);                    \
    if (!is_checked()) return next(TUTTI_PASS_##PLACES);                                 \
    auto* const place = static_cast<MPI_Fint*>(CODE);                                    \
    const auto call = [&]() -> int {                                                     \
      next(TUTTI_PASS_##PLACES);                                                         \
      return place == nullptr ? MPI_SUCCESS : *place;                                    \
    };                                                                                   \
    const MPI_Comm comm = PMPI_Comm_f2c(*static_cast<MPI_Fint*>(COMM));                  \
    const int code = come_to(NAME, comm, __builtin_frame_address(0), call);              \
    if (place != nullptr) *place = code;                                                 \
  }
#ifdef OPEN_MPI
#define TUTTI_COME_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_UNDER_ALL_NAMES(TUTTI_COME_SYMBOL, LOWER, UPPER, "MPI_" #NAME, COMM, PLACES, CODE)
#else
// All others call the functions of C.
#define TUTTI_COME_OF_FORTRAN(NAME, LOWER, UPPER, ARGUMENTS, COMM, PLACES, CODE) \
  TUTTI_COME_SYMBOL(mpi_##LOWER##_f08_, "MPI_" #NAME, COMM, PLACES, CODE)
#endif

TUTTI_COMINGS(TUTTI_COME_OF_FORTRAN)
// NOLINTEND
