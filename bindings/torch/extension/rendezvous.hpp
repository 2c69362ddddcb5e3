/// @file
/// Rendezvous: ranks that torch's store brings together become a world of tutti.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bindings/torch/extension/group.hpp"

namespace tutti::torch_backend {

/// All-gather of bytes by a store. Ranks may rendezvous again on the same store: each time has keys of its own.
class StoreExchange {
 public:
  StoreExchange(c10::intrusive_ptr<c10d::Store> store, int rank, int size, std::chrono::milliseconds timeout);

  /// Throws `Error(timeout)` that names the first rank which has not come.
  std::vector<std::string> operator()(const std::string& mine);

 private:
  std::string key(int rank) const;

  c10::intrusive_ptr<c10d::Store> store_;
  int rank_;
  int size_;
  std::chrono::milliseconds timeout_;
  std::int64_t time_;
  int round_ = 0;
};

/// Whether an mpirun has started this process.
bool is_under_mpirun();

/// Returns the group of these ranks. Throws `Error(unsupported)` where they run on several machines and no mpirun has started them.
std::shared_ptr<Group> join_by_store(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                     std::chrono::milliseconds timeout);

}  // namespace tutti::torch_backend
