#include "mpi_check/collectives/call_data.hpp"

namespace tutti::interpose {
namespace {

DataBuffer blocks_of(const void* at, MPI_Count count, MPI_Datatype type) {
  DataBuffer buffer;
  buffer.at = at;
  buffer.each = {count, type};
  return buffer;
}

DataBuffer blocks_in_list(const void* at, Numbers counts, MPI_Datatype type) {
  DataBuffer buffer;
  buffer.at = at;
  buffer.is_in_list = true;
  buffer.counts = counts;
  buffer.type = [type](int) { return type; };
  buffer.has_displacements = false;
  return buffer;
}

DataBuffer blocks_in_list(const void* at, Numbers counts, Numbers displacements, MPI_Datatype type) {
  DataBuffer buffer = blocks_in_list(at, counts, type);
  buffer.has_displacements = true;
  buffer.displacements = displacements;
  return buffer;
}

DataBuffer blocks_in_list(const void* at, Numbers counts, Numbers displacements, const Types& types) {
  DataBuffer buffer = blocks_in_list(at, counts, displacements, MPI_DATATYPE_NULL);
  buffer.type = [types](int k) { return types[k]; };
  buffer.has_types = types.is_there();
  buffer.is_in_bytes = true;
  return buffer;
}

using Pattern = CallData::Pattern;

CallData folded_data(Pattern pattern, const void* send, const void* receive, MPI_Count count, MPI_Datatype type,
                     int root = CallData::no_root) {
  return {pattern, blocks_of(send, count, type), blocks_of(receive, count, type), root};
}

}  // namespace

bool CallData::is_reduction() const {
  return pattern == Pattern::reduce || pattern == Pattern::all_reduce || pattern == Pattern::scan ||
         pattern == Pattern::exclusive_scan || pattern == Pattern::reduce_scatter;
}

CallData data_of_broadcast(const void* buffer, MPI_Count count, MPI_Datatype type, int root) {
  return {Pattern::broadcast, blocks_of(buffer, count, type), blocks_of(buffer, count, type), root};
}

CallData data_of_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  return {Pattern::gather, blocks_of(send, send_count, send_type), blocks_of(receive, receive_count, receive_type),
          root};
}

CallData data_of_gather_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                          Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type, int root) {
  return {Pattern::gather, blocks_of(send, send_count, send_type),
          blocks_in_list(receive, receive_counts, displacements, receive_type), root};
}

CallData data_of_scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  return {Pattern::scatter, blocks_of(send, send_count, send_type), blocks_of(receive, receive_count, receive_type),
          root};
}

CallData data_of_scatter_v(const void* send, Numbers send_counts, Numbers displacements, MPI_Datatype send_type,
                           void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  return {Pattern::scatter, blocks_in_list(send, send_counts, displacements, send_type),
          blocks_of(receive, receive_count, receive_type), root};
}

CallData data_of_all_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type) {
  return {Pattern::all_gather, blocks_of(send, send_count, send_type), blocks_of(receive, receive_count, receive_type)};
}

CallData data_of_all_gather_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                              Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type) {
  return {Pattern::all_gather, blocks_of(send, send_count, send_type),
          blocks_in_list(receive, receive_counts, displacements, receive_type)};
}

CallData data_of_all_to_all(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type) {
  return {Pattern::all_to_all, blocks_of(send, send_count, send_type), blocks_of(receive, receive_count, receive_type)};
}

CallData data_of_all_to_all_v(const void* send, Numbers send_counts, Numbers send_displacements, MPI_Datatype send_type,
                              void* receive, Numbers receive_counts, Numbers receive_displacements,
                              MPI_Datatype receive_type) {
  return {Pattern::all_to_all, blocks_in_list(send, send_counts, send_displacements, send_type),
          blocks_in_list(receive, receive_counts, receive_displacements, receive_type)};
}

CallData data_of_all_to_all_w(const void* send, Numbers send_counts, Numbers send_displacements, Types send_types,
                              void* receive, Numbers receive_counts, Numbers receive_displacements,
                              Types receive_types) {
  return {Pattern::all_to_all, blocks_in_list(send, send_counts, send_displacements, send_types),
          blocks_in_list(receive, receive_counts, receive_displacements, receive_types)};
}

CallData data_of_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op, int root) {
  return folded_data(Pattern::reduce, send, receive, count, type, root);
}

CallData data_of_all_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op) {
  return folded_data(Pattern::all_reduce, send, receive, count, type);
}

CallData data_of_scan(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op) {
  return folded_data(Pattern::scan, send, receive, count, type);
}

CallData data_of_exclusive_scan(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op) {
  return folded_data(Pattern::exclusive_scan, send, receive, count, type);
}

CallData data_of_reduce_scatter(const void* send, void* receive, Numbers counts, MPI_Datatype type, MPI_Op) {
  return {Pattern::reduce_scatter, blocks_in_list(send, counts, type), blocks_in_list(receive, counts, type)};
}

CallData data_of_reduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op) {
  return folded_data(Pattern::reduce_scatter, send, receive, count, type);
}

CallData data_to_neighbours(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type) {
  return {Pattern::to_neighbours, blocks_of(send, send_count, send_type),
          blocks_of(receive, receive_count, receive_type)};
}

CallData data_to_neighbours_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                              Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type) {
  return {Pattern::to_neighbours, blocks_of(send, send_count, send_type),
          blocks_in_list(receive, receive_counts, displacements, receive_type)};
}

CallData data_among_neighbours(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                               MPI_Count receive_count, MPI_Datatype receive_type) {
  return {Pattern::among_neighbours, blocks_of(send, send_count, send_type),
          blocks_of(receive, receive_count, receive_type)};
}

CallData data_among_neighbours_v(const void* send, Numbers send_counts, Numbers send_displacements,
                                 MPI_Datatype send_type, void* receive, Numbers receive_counts,
                                 Numbers receive_displacements, MPI_Datatype receive_type) {
  return {Pattern::among_neighbours, blocks_in_list(send, send_counts, send_displacements, send_type),
          blocks_in_list(receive, receive_counts, receive_displacements, receive_type)};
}

CallData data_among_neighbours_w(const void* send, Numbers send_counts, Addresses send_displacements, Types send_types,
                                 void* receive, Numbers receive_counts, Addresses receive_displacements,
                                 Types receive_types) {
  return {Pattern::among_neighbours, blocks_in_list(send, send_counts, send_displacements.numbers(), send_types),
          blocks_in_list(receive, receive_counts, receive_displacements.numbers(), receive_types)};
}

}  // namespace tutti::interpose
