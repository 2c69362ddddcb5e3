/// @file
/// Report of a test's rank: how its function ended, and which expectations failed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti::testing {

using RankFunction = std::function<void(Communicator&)>;

/// End of a rank's function.
struct Outcome {
  std::optional<ErrorCode> code;  ///< code of the `tutti::Error` that ended it
  bool threw = false;             ///< another exception ended it
  std::string message;            ///< text of either
};

/// An expectation of GoogleTest that failed.
struct Failure {
  std::string file;
  int line = 0;
  std::string message;
};

struct Report {
  Outcome outcome;
  std::vector<Failure> failures;
};

/// Runs the function and all that it has started to the end.
Outcome outcome_of(const RankFunction& function, Communicator& comm);
/// Returns the report, and keeps what fails meanwhile from GoogleTest. `join` gives the communicator.
Report report_of(const RankFunction& function, const std::function<Communicator&()>& join);

/// A report as bytes that can travel.
std::string packed(const Report& report);
Report unpacked(std::string_view bytes);

}  // namespace tutti::testing
