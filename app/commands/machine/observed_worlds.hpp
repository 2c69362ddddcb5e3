/// @file
/// Observations of `tutti tune` in worlds that it starts itself.
#pragma once

#include <string>
#include <vector>

#include "predict/profile/profile.hpp"
#include "tuning/observe.hpp"

namespace tutti::app {

/// The calls of observe() over as many ranks as each of sizes_observed() says, in worlds of their own, one after the
/// other: beside ranks that wait while others are measured, these share their cores with them, and wait for one another
/// as on crowded cores. `seconds` are divided by the trials. To be called by the main thread of a process that has no
/// others and no children. Where ranks are processes, they are this command again, with --measurements; throws
/// `Error(internal)` where they fail, after what they have said.
Observed observe_worlds(Transport transport, int ranks, double seconds);

}  // namespace tutti::app
