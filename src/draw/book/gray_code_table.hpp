/// @file
/// Table of the reflected Gray code, by which a ring sits in a hypercube.
#pragma once

#include "draw/book/figure_part.hpp"

namespace tutti::draw {

/// Most dimensions of a hypercube of which the table is drawn.
inline constexpr int most_dimensions_in_table = 5;

/// A row a rank of the ring: its codes of 1 to `dimensions` bits, each the one before it and its reflection, and the
/// processor of the hypercube that the last one names. Broken lines are the reflections.
FigurePart gray_code_table(int dimensions);

}  // namespace tutti::draw
