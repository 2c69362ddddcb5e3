/// @file
/// Blocks that a rank holds while a program runs: where they lie, and what they are worth.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "user_programs/language/code.hpp"
#include "user_programs/language/term.hpp"

namespace tutti::language {

/// Subscripts of a block: "R[3]", "M[0, 2]".
struct BlockLabel {
  std::int64_t first = 0;
  std::int64_t second = -1;  ///< -1: it has one subscript

  friend auto operator<=>(const BlockLabel&, const BlockLabel&) = default;
};

struct HeldBlock {
  Slice at;
  Term term;
  double divisor = 1;  ///< divided by it since it was received or combined
};

using HeldBlocks = std::map<BlockLabel, HeldBlock>;

/// Shape of a run: its processes, root and sizes.
struct RunShape {
  int ranks = 1;           ///< processes of the program; those from `real` on are virtual
  int real = 1;            ///< ranks that run them
  int root = 0;            ///< root that the command line names
  std::int64_t bytes = 1;  ///< size of a block
  Problem problem = {};    ///< collective that the program computes, over the real ranks
  bool patched() const { return ranks > real; }
};

/// Returns what the rank holds in the program's input variable at the start; nothing for a virtual process.
HeldBlocks inputs_of(const Code& code, const RunShape& shape, int rank);

/// Place of a block of the output variable in the rank's output; nothing where it has none there.
std::optional<Slice> output_place(const Code& code, const RunShape& shape, int rank, const BlockLabel& label);

/// Whether the rank's output is one block, whatever its label.
bool has_one_output(Collective collective);

/// Place of that block; nothing where none is due to the rank.
std::optional<Slice> only_output(const RunShape& shape, int rank);

}  // namespace tutti::language
