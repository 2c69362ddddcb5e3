/// @file
/// What a rank does, line by line, in each procedure of the sources.
#pragma once

#include "app/procedures.hpp"

namespace tutti::app::walks {

/// Of a square of so many ranks.
int side_of(int ranks);

/// Procedures 1 and 8: the latter has the source 0 and no virtual numbers.
void one_to_all(Walk& me);
void one_to_all_of_0(Walk& me);
/// Procedures 2 and 9, which differ in nothing but their names and where `mask` is set.
void all_to_one(Walk& me);
void ring(Walk& me);
void mesh(Walk& me);
void hypercube(Walk& me);
void prefix_sums(Walk& me);
void personal(Walk& me);
void any_to_one(Walk& me);
void scatter(Walk& me);
void circle(Walk& me);
void bruck(Walk& me);

}  // namespace tutti::app::walks
