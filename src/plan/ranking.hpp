/// @file
/// All algorithms that fit a problem, by what they are predicted to take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/choice.hpp"

namespace tutti {

/// A choice, and what a call by it is predicted to take in a row of calls alike.
struct Priced {
  Choice choice;
  double seconds = 0;
  double once = 0;  ///< predicted seconds of one call by itself
};

/// Returns the choices that choose() looks at with these parameters, the cheapest first; among those of which none
/// is_cheaper() than another, the first in the catalogue. Its first is the one that choose() takes. Cost: a price for
/// each algorithm that fits, and those of search_parameters() for each that comes near the lowest.
std::vector<Priced> ranking_of(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                               const CostModel& model);

/// The least that one call by itself takes by any algorithm that fits. Cost: a price for each.
double least_once(const Problem& problem, std::int64_t element_size, const CostModel& model);

/// Returns the values that the algorithm gives the parameters that it looks at, such as "8 segments", "grid 2x2"; empty
/// if it looks at none.
std::string parameters_in_words(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// An algorithm with the parameters that the choice names, "chain (8 segments)".
std::string choice_in_words(const Choice& choice);

/// Whether the algorithm cuts its messages into segments, of which it has as many as the parameters say.
bool uses_segments(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// The nearest sizes on both sides at which one choice is predicted to be faster than another.
struct Crossover {
  std::optional<std::int64_t> at_most;   ///< the largest such count below the problem's
  std::optional<std::int64_t> at_least;  ///< the smallest above it
};

/// Returns the count from which `second` is faster than `first`, which it is not at the problem's count. Counts are
/// tried that are a power of two times smaller or larger, down to one element and up to about a GiB, and the one found
/// is made exact by bisection: a choice that is faster only between two of them is missed. Nothing is found if counts
/// differ by rank. Cost: at most about 120 prices.
Crossover crossover(const Choice& first, const Choice& second, const Problem& problem, std::int64_t element_size,
                    const CostModel& model);

}  // namespace tutti
