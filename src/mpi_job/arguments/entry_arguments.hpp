/// @file
/// Arguments of an entry in either language: words of the machine in C, addresses in Fortran.
#pragma once

#include <mpi.h>

#include <type_traits>

#include "mpi_job/arguments/argument_word.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"

namespace tutti::interpose {

/// Returns the argument, whose counts in lists are of type `Count`.
template <typename T, typename Count>
T argument_of(Word word) {
  return argument<T, Count>(word);
}
template <typename T, typename>
T argument_of(void* address) {
  return fortran_argument<T>(address);
}

inline int int_in(Word word) { return argument<int, int>(word); }
inline int int_in(void* address) { return fortran_argument<int>(address); }
inline MPI_Comm comm_in(Word word) { return argument<MPI_Comm, int>(word); }
inline MPI_Comm comm_in(void* address) { return fortran_argument<MPI_Comm>(address); }

/// Returns Fortran's number for the handle.
template <typename Handle>
MPI_Fint fortran_handle(Handle handle) {
  if constexpr (std::is_same_v<Handle, MPI_File>) {
    return PMPI_File_c2f(handle);
  } else if constexpr (std::is_same_v<Handle, MPI_Comm>) {
    return PMPI_Comm_c2f(handle);
  } else {
    return PMPI_Win_c2f(handle);
  }
}

/// The code that a call of Fortran's has left. A program of `use mpi_f08` may leave the argument out.
inline int code_at(void* ierror) { return ierror == nullptr ? MPI_SUCCESS : *static_cast<MPI_Fint*>(ierror); }
inline void put_code(void* ierror, int code) {
  if (ierror != nullptr) *static_cast<MPI_Fint*>(ierror) = code;
}

}  // namespace tutti::interpose
