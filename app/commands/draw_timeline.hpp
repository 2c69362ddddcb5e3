/// @file
/// The pictures of `tutti draw` in which time passes: of a simulation, and of a run.
#pragma once

#include <optional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "app/commands/drawn_steps.hpp"
#include "app/options/simulation_options.hpp"
#include "timeline/timeline.hpp"

namespace tutti::app {

/// "all-reduce of 8KiB over 8 ranks by ring on ring:8, alpha-beta, flows engine".
std::string timeline_title(const Problem& problem, const Choice& choice, const Topology& topology,
                           const SimulationRequest& simulation);

/// Returns the timeline of a simulation of the subject. Throws `Error` for more messages than a picture or a trace is
/// good for.
timeline::Timeline simulated_timeline(const Drawn& drawn, const SimulationRequest& simulation);

/// The trace that TUTTI_TRACE, or `draw_timeline`, has written to the file. Throws `Error` where it is none.
timeline::Timeline traced_timeline(const std::string& file);

/// Writes the timeline as a picture (FILE.svg) or as a trace for ui.perfetto.dev (FILE.json), and sums it up. What the
/// picture leaves out is said on standard error.
Outcome draw_timeline(const timeline::Timeline& timeline, const std::string& output);

}  // namespace tutti::app
