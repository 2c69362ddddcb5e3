/// @file
/// Correct operators: replaces MPI's own where it gets them wrong on some of its types.
///
/// MPICH 4.0.2 compares unsigned integers as signed ones in MPI_MIN and MPI_MAX, and Open MPI 4.1.4 does so with
/// MPI_UNSIGNED_LONG alone, and compares MPI_OFFSET as unsigned. Where it has vector instructions, Open MPI's sums of
/// integers of 8 and 16 bits stop at the largest number, in those elements that fill a vector. A program whose calls
/// are served in part would get one answer in one call and another one in the next.
///
/// No list says which operators are wrong: MPI is asked once to combine numbers for which the answer is known. A call
/// that goes to MPI with one of them gets an operator that is made by MPI_Op_create, and that calls this library's
/// kernel. MPICH chooses its algorithm by whether an operator is predefined, so the ranks of a communicator replace it
/// alike: where all of them have this library, which each finds without asking the others.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "mpi_job/arguments/argument_word.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {

/// Returns the operator to call MPI with, on elements of that type: `op`, or the library's own where MPI's is wrong.
/// `comm` is the call's communicator, nothing for a call of this rank alone; the call of `function` came in at the
/// frame `entry`. Where MPI's is wrong, and must be used all the same, a program that is checked or counted is told so
/// once.
MPI_Op correct_operator(MPI_Op op, MPI_Datatype type, std::optional<MPI_Comm> comm, const char* function,
                        const void* entry);

/// Tells once, on rank 0 of a program that is checked or counted, that MPI's operator is wrong on that type.
void tell_wrong_operator(MPI_Op op, MPI_Datatype type);

/// Tells of a function in which MPI's operator is used all the same.
void tell_wrong_operator_in(const char* function, MPI_Op op, MPI_Datatype type);

/// Returns the result of `next` for these arguments, with the right operator for the type and the operator in their
/// places.
template <bool folds, typename Next, typename... Words>
int with_correct_operator(const Next& next, const char* function, std::optional<MPI_Comm> comm, const void* entry,
                          Words... words) {
  if constexpr (folds) {
    // Handles of another MPI, whose library has stepped aside, may be wider.
    if (!is_job_ready()) return next(words...);
    std::array<std::uintptr_t, sizeof...(Words)> all{words...};
    all[4] =
        key_of(correct_operator(handle_in<MPI_Op>(all[4]), handle_in<MPI_Datatype>(all[3]), comm, function, entry));
    return std::apply(next, all);
  } else {
    return next(words...);
  }
}

/// Makes a call of Fortran's in this way, by addresses.
template <bool folds, typename Next, typename... Places>
void with_correct_operator_at(const Next& next, const char* function, std::optional<MPI_Comm> comm, const void* entry,
                              Places... places) {
  if constexpr (folds) {
    if (!is_job_ready()) return next(places...);
    std::array<void*, sizeof...(Places)> all{places...};
    MPI_Fint op = PMPI_Op_c2f(correct_operator(fortran_argument<MPI_Op>(all[4]), fortran_argument<MPI_Datatype>(all[3]),
                                               comm, function, entry));
    all[4] = &op;
    std::apply(next, all);
  } else {
    next(places...);
  }
}

}  // namespace tutti::interpose
