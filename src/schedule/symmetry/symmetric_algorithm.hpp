/// @file
/// Symmetric algorithms: the program of rank 0, turned to each rank, is the program of every rank.
#pragma once

#include "schedule/model/algorithm.hpp"
#include "schedule/record/script.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti {

/// Runs a text for rank 0 alone, with one element in every block, and records what it says turned to the rank at hand,
/// with blocks of their own lengths (symmetry_matcher.hpp). The text has no way to let ranks differ: so what is proved
/// of rank 0 is proved of all ranks, whose programs need not be compared.
///
/// In an all-to-all whose pairs have blocks of different lengths ranks are not alike: there the text is run for each
/// rank, with the blocks as they are. It is so where the lengths of messages alone are recorded, too, which is quicker.
///
/// Needs     a problem of blocks that ranks count from their own, or of p parts; a text that looks at no layout, prunes
///           nothing, and has as much scratch as one buffer of p blocks at most; in an all-to-all turns by rotation or
///           exchange, a text for every rank, and scratch of two such buffers at most.
/// Where the turns fit neither the number of ranks nor is that 1, the recording throws `Error(internal)`.
struct SymmetricAlgorithm {
  RankSymmetry::Kind kind;
  Record text;

  void operator()(Script& me, const Problem& problem) const;
};

/// Returns the symmetric text of the algorithm; null if it has another one.
const SymmetricAlgorithm* symmetric_algorithm_of(const Algorithm& algorithm);

}  // namespace tutti
