/// @file
/// Steps of an algorithm, as `tutti explain` prints them.
#pragma once

#include <cstdint>
#include <string>

#include "app/command_line/outcome.hpp"
#include "app/options/request.hpp"
#include "app/reports/descriptions.hpp"
#include "schedule/model/choice.hpp"

namespace tutti::app {

/// An algorithm for a problem of ranks that are somewhere: what a schedule is recorded from.
struct Asked {
  Problem problem;
  Choice choice;
  Layout layout;
  std::string why = {};        ///< the algorithm is taken, where nobody named it
  Unit unit = Unit::elements;  ///< unit of the count as it was given
};

/// Calls `see(rank, program)` for all ranks. One program is held at a time: those of many ranks would fill the memory.
template <typename See>
void for_each_program(const Asked& asked, const See& see) {
  RecordingContext context;
  Program program;
  for (int rank = 0; rank < asked.problem.ranks; ++rank) {
    record_rank(context, asked.choice, asked.problem, rank, program, asked.layout);
    see(rank, program);
  }
}

/// Writes the fields, and three more, each a list with an entry for each rank: `steps`, its steps in words,
/// `operations`, the same as data, and `pruned`, the sends that its steps leave out. All of that may be too long to be
/// held.
void write_with_steps(const Json& fields, const Asked& asked, const Sink& write);

/// Writes what every rank does. A rank counts its own steps; the chart's are those of all ranks together.
void write_listing(const Asked& asked, const Sink& write);

/// Returns how many sends of the algorithm's pattern are left out; 0 if so many are made that recording them takes
/// long.
std::int64_t pruned_sends(const Asked& asked);

/// The steps as a chart; where they are too many for one, a sentence and `drawing`, the command that draws them.
std::string chart_text(const Asked& asked, const std::string& drawing);

}  // namespace tutti::app
