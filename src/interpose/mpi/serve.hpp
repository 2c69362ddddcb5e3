/// @file
/// MPI's collectives as tutti's. Each function has the arguments of MPI's, with counts of either width, and says
/// whether it has served the call: where it has not, all ranks have not, and nothing was sent.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

/// A list of counts or displacements, one for each rank, in one of the widths that MPI has for them.
class Numbers {
 public:
  Numbers(const int* narrow) : narrow_(narrow) {}  // NOLINT: a list is a list
  Numbers(const MPI_Count* wide) : wide_(wide) {}  // NOLINT
  std::int64_t operator[](int rank) const { return narrow_ != nullptr ? narrow_[rank] : wide_[rank]; }
  bool is_there() const { return narrow_ != nullptr || wide_ != nullptr; }
  /// The same list, not only the same numbers.
  friend bool operator==(const Numbers&, const Numbers&) = default;

 private:
  const int* narrow_ = nullptr;
  const MPI_Count* wide_ = nullptr;
};

/// What MPI returns; nothing: the call is to be forwarded.
using Served = std::optional<int>;

Served barrier(Taken& on);
Served broadcast(Taken& on, void* buffer, MPI_Count count, MPI_Datatype type, int root);
Served reduce(Taken& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root);
Served all_reduce(Taken& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
Served scan(Taken& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
Served exclusive_scan(Taken& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
Served reduce_scatter(Taken& on, const void* send, void* receive, Numbers counts, MPI_Datatype type, MPI_Op op);
Served reduce_scatter_block(Taken& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);

Served gather(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served gather_v(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type, int root);
Served scatter(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
               MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served scatter_v(Taken& on, const void* send, Numbers send_counts, Numbers displacements, MPI_Datatype send_type,
                 void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served all_gather(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type);
Served all_gather_v(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type);
Served all_to_all(Taken& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type);
Served all_to_all_v(Taken& on, const void* send, Numbers send_counts, Numbers send_displacements,
                    MPI_Datatype send_type, void* receive, Numbers receive_counts, Numbers receive_displacements,
                    MPI_Datatype receive_type);

}  // namespace tutti::interpose
