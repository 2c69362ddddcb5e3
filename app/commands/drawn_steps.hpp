/// @file
/// Subject of a drawing, and its network.
#pragma once

#include <optional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "app/options/request.hpp"
#include "app/options/simulation_options.hpp"
#include "draw/steps/frames.hpp"
#include "schedule/model/choice.hpp"

namespace tutti::app {

/// Request of `tutti draw`.
struct DrawRequest : Request {
  std::optional<std::string> output;
  bool timeline = false;                   ///< whether it draws what ranks do when, not only the steps
  std::optional<RankRange> steps;          ///< the drawn steps, from 1; the first 64 otherwise
  int columns = 0;                         ///< columns of panels; 0: as fits
  bool book = false;                       ///< whether it is drawn as textbooks print it
  bool dual = false;                       ///< whether its dual stands beside it
  std::optional<DistanceRange> distances;  ///< several distances of a shift, side by side
  bool whole = false;                      ///< whether a figure may be larger than a page
  std::optional<std::string> figure;       ///< figure that has a subject of its own
  std::optional<std::string> trace;        ///< trace of a real run, in place of an algorithm
  SimulationRequest simulation;
};

/// An algorithm for a problem on a network: what the pictures are of.
struct Drawn {
  Problem problem;
  Choice choice;
  Layout layout;
  TopologyPtr topology;
  std::string why = {};        ///< the algorithm is taken, where nobody named it
  Unit unit = Unit::elements;  ///< unit of what messages carry
};

/// Returns the subject that the request means. Without an algorithm it is the cheapest. Without a network it is that of
/// its nodes, the one that the algorithm is made for (a ring for `ring`, a grid for `mesh`, a hypercube where partners
/// differ in a bit, numbered by a Gray code for `gray-code`), or ranks that are all joined; without a number of ranks
/// there are 8. Throws `Error` for what cannot be drawn.
Drawn drawn_of(const DrawRequest& request);

/// The steps that the request asks for.
draw::Limits limits_of(const DrawRequest& request);

/// Writes the picture or page of the frames, and says beside its own notes what is left out.
Outcome written(const std::string& output, const std::string& text, const draw::ScheduleFrames& frames);

/// Its steps, with a title that names algorithm and network. Throws `Error` for what cannot be drawn.
draw::ScheduleFrames steps_of(const Drawn& drawn, const draw::Limits& limits = {});

/// The picture of its steps.
struct StepsDrawing {
  std::string svg;
  draw::ScheduleFrames frames;
};
StepsDrawing draw_steps(const Drawn& drawn, const draw::Limits& limits = {}, int columns = 0);

}  // namespace tutti::app
