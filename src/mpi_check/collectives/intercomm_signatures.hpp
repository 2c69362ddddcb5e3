/// @file
/// Signatures of blocking collectives of an intercommunicator, which both groups compare: for each function that serves
/// such a collective elsewhere there is one here, with the arguments of that function.
#pragma once

#include "mpi_check/collectives/call_signature.hpp"
#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {

CallDescription compared_in_broadcast(const ServedCommunicator& to, const void* buffer, MPI_Count count,
                                      MPI_Datatype type, int root);
CallDescription compared_in_reduce(const ServedCommunicator& to, const void* send, void* receive, MPI_Count count,
                                   MPI_Datatype type, MPI_Op op, int root);
CallDescription compared_in_all_reduce(const ServedCommunicator& to, const void* send, void* receive, MPI_Count count,
                                       MPI_Datatype type, MPI_Op op);
CallDescription compared_in_reduce_scatter(const ServedCommunicator& to, const void* send, void* receive,
                                           Numbers counts, MPI_Datatype type, MPI_Op op);
CallDescription compared_in_reduce_scatter_block(const ServedCommunicator& to, const void* send, void* receive,
                                                 MPI_Count count, MPI_Datatype type, MPI_Op op);
CallDescription compared_in_gather(const ServedCommunicator& to, const void* send, MPI_Count send_count,
                                   MPI_Datatype send_type, void* receive, MPI_Count receive_count,
                                   MPI_Datatype receive_type, int root);
CallDescription compared_in_gather_v(const ServedCommunicator& to, const void* send, MPI_Count send_count,
                                     MPI_Datatype send_type, void* receive, Numbers receive_counts,
                                     Numbers displacements, MPI_Datatype receive_type, int root);
CallDescription compared_in_scatter(const ServedCommunicator& to, const void* send, MPI_Count send_count,
                                    MPI_Datatype send_type, void* receive, MPI_Count receive_count,
                                    MPI_Datatype receive_type, int root);
CallDescription compared_in_scatter_v(const ServedCommunicator& to, const void* send, Numbers send_counts,
                                      Numbers displacements, MPI_Datatype send_type, void* receive,
                                      MPI_Count receive_count, MPI_Datatype receive_type, int root);
/// Also of an all-to-all, in which what a rank sends to each is as long, and so is what it receives of each.
CallDescription compared_in_all_gather(const ServedCommunicator& to, const void* send, MPI_Count send_count,
                                       MPI_Datatype send_type, void* receive, MPI_Count receive_count,
                                       MPI_Datatype receive_type);
CallDescription compared_in_all_gather_v(const ServedCommunicator& to, const void* send, MPI_Count send_count,
                                         MPI_Datatype send_type, void* receive, Numbers receive_counts,
                                         Numbers displacements, MPI_Datatype receive_type);
CallDescription compared_in_all_to_all_v(const ServedCommunicator& to, const void* send, Numbers send_counts,
                                         Numbers send_displacements, MPI_Datatype send_type, void* receive,
                                         Numbers receive_counts, Numbers receive_displacements,
                                         MPI_Datatype receive_type);
CallDescription compared_in_all_to_all_w(const ServedCommunicator& to, const void* send, Numbers send_counts,
                                         Numbers send_displacements, Types send_types, void* receive,
                                         Numbers receive_counts, Numbers receive_displacements, Types receive_types);

}  // namespace tutti::interpose
