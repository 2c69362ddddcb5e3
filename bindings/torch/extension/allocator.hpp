/// @file
/// Memory of torch's tensors on the CPU, in the heap that ranks share.
#pragma once

#include <pybind11/pybind11.h>

#include "bindings/torch/extension/block_pool.hpp"

namespace tutti::torch_backend {

/// From here on torch's tensors of 16 KiB and more lie in memory that ranks of worlds that are joined later reach in
/// place; false, and no tensor does, where this process shares no heap (TUTTI_HEAP=0). What is there already stays
/// where it is. Not beside other threads that make tensors.
bool share_memory();
/// From here on new tensors lie where torch itself puts them.
void keep_memory_private();
/// Whether new tensors lie in shared memory.
bool shares_memory();
/// Gives memory back that is kept for the next tensors.
void release_idle_memory();
PoolStatistics memory_statistics();

/// Adds these functions to the module.
void add_memory(pybind11::module_& module);

}  // namespace tutti::torch_backend
