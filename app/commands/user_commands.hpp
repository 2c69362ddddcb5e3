/// @file
/// Answers of `verify`, `simulate` and `draw` about messages and programs of one's own.
#pragma once

#include <optional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "app/commands/drawn_steps.hpp"
#include "app/options/traffic_options.hpp"
#include "app/reports/descriptions.hpp"
#include "cost/symbolic/symbolic_time.hpp"
#include "simulate/simulate.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::app {

/// Whether every rank comes to its end and every message meets a receive of its size; status 1 where not, with the
/// ranks that wait for one another and what each of them was to do.
Outcome verify_user_program(const Request& request);

/// When each message begins and ends, how long it would take alone, and which way it goes. `packets` is where the first
/// message is drawn hop by hop: a file, or "-" for the screen.
Outcome simulate_user_program(const Request& request, const SimulationRequest& simulation,
                              const std::optional<std::string>& packets = {});

/// The time as a formula, and as several where it depends on the ways of messages.
Outcome simulate_user_program_in_symbols(const Request& request, const SimulationRequest& simulation,
                                         const SymbolNames& names);

/// Prices a schedule of one's own, beside the lower bound and the best of the catalogue for the problem that it solves.
Outcome price_user_program(const Request& request, const Machine& machine, const TrafficRequest& traffic);

/// The steps, or with --timeline what ranks do when; of a program that cannot be run to its end the cycle of ranks that
/// wait for one another, with status 1.
Outcome draw_user_program(const DrawRequest& request, const std::string& output);

}  // namespace tutti::app
