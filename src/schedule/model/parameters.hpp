/// @file
/// Parameters of an algorithm: its way to solve a problem, if it leaves a choice.
#pragma once

#include <cstdint>
#include <string>

#include "base/shape.hpp"

namespace tutti {

/// The parameters of an algorithm: the half of a `Choice` that is not its name. What is left open (0, or empty) the
/// algorithm decides by itself. An algorithm that has no use for a parameter does not look at it.
struct Parameters {
  int segments = 0;  ///< pieces of the message, for pipelined algorithms
  int radix = 0;     ///< ranks, or blocks, that are served at a time, for algorithms whose names have a k
  Shape grid;        ///< for mesh algorithms

  /// Returns how many segments a message of `count` elements is cut into: `segments`, or 8; never more than it has
  /// elements; at least 1.
  int segments_for(std::int64_t count) const;
  /// The radix for `ranks` ranks: `radix`, or 4; never more than there are ranks; at least 2.
  int radix_for(int ranks) const;
  /// The grid of `ranks` ranks: `grid`, or the most nearly square one.
  Shape grid_for(int ranks) const;

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

/// Throws `Error` unless the parameters make sense over `ranks` ranks: segments >= 0, a radix that is 0 or at least 2,
/// and a grid that holds the ranks.
void check(const Parameters& parameters, int ranks);

/// For people: "3 segments, radix 4, grid 2x4"; "parameters left open".
std::string describe(const Parameters& parameters);

/// Differs, but for bad luck, where the parameters do.
std::uint64_t hash_of(const Parameters& parameters);

}  // namespace tutti
