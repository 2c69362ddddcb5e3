/// @file
/// A schedule's file as an algorithm that can be run.
#pragma once

#include <string>
#include <vector>

#include "user_programs/user_program.hpp"

namespace tutti::app {

/// Makes the program's schedule known as the algorithm of that name (add_own()): of its very problem, and refused for
/// any other. Returns notes on its file, and on bits that ranks may get differently. Throws `Error(unsupported)` with
/// rank and step where the schedule is otherwise not proved, and where it solves no problem.
std::vector<std::string> add_schedule(const std::string& name, UserProgram program);

}  // namespace tutti::app
