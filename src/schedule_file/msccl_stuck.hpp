/// @file
/// Progress of an MSCCL file's thread blocks: their operations step by step, and waits that never end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schedule/record/script.hpp"
#include "schedule_file/msccl.hpp"

namespace tutti::msccl {

/// Throws `Error(invalid_argument)` where a step waits for one that does not exist, or that comes no earlier in its own
/// thread block.
void check_waits(const MscclAlgorithm& algorithm, const std::string& name);

/// By rank and thread block: the step that it has come to, or one past its last.
using Reached = std::vector<std::vector<std::size_t>>;

/// Throws `Error(invalid_argument)` where a thread block has not come to its end though none goes on: it names one that
/// no other keeps from going on, or one of those that wait for one another in a cycle.
void check_ends(const MscclAlgorithm& algorithm, const Reached& reached, const std::string& name);

/// An operation of a rank, in the step of a number that is the same on all ranks.
struct Planned {
  OpKind kind = OpKind::copy;
  int peer = -1;
  Slice into = {};  // slice that a send sends
  Slice mine = {};  // slice that is combined with what comes in; a copy's source
};

/// Records the operation; its scratch is made as long as it needs.
void record(Script& me, const Planned& planned);

}  // namespace tutti::msccl
