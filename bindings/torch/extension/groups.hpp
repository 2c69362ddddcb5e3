/// @file
/// Groups of this process, which end together with its program.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "bindings/torch/extension/group.hpp"
#include "bindings/torch/extension/rendezvous.hpp"

namespace tutti::torch_backend {

/// Joins the ranks that come with this store. Under an mpirun they are ranks of MPI's world.
std::shared_ptr<Group> join_group(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                  std::chrono::milliseconds timeout);
/// Ends this process's part in all of its groups, the latest first: at the program's end.
void leave_all();
/// Tells the ranks of all groups that this one has failed.
void abandon_all(const std::string& why);

}  // namespace tutti::torch_backend
