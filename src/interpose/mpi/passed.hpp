/// @file
/// What a rank passes in a blocking collective of an intercommunicator, so that both groups can compare it: a function
/// for each one that serves such a call elsewhere, with its arguments.
#pragma once

#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/serve.hpp"

namespace tutti::interpose {

/// Of the collective that `Serve` serves: but for the words. Nothing where its ranks pass nothing that is compared.
template <auto Serve>
inline constexpr auto passed_in = nullptr;

Beginning passed_in_broadcast(const Taken& to, const void* buffer, MPI_Count count, MPI_Datatype type, int root);
Beginning passed_in_reduce(const Taken& to, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                           MPI_Op op, int root);
Beginning passed_in_all_reduce(const Taken& to, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                               MPI_Op op);
Beginning passed_in_reduce_scatter(const Taken& to, const void* send, void* receive, Numbers counts, MPI_Datatype type,
                                   MPI_Op op);
Beginning passed_in_reduce_scatter_block(const Taken& to, const void* send, void* receive, MPI_Count count,
                                         MPI_Datatype type, MPI_Op op);
Beginning passed_in_gather(const Taken& to, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                           void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root);
Beginning passed_in_gather_v(const Taken& to, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                             void* receive, Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type,
                             int root);
Beginning passed_in_scatter(const Taken& to, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                            void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root);
Beginning passed_in_scatter_v(const Taken& to, const void* send, Numbers send_counts, Numbers displacements,
                              MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                              int root);
/// Also of an all-to-all, in which what a rank sends to each is as long, and so is what it receives of each.
Beginning passed_in_all_gather(const Taken& to, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                               void* receive, MPI_Count receive_count, MPI_Datatype receive_type);
Beginning passed_in_all_gather_v(const Taken& to, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                 void* receive, Numbers receive_counts, Numbers displacements,
                                 MPI_Datatype receive_type);
Beginning passed_in_all_to_all_v(const Taken& to, const void* send, Numbers send_counts, Numbers send_displacements,
                                 MPI_Datatype send_type, void* receive, Numbers receive_counts,
                                 Numbers receive_displacements, MPI_Datatype receive_type);

template <>
inline constexpr auto passed_in<&broadcast> = passed_in_broadcast;
template <>
inline constexpr auto passed_in<&reduce> = passed_in_reduce;
template <>
inline constexpr auto passed_in<&all_reduce> = passed_in_all_reduce;
template <>
inline constexpr auto passed_in<&reduce_scatter> = passed_in_reduce_scatter;
template <>
inline constexpr auto passed_in<&reduce_scatter_block> = passed_in_reduce_scatter_block;
template <>
inline constexpr auto passed_in<&gather> = passed_in_gather;
template <>
inline constexpr auto passed_in<&gather_v> = passed_in_gather_v;
template <>
inline constexpr auto passed_in<&scatter> = passed_in_scatter;
template <>
inline constexpr auto passed_in<&scatter_v> = passed_in_scatter_v;
template <>
inline constexpr auto passed_in<&all_gather> = passed_in_all_gather;
template <>
inline constexpr auto passed_in<&all_gather_v> = passed_in_all_gather_v;
template <>
inline constexpr auto passed_in<&all_to_all> = passed_in_all_gather;
template <>
inline constexpr auto passed_in<&all_to_all_v> = passed_in_all_to_all_v;

template <auto Serve, typename... Arguments>
Beginning passed_by(const Taken& to, Arguments... arguments) {
  if constexpr (passed_in<Serve> == nullptr) {
    return {};
  } else {
    return passed_in<Serve>(to, arguments...);
  }
}

}  // namespace tutti::interpose
