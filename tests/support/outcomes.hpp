/// @file
/// What each rank of a run comes out with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti::testing {

struct Outcome {
  std::optional<ErrorCode> code;  ///< of the `tutti::Error` that ended the rank's function; empty: it returned
  std::string message;
};

/// Runs the ranks, and catches each one's error before run() sees it.
inline std::vector<Outcome> outcomes_of(int ranks, const std::function<void(Communicator&)>& rank,
                                        Duration timeout = Duration(20)) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(ranks));
  run(ranks,
      [&](Communicator& comm) {
        try {
          rank(comm);
        } catch (const Error& error) {
          outcomes[static_cast<std::size_t>(comm.rank())] = {error.code(), error.what()};
        }
      },
      {.timeout = timeout});
  return outcomes;
}

}  // namespace tutti::testing
