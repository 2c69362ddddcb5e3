/// @file
/// Symbolic proof that a schedule does what its problem asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti {

/// Why a schedule is wrong, and where.
struct Failure {
  enum class Kind : std::uint8_t {
    malformed,       ///< an operation that no executor can run: a peer or a slice out of range, lists of unequal length
    deadlock,        ///< ranks wait for one another for ever under rendezvous sends
    unmatched,       ///< a message without its counterpart
    size_mismatch,   ///< a send and its receive differ in size
    conflict,        ///< a step writes what it also reads or writes
    uninitialized,   ///< something is read that nothing wrote
    wrong_operands,  ///< a reduction of things that do not belong together: other elements, or in the wrong order
    counted_twice,   ///< a contribution enters a reduction twice
    wrong_result,    ///< the post-condition does not hold
    not_identical,   ///< ranks that must hold the same bits computed them differently
  };
  Kind kind = Kind::malformed;
  int rank = -1;
  int step = -1;           ///< of that rank, from 1; -1: at the end
  std::string slice;       ///< "output[8..16)"; may be empty
  std::string reason;      ///< one sentence
  std::vector<int> cycle;  ///< deadlock: the ranks, each waiting for the next, the last for the first
};

std::string_view name_of(Failure::Kind kind);
/// One line: "rank 2, step 3, output[8..16): …".
std::string describe(const Failure& failure);

/// The outcome of a proof.
struct Proof {
  std::optional<Failure> failure;  ///< empty: proved
  bool single_ported = true;       ///< no rank ever has more than one send or more than one receive in flight
  bool by_symmetry = false;        ///< one rank was run for all, and each rank's program is that one's (symmetry.hpp)

  bool proved() const { return !failure; }
};

/// Runs all ranks symbolically; see the file's implementation for the argument why one order of execution proves all.
/// Never throws for a wrong schedule: a failed proof is a value.
Proof verify(const Schedule& schedule);

}  // namespace tutti
