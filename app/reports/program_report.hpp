/// @file
/// Words about programs of one's own: why one fails, and what its ranks print and end with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/reports/descriptions.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::app {

/// Texts of ranks that wait for one another: "rank 3: send 1; wait"; for messages nothing.
std::vector<std::string> program_lines(const UserProgram& program, const std::vector<int>& ranks);

/// The failure, the line of the text at which it is, the ranks that wait for one another, and what the program needs.
std::string failure_text(const ProofFailure& failure, const UserProgram& program);
Json failure_json(const ProofFailure& failure, const UserProgram& program);

/// A table of what each rank prints, and holds at the end; empty for programs without data.
std::string values_text(const UserProgram& program);
/// Adds the table to the fields, where there is one.
void add_values(Json& fields, const UserProgram& program);

}  // namespace tutti::app
