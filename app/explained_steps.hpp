/// @file
/// What `tutti explain` prints of an algorithm's steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/meaning.hpp"
#include "app/options.hpp"
#include "schedule/choice.hpp"

namespace tutti::app {

/// An algorithm for a problem of ranks that are somewhere: what a schedule is recorded from.
struct Asked {
  Problem problem;
  Choice choice;
  Layout layout;
  std::string why = {};        ///< the algorithm is taken, where nobody named it
  Unit unit = Unit::elements;  ///< of the count as it was given
};

/// Calls `see(rank, program)` for all ranks. One program is held at a time: those of many ranks would fill the memory.
template <typename See>
void for_each_program(const Asked& asked, const See& see) {
  Program program;
  for (int rank = 0; rank < asked.problem.ranks; ++rank) {
    record_rank(asked.choice, asked.problem, rank, program, asked.layout);
    see(rank, program);
  }
}

/// To standard output, because the text may be too long to be held. Throws `Error` where that fails.
void print(std::string_view text);

/// Prints the fields, and three more, each a list with an entry for each rank: `steps`, its steps in words,
/// `operations`, the same as data, and `pruned`, the sends that its steps leave out.
void print_with_steps(const Json& fields, const Asked& asked);

/// Prints what every rank does. A rank counts its own steps; the chart's are those of all ranks together.
void print_listing(const Asked& asked);

/// How many sends of the algorithm's pattern are left out; 0 where so many are made that recording them takes long.
std::int64_t pruned_sends(const Asked& asked);

/// The steps as a chart, or a sentence where they are too many for one.
std::string chart_text(const Asked& asked);

}  // namespace tutti::app
