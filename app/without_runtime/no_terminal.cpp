// The answers of a platform on which nobody reads along, and which starts no programs.

#include "app/command_line/platform.hpp"

namespace tutti::app {

bool output_is_terminal() { return false; }

bool errors_are_terminal() { return false; }

bool is_standard_output(const std::string& /*file*/) { return false; }

int output_columns() { return 0; }

std::optional<int> run_program(const std::vector<std::string>& /*words*/) { return std::nullopt; }

}  // namespace tutti::app
