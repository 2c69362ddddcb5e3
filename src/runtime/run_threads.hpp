/// @file
/// Ranks as threads, on a machine that nobody looks at first.
#pragma once

#include "tutti/run.hpp"

namespace tutti::runtime {

/// Does what run() does, but for its first look at a machine: for programs that measure the machine themselves.
void run_threads(int ranks, const std::function<void(Communicator&)>& rank, const RunOptions& options = {});

}  // namespace tutti::runtime
