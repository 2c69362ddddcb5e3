/// @file
/// Arguments of Open MPI's Fortran functions as those of C.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/arguments/types.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"

namespace tutti::interpose {

/// Addresses of Fortran's sentinels: variables of its binding, in the form of name that the compiler at hand has.
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

inline void* buffer_of(void* address) {
  static const Sentinel in_place(
      {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
  static const Sentinel bottom(
      {"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
  if (in_place.is(address)) return MPI_IN_PLACE;
  return bottom.is(address) ? MPI_BOTTOM : address;
}

/// Whether the program wants no status.
inline bool is_status_ignored(void* address) {
  static const Sentinel ignored({"mpi_fortran_status_ignore_", "mpi_fortran_status_ignore",
                                 "mpi_fortran_status_ignore__", "MPI_FORTRAN_STATUS_IGNORE"});
  return ignored.is(address);
}

/// An argument of Fortran, which is the address of what C has.
template <typename T>
T fortran_argument(void* address) {
  if constexpr (std::is_same_v<T, Numbers>) {
    return Numbers(static_cast<const MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, Types>) {
    return Types(address);
  } else if constexpr (std::is_same_v<T, void*> || std::is_same_v<T, const void*>) {
    return buffer_of(address);
  } else if constexpr (std::is_same_v<T, MPI_Datatype>) {
    return PMPI_Type_f2c(*static_cast<MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, MPI_Op>) {
    return PMPI_Op_f2c(*static_cast<MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, MPI_Comm>) {
    return PMPI_Comm_f2c(*static_cast<MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, MPI_File>) {
    return PMPI_File_f2c(*static_cast<MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<T, MPI_Win>) {
    return PMPI_Win_f2c(*static_cast<MPI_Fint*>(address));
  } else {
    return *static_cast<MPI_Fint*>(address);
  }
}

/// The requests of a list of handles, which is one of types with one number each in `use mpi_f08`.
inline std::vector<MPI_Request> requests_at(int count, void* requests) {
  std::vector<MPI_Request> all;
  for (int k = 0; k < count; ++k) all.push_back(PMPI_Request_f2c(static_cast<MPI_Fint*>(requests)[k]));
  return all;
}

}  // namespace tutti::interpose
