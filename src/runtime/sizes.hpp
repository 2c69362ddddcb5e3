/// @file
/// The sizes of buffers that each collective asks for.
#pragma once

#include "runtime/communicator_state.hpp"
#include "tutti/detail/call.hpp"

namespace tutti::runtime {

/// Checks the sizes of the call's buffers and counts on this rank, and returns `Problem::count`: 0 where counts are
/// given. Throws `Error(invalid_argument)` with one sentence that names both sizes.
std::int64_t checked_count(const detail::Call& call, const CommunicatorState& communicator);

/// Whether input and output are one buffer: the input was left out, or both are the same elements.
/// Throws `Error(invalid_argument)` where they overlap otherwise.
bool checked_in_place(const detail::Call& call, const CommunicatorState& communicator);

/// The collective as the user wrote it: "gather_v".
std::string call_name(const detail::Call& call);

}  // namespace tutti::runtime
