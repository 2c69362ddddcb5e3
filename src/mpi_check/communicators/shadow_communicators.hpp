/// @file
/// Shadow communicators: one for each window and file of a checked program, on which their ranks meet.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <unordered_map>

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// Makes a communicator of the same ranks, for what `function` makes on `of`, which its ranks know as served; `what`
/// that is follows in its name. All ranks of `of` call this, and get MPI_COMM_NULL where one of them has too many.
MPI_Comm shadow_communicator(ServedCommunicator& of, const char* function, const char* what);
void free_shadow_communicator(MPI_Comm own);

/// By the handles of their windows, or files. MPI gives each handle to one of them at a time.
template <typename Handle>
class ShadowCommunicators {
 public:
  static ShadowCommunicators& all() {
    static ShadowCommunicators& only = *new ShadowCommunicators;
    return only;
  }

  /// From here on the handle has that communicator, or none. Returns what nothing has any more: the one that the handle
  /// had before, or `own` itself where the handle is null, because nothing was made.
  MPI_Comm put(Handle handle, MPI_Comm own) {
    if (handle == null()) return own;
    const std::lock_guard lock(mutex_);
    const auto found = own_.find(key_of(handle));
    const MPI_Comm before = found == own_.end() ? MPI_COMM_NULL : found->second;
    if (own != MPI_COMM_NULL) {
      own_[key_of(handle)] = own;
    } else if (found != own_.end()) {
      own_.erase(found);
    }
    return before;
  }
  /// Returns MPI_COMM_NULL where the handle has none.
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
  static Handle null() {
    if constexpr (std::is_same_v<Handle, MPI_Win>) {
      return MPI_WIN_NULL;
    } else {
      return MPI_FILE_NULL;
    }
  }

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, MPI_Comm> own_;
};

}  // namespace tutti::interpose
