/// @file
/// Product of a matrix and a vector on a square of ranks, as textbooks print it.
#pragma once

#include "draw/book/figure_part.hpp"

namespace tutti::draw {

/// The steps of y = A x on n x n ranks: the vector in the first row, its broadcast down the columns, the products, and
/// their sums along the rows. Needs n of 2 or 4.
BookFigure matrix_vector_figure(int n);

}  // namespace tutti::draw
