/// @file
/// Texts of algorithms whose ranks are alike because what one of them does makes what all do.
#pragma once

#include "schedule/algorithm.hpp"
#include "schedule/script.hpp"
#include "schedule/turns.hpp"

namespace tutti {

/// Runs a text for rank 0 alone, with one element in every block, and records what it says turned to the rank at hand,
/// with blocks of their own lengths (turning.hpp). The text has no way to let ranks differ: so what is proved of rank 0
/// is proved of all ranks, whose programs need not be compared.
///
/// In an all-to-all whose pairs have blocks of different lengths ranks are not alike: there the text is run for each
/// rank, with the blocks as they are. It is so where the lengths of messages alone are recorded, too, which is quicker.
///
/// Needs     a problem of blocks that ranks count from their own, or of p parts; a text that looks at no layout, prunes
///           nothing, and has as much scratch as one buffer of p blocks at most; in an all-to-all turns by rotation or
///           exchange, a text for every rank, and scratch of two such buffers at most.
/// Where the turns fit neither the number of ranks nor is that 1, the recording throws `Error(internal)`.
struct AlikeText {
  Turns::Kind kind;
  Record text;

  void operator()(Script& me, const Problem& problem) const;
};

/// The text of the algorithm if it is such a one; null otherwise.
const AlikeText* alike_text_of(const Algorithm& algorithm);

}  // namespace tutti
