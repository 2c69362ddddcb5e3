/// @file
/// The problems on which an algorithm is proved.
#pragma once

#include <functional>
#include <vector>

#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Up to so many ranks every root has a case; a proof of one takes a second or so where there are 65,536.
inline constexpr int most_ranks_of_all_roots = 1024;

/// The roots that stand for all others: all of them, or beyond that number of ranks the first, the middle and the last
/// ones.
std::vector<int> roots_tried(int ranks);

/// Whether there are cases in which blocks differ: in an all-to-all, where no two ranks are alike then, only while all
/// that ranks record can be held.
bool tries_uneven_blocks(const Algorithm& algorithm, int ranks, const Layout& layout = {});

/// Calls `see` for the problems, and parameters, over `ranks` ranks that stand for all others of that many ranks.
///
/// Algorithms never look at data, so what can go wrong depends on the shape of a problem alone. The cases are
///
/// - every root, of many ranks those of roots_tried(), with a length that p does not divide, and the operator not
///   commutative where the algorithm allows that;
/// - for shift every distance in [0, p) up to 16 ranks, beyond that the short, the long and the middle ones, with both
///   signs;
/// - at a few roots (all of them up to 4 ranks; else the first, a middle one and the last) and a few distances, the
///   variants: no elements, fewer elements than ranks, as many, a commutative operator, in place, larger blocks first,
///   uneven blocks with empty ones among them and no block but one (tries_uneven_blocks()), other grids, one and three
///   segments, radixes 2 and 3.
///
/// Cases that the algorithm's needs exclude, over ranks that are where `layout` says, are left out; where they exclude
/// all, nothing is called.
/// Cost: O(p) cases, up to `most_ranks_of_all_roots`; over the catalogue and ranks 1..64 some tens of thousands.
void for_each_case(const Algorithm& algorithm, int ranks,
                   const std::function<void(const Problem& problem, const Parameters& parameters)>& see,
                   const Layout& layout = {});

}  // namespace tutti::algorithms
