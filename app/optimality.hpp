/// @file
/// `tutti list --optimality`: how far the catalogue stands above the lower bounds.
#pragma once

#include <optional>
#include <string>

#include "app/commands.hpp"
#include "schedule/problem.hpp"

namespace tutti::app {

/// What is asked.
struct OptimalityRequest {
  std::optional<Collective> collective;  ///< one alone
  bool every = false;                    ///< every number of ranks from 2 to 1,024, rather than those that tell most
  std::optional<std::string> plot;       ///< where the picture goes
  bool json = false;
};

/// Looks at short, middle and long messages, for each collective and number of ranks.
Outcome list_optimality(const OptimalityRequest& request);

}  // namespace tutti::app
