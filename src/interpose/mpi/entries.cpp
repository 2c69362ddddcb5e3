// The functions of C that are taken over: the names that a program finds here before it finds MPI's.

#include <mpi.h>

#include "interpose/mpi/entry.hpp"
#include "interpose/mpi/words.hpp"

// NOLINTBEGIN: names that MPI has made, which must be symbols of their own
#define TUTTI_TAKE(NAME, SERVE, COUNT, ARGUMENTS)                                                                \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) asm("MPI_" #NAME); \
  int tutti_##NAME(TUTTI_WORDS_##ARGUMENTS) {                                                                    \
    using Function = int (*)(TUTTI_WORDS_##ARGUMENTS);                                                           \
    static const Next<Function> next("MPI_" #NAME, PMPI_##NAME);                                                 \
    return Entry<SERVE, COUNT>::call("MPI_" #NAME, next, std::make_index_sequence<ARGUMENTS - 1>(),              \
                                     TUTTI_PASS_##ARGUMENTS);                                                    \
  }
// NOLINTEND

namespace tutti::interpose {

#define TUTTI_TAKE_ALL(SUFFIX, COUNT)                          \
  TUTTI_TAKE(Bcast##SUFFIX, broadcast, COUNT, 5)               \
  TUTTI_TAKE(Reduce##SUFFIX, reduce, COUNT, 7)                 \
  TUTTI_TAKE(Allreduce##SUFFIX, all_reduce, COUNT, 6)          \
  TUTTI_TAKE(Scan##SUFFIX, scan, COUNT, 6)                     \
  TUTTI_TAKE(Exscan##SUFFIX, exclusive_scan, COUNT, 6)         \
  TUTTI_TAKE(Gather##SUFFIX, gather, COUNT, 8)                 \
  TUTTI_TAKE(Gatherv##SUFFIX, gather_v, COUNT, 9)              \
  TUTTI_TAKE(Scatter##SUFFIX, scatter, COUNT, 8)               \
  TUTTI_TAKE(Scatterv##SUFFIX, scatter_v, COUNT, 9)            \
  TUTTI_TAKE(Allgather##SUFFIX, all_gather, COUNT, 7)          \
  TUTTI_TAKE(Allgatherv##SUFFIX, all_gather_v, COUNT, 8)       \
  TUTTI_TAKE(Alltoall##SUFFIX, all_to_all, COUNT, 7)           \
  TUTTI_TAKE(Alltoallv##SUFFIX, all_to_all_v, COUNT, 9)        \
  TUTTI_TAKE(Reduce_scatter##SUFFIX, reduce_scatter, COUNT, 6) \
  TUTTI_TAKE(Reduce_scatter_block##SUFFIX, reduce_scatter_block, COUNT, 6)

#define TUTTI_FREE(NAME)                                                                             \
  extern "C" __attribute__((visibility("default"))) int tutti_##NAME(Word handle) asm("MPI_" #NAME); \
  int tutti_##NAME(Word handle) {                                                                    \
    static const Next<int (*)(Word)> next("MPI_" #NAME, PMPI_##NAME);                                \
    const Freeing freeing(handle == 0 ? MPI_COMM_NULL : *reinterpret_cast<const MPI_Comm*>(handle)); \
    return next(handle);                                                                             \
  }

TUTTI_FREE(Comm_free)
TUTTI_FREE(Comm_disconnect)
TUTTI_TAKE(Barrier, barrier, int, 1)
TUTTI_TAKE_ALL(, int)
#ifdef MPICH_VERSION
TUTTI_TAKE_ALL(_c, MPI_Count)
#endif

}  // namespace tutti::interpose

extern "C" {

__attribute__((visibility("default"))) int MPI_Init(int* argc, char*** argv) {
  using namespace tutti::interpose;
  static const Next<decltype(&PMPI_Init)> next("MPI_Init", PMPI_Init);
  before_init();
  const int code = next(argc, argv);
  if (code == MPI_SUCCESS) after_init();
  return code;
}

__attribute__((visibility("default"))) int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  using namespace tutti::interpose;
  static const Next<decltype(&PMPI_Init_thread)> next("MPI_Init_thread", PMPI_Init_thread);
  before_init();
  const int code = next(argc, argv, required, provided);
  if (code == MPI_SUCCESS) after_init();
  return code;
}

#if MPI_VERSION >= 4
__attribute__((visibility("default"))) int MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                                                                      MPI_Errhandler handler, MPI_Comm* fresh) {
  using namespace tutti::interpose;
  static const Next<decltype(&PMPI_Comm_create_from_group)> next("MPI_Comm_create_from_group",
                                                                 PMPI_Comm_create_from_group);
  before_session_communicator();
  return next(group, tag, info, handler, fresh);
}

__attribute__((visibility("default"))) int MPI_Intercomm_create_from_groups(MPI_Group local, int local_leader,
                                                                            MPI_Group remote, int remote_leader,
                                                                            const char* tag, MPI_Info info,
                                                                            MPI_Errhandler handler, MPI_Comm* fresh) {
  using namespace tutti::interpose;
  static const Next<decltype(&PMPI_Intercomm_create_from_groups)> next("MPI_Intercomm_create_from_groups",
                                                                       PMPI_Intercomm_create_from_groups);
  before_session_communicator();
  return next(local, local_leader, remote, remote_leader, tag, info, handler, fresh);
}
#endif

__attribute__((visibility("default"))) int MPI_Finalize() {
  using namespace tutti::interpose;
  static const Next<decltype(&PMPI_Finalize)> next("MPI_Finalize", PMPI_Finalize);
  before_finalize();
  const int code = next();
  after_finalize();
  return code;
}

}  // extern "C"
