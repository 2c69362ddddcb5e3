/// @file
/// Served collectives: carries out MPI's collectives by tutti's. Each function has the arguments of MPI's, with counts
/// of either width, and returns whether it has served the call: if it has not, no rank has, and nothing was sent.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/arguments/types.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/process/call_code.hpp"

namespace tutti::interpose {

/// MPI's return value; nothing: the call is to be forwarded.
using Served = CallCode;

Served barrier(ServedCommunicator& on);
Served broadcast(ServedCommunicator& on, void* buffer, MPI_Count count, MPI_Datatype type, int root);
Served reduce(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
              int root);
Served all_reduce(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                  MPI_Op op);
Served scan(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
Served exclusive_scan(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                      MPI_Op op);
Served reduce_scatter(ServedCommunicator& on, const void* send, void* receive, Numbers counts, MPI_Datatype type,
                      MPI_Op op);
Served reduce_scatter_block(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                            MPI_Op op);

Served gather(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served gather_v(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type, int root);
Served scatter(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
               MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served scatter_v(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers displacements,
                 MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root);
Served all_gather(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type);
Served all_gather_v(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                    void* receive, Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type);
Served all_to_all(ServedCommunicator& on, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type);
Served all_to_all_v(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers send_displacements,
                    MPI_Datatype send_type, void* receive, Numbers receive_counts, Numbers receive_displacements,
                    MPI_Datatype receive_type);
Served all_to_all_w(ServedCommunicator& on, const void* send, Numbers send_counts, Numbers send_displacements,
                    Types send_types, void* receive, Numbers receive_counts, Numbers receive_displacements,
                    Types receive_types);

}  // namespace tutti::interpose
