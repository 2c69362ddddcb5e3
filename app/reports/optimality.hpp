/// @file
/// `tutti list --optimality`: how far the catalogue stands above the lower bounds.
#pragma once

#include <optional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::app {

/// Request of `tutti list --optimality`.
struct OptimalityRequest {
  std::optional<Collective> collective;  ///< one alone
  bool every = false;                    ///< every number of ranks from 2 to 1,024, rather than those that tell most
  std::optional<std::string> plot;       ///< file of the picture
  bool json = false;
};

/// Looks at short, middle and long messages, for each collective and number of ranks.
Outcome list_optimality(const OptimalityRequest& request);

}  // namespace tutti::app
