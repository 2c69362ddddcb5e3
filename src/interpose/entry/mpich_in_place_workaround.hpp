/// @file
/// Workaround for MPI_IN_PLACE in MPICH 4.0.2: passes a copy of the input instead. Its MPI_Reduce ends the program at a
/// root that is not 0, from some thousand bytes on; its MPI_Reduce_scatter does if the block of rank 0 is empty.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "interpose/serve/served_collectives.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// The first argument of a call that is forwarded: where it is MPI_IN_PLACE, a copy of this rank's input instead, until
/// the call has ended; the other ranks need not know. It is made of the arguments of the function that has not served
/// the call, and its communicator. What MPI is to refuse stays as it is.
class InputOutOfPlace {
 public:
  InputOutOfPlace(const void* send, const void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm);
  InputOutOfPlace(const void* send, const void* receive, Numbers counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

  const void* data() const { return data_; }

 private:
  void copy(const void* elements, std::int64_t count, MPI_Datatype type);

  std::unique_ptr<std::byte[]> memory_;
  const void* data_;
};

/// Whether MPI's function that `Serve` stands for is to get its input apart.
template <auto Serve>
constexpr bool is_wrong_in_place = false;
template <>
inline constexpr bool is_wrong_in_place<&reduce> = is_mpich;
template <>
inline constexpr bool is_wrong_in_place<&reduce_scatter> = is_mpich;

}  // namespace tutti::interpose
