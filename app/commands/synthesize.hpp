/// @file
/// Request of `tutti synthesize`, and its answers by kind of collective.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/options/machine_options.hpp"
#include "app/options/request.hpp"
#include "app/options/traffic_options.hpp"
#include "app/reports/descriptions.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "schedule/model/schedule.hpp"
#include "topology/machine.hpp"

namespace tutti::app {

struct SynthesizeRequest : Request {
  Machine machine{.ports = Ports::multiple};
  std::shared_ptr<bool> names_tw;  // whether --tw was given
  TrafficRequest shared = {};      ///< other conditions on the network
  std::int64_t bytes = 1 << 20;
  std::optional<std::int64_t> most_trees;
  std::optional<std::string> output;
};

/// A proved schedule, and what the command says of it.
struct SynthesizeAnswer {
  Schedule schedule;
  std::string text;
};

/// The problem that is asked for, an element being a byte.
Problem problem_asked(const SynthesizeRequest& request);

/// The fields that answers of both kinds have in common, as JSON.
Json json_asked(const Problem& problem, const Topology& topology, const Machine& machine, const LowerBound& bound);

/// Throws `Error(internal)` with what is wrong where the schedule is not proved.
void check_proof(const Schedule& schedule);

/// Says that ranks forward, where a message passes one on this network; otherwise empty.
std::string forwarding_in_words(const Topology& topology, const Machine& machine);

/// For collectives that trees serve, of which what each root tells goes to all ranks, or comes from all.
SynthesizeAnswer synthesize_trees(const SynthesizeRequest& request, const Machine& machine);
/// For an all-to-all, a scatter or a gather: shares of blocks, each with a way of its own.
SynthesizeAnswer synthesize_blocks(const SynthesizeRequest& request, const Machine& machine);

}  // namespace tutti::app
