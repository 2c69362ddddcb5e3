/// @file
/// Small changes to a schedule, of the kinds that programmers make.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "schedule/model/schedule.hpp"

namespace tutti::testing {

enum class Mutation : std::uint8_t {
  drop,           ///< one operation less
  duplicate,      ///< one operation twice: in the same step, or in a step of its own
  swap,           ///< two operations of a rank change places
  resize,         ///< one element more or less: in one list of an operation, or in all of them
  shift,          ///< a slice, or all slices of an operation, one element further on or back
  rebuffer,       ///< a slice in another buffer
  retarget,       ///< another peer
  flip,           ///< the operands of a reduction change sides
  merge_steps,    ///< a wait less
  split_step,     ///< a wait more, which takes the place of a chain's order
  split_all,      ///< a wait after every operation of every rank
  swap_steps,     ///< two steps of a rank change places
  lose,           ///< one message less: neither sent nor received
  shorten,        ///< one message one element shorter, at both ends
  unchain,        ///< an operation of a chain no longer waits for the one before it
  chain,          ///< an operation waits for the one before it
  stray_copy,     ///< one copy more, into what must stay as it is
  stray_receive,  ///< one message more, received into what must stay as it is
};

std::span<const Mutation> all_mutations();
std::string_view name_of(Mutation mutation);

/// A changed schedule, and what was changed.
struct Mutant {
  Schedule schedule;
  std::string change;            ///< "rank 2, op 5, send input[0..3) to 1: …"
  bool communicates = false;     ///< whether the changed operation sends or receives
  bool within_one_step = false;  ///< swap: whether both operations belong to one step
  bool reads_only = false;       ///< whether the operation writes what it wrote before
};

/// One operation of one rank, drawn by lot, is changed; or one message, at both ends; or, for split_all, everything.
/// Empty where the mutation does not apply there, or changes nothing.
std::optional<Mutant> mutated(const Schedule& schedule, Mutation mutation, std::mt19937_64& random);

}  // namespace tutti::testing
