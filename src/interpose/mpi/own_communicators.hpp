/// @file
/// The communicators that windows and files of a checked program have here: see coming.hpp.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "interpose/mpi/taken.hpp"
#include "interpose/mpi/types.hpp"

namespace tutti::interpose {

/// A communicator of the same ranks, for what `function` makes on `of`, and known to its ranks as served; `what` that is
/// follows in its name. Called by all ranks of `of`. MPI_COMM_NULL on all of them where one of them has too many.
MPI_Comm own_communicator(Taken& of, const char* function, const char* what);
void free_own_communicator(MPI_Comm own);

/// By the handles of their windows, or files. MPI gives each handle to one of them at a time.
template <typename Handle>
class OwnCommunicators {
 public:
  static OwnCommunicators& all() {
    static OwnCommunicators& only = *new OwnCommunicators;
    return only;
  }

  void add(Handle handle, MPI_Comm own) {
    const std::lock_guard lock(mutex_);
    own_[key_of(handle)] = own;
  }
  /// MPI_COMM_NULL where it has none.
  MPI_Comm find(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = own_.find(key_of(handle));
    return found == own_.end() ? MPI_COMM_NULL : found->second;
  }
  void remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    own_.erase(key_of(handle));
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, MPI_Comm> own_;
};

}  // namespace tutti::interpose
