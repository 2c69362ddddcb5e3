/// @file
/// A schedule's file as an algorithm that can be run.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace tutti::app {

/// Makes the schedule known as the algorithm of that name (add_own()): of its very problem, and refused for any other.
/// Throws `Error(unsupported)` with rank and step where the schedule is not proved.
void add_schedule(const std::string& name, Schedule schedule);

}  // namespace tutti::app
