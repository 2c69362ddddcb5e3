/// @file
/// What `tutti tune` measures where it starts the ranks itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/observe.hpp"
#include "predict/profile.hpp"

namespace tutti::app {

/// The calls of observe() over as many ranks as each of sizes_observed() says, in worlds of their own, one after the
/// other: beside ranks that wait while others are measured, these share their cores with them, and wait for one another
/// as on crowded cores. `seconds` are divided by the trials. To be called by the main thread of a process that has no
/// others and no children. Where ranks are processes, they are this command again, with --measurements; throws
/// `Error(internal)` where they fail, after what they have said.
Observed observe_worlds(Transport transport, int ranks, double seconds);

/// As a JSON array, an object a measurement.
std::string json_of(const std::vector<Observation>& observations);

/// Reads that. Throws `Error(invalid_argument)`, one line that begins with `name`, where the text is none.
std::vector<Observation> observations_in(std::string_view text, const std::string& name);

}  // namespace tutti::app
