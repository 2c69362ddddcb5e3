/// @file
/// Scan: rank r ends with the combination of the contributions of ranks 0 .. r, in that order; exclusive scan: of ranks
/// 0 .. r - 1, and rank 0's output stays as it was.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm scan_chain;
extern const Algorithm scan_chain_pipelined;
extern const Algorithm scan_recursive_doubling;
extern const Algorithm scan_dissemination;
extern const Algorithm scan_halving;
extern const Algorithm scan_two_tree;
extern const Algorithm scan_flat;
extern const Algorithm scan_leaders;

extern const Algorithm exclusive_scan_chain;
extern const Algorithm exclusive_scan_chain_pipelined;
extern const Algorithm exclusive_scan_recursive_doubling;
extern const Algorithm exclusive_scan_123_doubling;
extern const Algorithm exclusive_scan_halving;
extern const Algorithm exclusive_scan_two_tree;
extern const Algorithm exclusive_scan_flat;
extern const Algorithm exclusive_scan_leaders;

/// Whether a rank's result has its own contribution in it.
enum class PrefixEnd { through_own, before_own };

/// Part s of a slice that is cut into such parts.
inline Slice part_of(const Slice& whole, const Blocks& parts, int s) {
  return {whole.buffer, whole.first + parts.first(s), parts.count(s)};
}

/// Of both pipelined chains.
Claims scan_chain_pipelined_claims(const Problem& problem, const Parameters& parameters);

}  // namespace tutti::algorithms
