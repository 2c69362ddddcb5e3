/// @file
/// The sizes of buffers that each collective asks for.
#pragma once

#include <cstdint>
#include <string>

#include "tutti/untyped.hpp"

namespace tutti::runtime {

/// Checks the sizes of the call's buffers and counts on rank `rank` of `ranks`, and returns `Problem::count`: 0 where
/// counts are given. Throws `Error(invalid_argument)` with one sentence that names both sizes.
std::int64_t checked_count(const untyped::Call& call, int ranks, int rank);

/// Whether input and output are one buffer: the input was left out, or both are the same elements.
/// Throws `Error(invalid_argument)` where they overlap otherwise, but for a block in its own place
/// (lies_in_own_block()).
bool checked_in_place(const untyped::Call& call, int rank);

/// Throws `Error(invalid_argument)` where the root of that call is no rank.
void require_root(std::string_view call, int root, int ranks);

}  // namespace tutti::runtime
