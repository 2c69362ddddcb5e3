/// @file
/// What both scans along two trees share: sums that go up the trees, and what comes before each rank down them again.
///
/// Segments take the trees of two_trees.hpp by turns. What is below a node are neighbouring ranks, those of its left
/// child before it and those of its right child behind it. On the way up a node learns what its left child's ranks
/// combine to, and tells what all below it do, if there are ranks behind these; on the way down it is told what comes
/// before all of them, tells that to its left child, and to its right one that with the left child's and its own
/// contribution added. Rank 0 is before all others: nobody tells it anything.
///
///     up          1 --[1]--> 2 --[1-3]--> 4       the tree of segments 0, 2, …, p = 7; [a-b] is what ranks a to b
///                 3 --[3]-->                      combine to
///                 5 --[5]--> 6                behind 5 and 6 is nobody
///     down        0 --[0]--> 4 --[0]----> 2 --[0]----> 1
///                                           --[0-2]--> 3
///                              --[0-4]--> 6 --[0-4]--> 5
#pragma once

#include <string_view>

#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {

inline constexpr std::string_view two_tree_scan_summary =
    "Segments go by turns up and down two binary trees, in one of which each rank is a leaf.";
inline constexpr std::string_view two_tree_scan_when =
    "Long messages over many ranks, any number of them: few rounds, and each rank receives the message about twice.";
inline constexpr std::string_view two_tree_scan_source =
    "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009";

/// What a rank does. Takes 2 m elements of scratch where its own contribution enters its result, and 3 m otherwise.
void scan_along_two_trees(Script& me, const Problem& problem, PrefixEnd end);
Claims two_tree_scan_claims(const Problem& problem, const Parameters& parameters);

}  // namespace tutti::algorithms
