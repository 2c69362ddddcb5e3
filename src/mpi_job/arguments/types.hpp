/// @file
/// Lists of datatypes in the arguments of a collective.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tutti::interpose {

/// List of types, one for each rank, as an argument of C or of Fortran.
class Types {
 public:
  explicit Types(const MPI_Datatype* of_c) : of_c_(of_c) {}
  explicit Types(std::uintptr_t of_c) : of_c_(reinterpret_cast<const MPI_Datatype*>(of_c)) {}
  explicit Types(void* of_fortran) : of_fortran_(static_cast<const MPI_Fint*>(of_fortran)) {}
  bool is_there() const { return of_c_ != nullptr || of_fortran_ != nullptr; }
  MPI_Datatype operator[](int rank) const {
    return of_c_ != nullptr         ? of_c_[rank]
           : of_fortran_ != nullptr ? PMPI_Type_f2c(of_fortran_[rank])
                                    : MPI_DATATYPE_NULL;
  }
  /// Whether both are one list, not only equal types.
  friend bool operator==(const Types&, const Types&) = default;

 private:
  const MPI_Datatype* of_c_ = nullptr;
  const MPI_Fint* of_fortran_ = nullptr;
};

}  // namespace tutti::interpose
