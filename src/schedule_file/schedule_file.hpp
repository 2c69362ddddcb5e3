/// @file
/// Schedules as files: JSON that other programs write and read.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "base/check.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti {

/// The list of a rank's steps, each the list of its operations as objects: {"kind", "peer", "slices", "operand",
/// "second", "received_first", "chained"}, of which an operation has what its kind needs.
nlohmann::json operations_json(const Program& program);

/// The schedule as a file's text: {"tutti_schedule": 1, "collective", "ranks", "count", …, "operations"};
/// docs/reference/files.md names the fields. What lies where on nodes, and the names of phases, it does not say.
std::string file_of(const Schedule& schedule);

/// The schedule that the text describes; scratch is as long as its slices need. Throws `Error(invalid_argument)`, a
/// line that begins with `name` and names rank and step, for what cannot be read. Whether the schedule can run, and
/// does what its collective asks, is for verify() to say.
Schedule read_schedule(std::string_view text, const std::string& name);

/// Checks the problem, with the file's name before the fault.
inline void check_in_file(const Problem& problem, std::string_view file) {
  try {
    check(problem);
  } catch (const Error& error) {
    fail(error.code(), "{}: {}", file, error.what());
  }
}

}  // namespace tutti
