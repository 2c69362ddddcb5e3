/// @file
/// Null-safe queries: asks MPI about handles that may be none, without calling the program's error handler.
#pragma once

#include <mpi.h>

namespace tutti::interpose {

/// Whether other threads of the program may call MPI meanwhile.
enum class OtherThreads { may_call, do_not_call };

/// While it lives, MPI returns its errors about handles that it does not know, instead of calling the program's
/// handler. It changes nothing where other threads may need that handler.
class NullSafeQueries {
 public:
  explicit NullSafeQueries(OtherThreads others = OtherThreads::may_call) {
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    is_quiet_ = level != MPI_THREAD_MULTIPLE || others == OtherThreads::do_not_call;
    if (!is_quiet_) return;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  NullSafeQueries(const NullSafeQueries&) = delete;
  NullSafeQueries& operator=(const NullSafeQueries&) = delete;
  ~NullSafeQueries() {
    if (!is_quiet_) return;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
    if (before_ != MPI_ERRORS_ARE_FATAL && before_ != MPI_ERRORS_RETURN) PMPI_Errhandler_free(&before_);
  }

 private:
  bool is_quiet_ = false;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

}  // namespace tutti::interpose
