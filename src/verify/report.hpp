/// @file
/// How the phases of a proof say where a schedule fails.
#pragma once

#include <cstddef>
#include <string>

#include "verify/verify.hpp"

namespace tutti::proof {

/// An operation of a schedule.
struct Place {
  int rank = 0;
  std::size_t op = 0;
};

const Op& op_at(const Schedule& schedule, Place place);
/// The step of the rank that the operation belongs to, from 1.
int step_of(const Schedule& schedule, Place place);
/// A failure of the operation, concerning `slices`; `reason` is one sentence without its full stop.
Failure failure_at(const Schedule& schedule, Place place, Failure::Kind kind, Slices slices, std::string reason);
/// "1 element", "8 elements".
std::string elements_text(std::int64_t count);

}  // namespace tutti::proof
