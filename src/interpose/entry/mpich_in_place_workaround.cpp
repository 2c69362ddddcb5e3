#include "interpose/entry/mpich_in_place_workaround.hpp"

#include <cstddef>
#include <new>

#include "mpi_job/job/null_safe_queries.hpp"
#include "mpi_job/process/gpu_library.hpp"

namespace tutti::interpose {
namespace {

/// -1 where MPI is to say what is wrong with the communicator.
int rank_on(MPI_Comm comm) {
  const NullSafeQueries quiet;
  int rank = -1;
  return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS ? rank : -1;
}

}  // namespace

InputOutOfPlace::InputOutOfPlace(const void* send, const void* receive, MPI_Count count, MPI_Datatype type, MPI_Op,
                                 int root, MPI_Comm comm)
    : data_(send) {
  if (send == MPI_IN_PLACE && root > 0 && root == rank_on(comm)) copy(receive, count, type);
}

InputOutOfPlace::InputOutOfPlace(const void* send, const void* receive, Numbers counts, MPI_Datatype type, MPI_Op,
                                 MPI_Comm comm)
    : data_(send) {
  int size = 0;
  if (send != MPI_IN_PLACE || !counts.is_there() || rank_on(comm) < 0 || PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
    return;
  std::int64_t all = 0;
  for (int rank = 0; rank < size; ++rank) {
    if (counts[rank] < 0) return;
    all += counts[rank];
  }
  copy(receive, all, type);
}

void InputOutOfPlace::copy(const void* elements, std::int64_t count, MPI_Datatype type) {
  // Memory of a GPU is MPI's to read.
  if (elements == nullptr || count <= 0 || type == MPI_DATATYPE_NULL || has_gpu_library()) return;
  const NullSafeQueries quiet;
  MPI_Aint first = 0;
  MPI_Aint extent = 0;
  if (PMPI_Type_get_true_extent(type, &first, &extent) != MPI_SUCCESS) return;
  const MpiType element = type_of(type);
  if (extent <= 0 || element.extent < 0 || !element.is_committed) return;
  try {
    memory_ = memory_of(extent + (count - 1) * element.extent);
    // Packed, so that nothing between the elements is read, which may be no memory.
    const PackedInput packed(elements, count, element);
    unpack(packed.data(), count, element, memory_.get() - first);
    data_ = memory_.get() - first;
  } catch (const std::bad_alloc&) {
    // MPI is to do with what there is.
  }
}

}  // namespace tutti::interpose
