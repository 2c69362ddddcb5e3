/// @file
/// What `verify`, `simulate` and `draw` say of messages and programs of one's own.
#pragma once

#include <optional>
#include <string>

#include "app/commands.hpp"
#include "app/draw.hpp"
#include "app/meaning.hpp"
#include "app/own_program.hpp"
#include "app/traffic_options.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// Whether every rank comes to its end and every message meets a receive of its size; status 1 where not, with the
/// ranks that wait for one another and what each of them was to do.
Outcome verify_own(const Request& request);

/// When each message begins and ends, how long it would take alone, and which way it goes. `packets` is where the first
/// message is drawn hop by hop: a file, or "-" for the screen.
Outcome simulate_own(const Request& request, const SimulationRequest& simulation,
                     const std::optional<std::string>& packets = {});

/// Where a message of a simulation goes, when both ranks have come to it, and when it begins and ends.
Json json_of_message(const TimelineMessage& message);

/// What a schedule of one's own takes, beside the lower bound and the best of the catalogue for what it solves.
Outcome price_own(const Request& request, const Machine& machine, const TrafficRequest& traffic);

/// The steps, or with --timeline what ranks do when; of a program that cannot be run to its end the circle of ranks
/// that wait for one another, with status 1.
Outcome draw_own(const DrawRequest& request, const std::string& output);

}  // namespace tutti::app
