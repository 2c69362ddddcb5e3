/// @file
/// What both scans by halving share: totals that climb a binary tree over the ranks, and prefixes that come down it,
/// each shared out among the ranks below its node.
///
/// Let p = n = 2^d. The ranks that agree in all but their k lowest bits are below a node of height k; each of them has
/// one of 2^k parts of what belongs to the node. On the way up rank r and the one across bit k, which have the same
/// part of their nodes' totals, cut it in two: the lower of them keeps the first half and gets that half of the
/// other's; their sum is its part of the total above. The upper one goes on with the second half. On the way down each
/// has its half of what the ranks before the node above them combine to, and gets the other half: the lower rank as it
/// is, the upper one with the lower node's total added.
///
///     rank         0         1         2         3                       p = 4, message ab
///     start       [0] ab    [1] ab    [2] ab    [3] ab    totals
///     bit 0 up    [0-1] a   [0-1] b                       ranks 2 and 3 keep [2] a and [2] b
///     bit 1                           [0-1] a   [0-1] b   what comes before, of ranks that have a part of it
///     bit 0 down            [0] ab    [0-1] ab  [0-2] ab
///
/// Nobody needs the total of all ranks, or of the last ones; nothing comes before the first ones. At the highest bit
/// the two ways are one step, therefore.
///
/// Where p = n + e, the ranks 2i and 2i + 1 for i < e take one place of n: 2i + 1 combines both contributions, and in
/// the end tells 2i what comes before them.
#pragma once

#include <string_view>

#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {

inline constexpr std::string_view halving_scan_summary =
    "Totals go up a tree and prefixes come down it, each shared out among the ranks below.";
inline constexpr std::string_view halving_scan_when = "Middle and long messages over many ranks, best a power of two.";
inline constexpr std::string_view halving_scan_source =
    "G. E. Blelloch, Prefix Sums and Their Applications, 1990; R. Rabenseifner, Optimization of collective reduction "
    "operations, 2004: halves in every step";

/// What a rank does. Takes 2 m elements of scratch, m more in place, and 2 m more in the 2 e ranks that share places.
void scan_by_halving(Script& me, const Problem& problem, PrefixEnd end);
Claims halving_scan_claims(const Problem& problem);

}  // namespace tutti::algorithms
