/// @file
/// Data of a collective as one rank describes them: its buffers, and the elements that lie there.
///
/// Each function data_of_...() takes the arguments of MPI's function but for the communicator, with counts of either
/// width. Two checks read the result: the buffer check (buffer_check.hpp), and the signature check
/// (signature_check.hpp), which holds what ranks send against what others expect.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/arguments/types.hpp"

namespace tutti::interpose {

/// Elements of one type.
struct Elements {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Counts of elements of a rank's own, one for each rank, with a type for all of them or one for each.
struct Listed {
  Numbers counts;
  std::function<MPI_Datatype(int rank)> type;
};

/// List of displacements in bytes that are addresses in functions of either width.
class Addresses {
 public:
  explicit Addresses(std::uintptr_t of_c) : all_(reinterpret_cast<const MPI_Count*>(of_c)) {}
  explicit Addresses(void* of_fortran) : all_(static_cast<const MPI_Count*>(of_fortran)) {}
  Numbers numbers() const { return all_; }

 private:
  static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count));
  const MPI_Count* all_;
};

/// A buffer of a call, and the blocks of elements in it.
struct DataBuffer {
  const void* at = nullptr;
  bool is_in_list = false;  ///< blocks are `list` with `displacements`, else blocks of `each` one after another
  Elements each;
  Numbers counts = static_cast<const int*>(nullptr);
  Numbers displacements = static_cast<const int*>(nullptr);
  std::function<MPI_Datatype(int)> type;
  bool has_types = true;          ///< false: a list of types is null
  bool has_displacements = true;  ///< false: blocks lie one after another
  bool is_in_bytes = false;       ///< displacements are

  Elements block(int k) const { return is_in_list ? Elements{counts[k], type(k)} : each; }
};

struct CallData {
  /// Pattern of senders and receivers.
  enum class Pattern : std::uint8_t {
    broadcast,
    gather,
    scatter,
    all_gather,
    all_to_all,
    reduce,
    all_reduce,
    scan,
    exclusive_scan,
    reduce_scatter,
    to_neighbours,     ///< one block to all neighbours
    among_neighbours,  ///< a block to each
  };
  static constexpr int no_root = -1000;

  Pattern pattern = Pattern::broadcast;
  DataBuffer sent;      ///< a broadcast's buffer
  DataBuffer received;  ///< a reduction's buffer has the elements of `sent`
  int root = no_root;

  bool is_reduction() const;
  bool has_root() const { return root != no_root; }
};

CallData data_of_broadcast(const void* buffer, MPI_Count count, MPI_Datatype type, int root);
CallData data_of_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, int root);
CallData data_of_gather_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                          Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type, int root);
CallData data_of_scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         MPI_Count receive_count, MPI_Datatype receive_type, int root);
CallData data_of_scatter_v(const void* send, Numbers send_counts, Numbers displacements, MPI_Datatype send_type,
                           void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root);
CallData data_of_all_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type);
CallData data_of_all_gather_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                              Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type);
CallData data_of_all_to_all(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type);
CallData data_of_all_to_all_v(const void* send, Numbers send_counts, Numbers send_displacements, MPI_Datatype send_type,
                              void* receive, Numbers receive_counts, Numbers receive_displacements,
                              MPI_Datatype receive_type);
CallData data_of_all_to_all_w(const void* send, Numbers send_counts, Numbers send_displacements, Types send_types,
                              void* receive, Numbers receive_counts, Numbers receive_displacements,
                              Types receive_types);
CallData data_of_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root);
CallData data_of_all_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
CallData data_of_scan(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
CallData data_of_exclusive_scan(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
CallData data_of_reduce_scatter(const void* send, void* receive, Numbers counts, MPI_Datatype type, MPI_Op op);
CallData data_of_reduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
CallData data_to_neighbours(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type);
CallData data_to_neighbours_v(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                              Numbers receive_counts, Numbers displacements, MPI_Datatype receive_type);
CallData data_among_neighbours(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                               MPI_Count receive_count, MPI_Datatype receive_type);
CallData data_among_neighbours_v(const void* send, Numbers send_counts, Numbers send_displacements,
                                 MPI_Datatype send_type, void* receive, Numbers receive_counts,
                                 Numbers receive_displacements, MPI_Datatype receive_type);
CallData data_among_neighbours_w(const void* send, Numbers send_counts, Addresses send_displacements, Types send_types,
                                 void* receive, Numbers receive_counts, Addresses receive_displacements,
                                 Types receive_types);

}  // namespace tutti::interpose
