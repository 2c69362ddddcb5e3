/// @file
/// Report of `tutti simulate --symbolic`: the critical path as a formula, by cases and by the ways of messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "cost/symbolic/symbolic_bounds.hpp"
#include "pricing/probed_runs.hpp"
#include "pricing/way_choices.hpp"

namespace tutti::app {

/// The answer for one run.
struct SymbolicRun {
  std::string title;
  TopologyPtr topology;
  Machine machine;  ///< the request's costs: a run that is probed may have a th where this has none
  TimeCases cases;
  double m = 1;                  ///< bytes, of the answer in seconds
  double simulated = 0;          ///< seconds of the run itself, with the request's costs
  std::string m_words;           ///< "the greatest common divisor of the messages' sizes"; empty where m needs no words
  std::string formula = {};      ///< for any p; empty where no closed form holds
  std::string_view growth = {};  ///< least_growth(); empty where none is known
  std::vector<SymbolicBound> bounds = {};
  std::vector<WayOutcome> ways = {};
};

/// Returns the answer about a collective. `holds_forms`: whether nothing is asked for that closed forms do not know;
/// then formula and bounds are in it.
SymbolicRun symbolic_run(const Choice& choice, const Problem& problem, const TopologyPtr& topology,
                         const Machine& machine, const Layout& layout, const SimulationOptions& options,
                         bool holds_forms);

/// Returns the answer about a schedule of one's own, without title.
SymbolicRun symbolic_run(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                         const SimulationOptions& options);

/// Returns the critical path, what is left of it where one term outweighs the others, its seconds, the bounds, and what
/// depends on the ways.
std::string text_of(const SymbolicRun& run, const SymbolNames& names);
Json json_of(const SymbolicRun& run, const SymbolNames& names);

}  // namespace tutti::app
