/// @file
/// Failure of a proof: a fault of a schedule, the place where it shows, and how its phases report it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti {

/// Why a schedule is wrong, and where.
struct ProofFailure {
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
  int step = -1;           ///< step of that rank, from 1; -1: at the end
  std::string slice;       ///< "output[8..16)"; may be empty
  std::string reason;      ///< one sentence
  std::vector<int> cycle;  ///< deadlock: the ranks, each waiting for the next, the last for the first
};

std::string_view name_of(ProofFailure::Kind kind);
/// One line: "rank 2, step 3, output[8..16): …".
std::string describe(const ProofFailure& failure);

}  // namespace tutti

namespace tutti::proof {

/// An operation of a schedule.
struct OpPosition {
  int rank = 0;
  std::size_t op = 0;
};

const Op& op_at(const Schedule& schedule, OpPosition place);
/// The step of the rank that the operation belongs to, from 1.
int step_of(const Schedule& schedule, OpPosition place);
/// A failure of the operation, concerning `slices`; `reason` is one sentence without its full stop.
ProofFailure failure_at(const Schedule& schedule, OpPosition place, ProofFailure::Kind kind, Slices slices,
                        std::string reason);
/// "1 element", "8 elements".
std::string elements_text(std::int64_t count);

}  // namespace tutti::proof
