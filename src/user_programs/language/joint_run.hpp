/// @file
/// All ranks' run through a program, and the schedule that comes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "user_programs/language/rank_run.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::language {

/// Runs the program on all of its processes, up to their ends or to a fault.
std::vector<RankRun> run_together(const Code& code, const RunShape& shape);

/// Returns the steps of each real rank. A rank that runs a virtual process besides its own does the steps of both in
/// the order of rounds: a message's two ends are in one round, and the rounds of a process follow its steps.
std::vector<std::vector<RankStep>> steps_of_ranks(const std::vector<RankRun>& runs, int real);

/// Number of the rank that runs the process.
int host_of(int process, int real);

/// Schedule of a program with data: what the steps say, for the problem that it computes. `lines` gets the line of the
/// text for each step of each rank.
Schedule schedule_of_steps(const Problem& problem, const std::vector<std::vector<RankStep>>& steps,
                           const std::vector<std::int64_t>& scratch, std::vector<std::vector<int>>& lines);

/// Schedule of a program whose messages carry no data.
Schedule schedule_of_bare_messages(const std::vector<std::vector<RankStep>>& steps,
                                   std::vector<std::vector<int>>& lines);

/// Adds what the ranks compute to the schedule, for readers who ask how long it takes: so many elements of scratch are
/// combined, in a step of their own or beside messages. Nothing where ranks compute nothing.
std::optional<Schedule> with_operations(const Schedule& schedule, const std::vector<std::vector<RankStep>>& steps);

}  // namespace tutti::language
