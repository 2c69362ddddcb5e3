/// @file
/// Scan by halving: totals of twice as many ranks, of half as many elements a rank, go up a tree, and what comes before
/// those ranks comes down it the same way.
///
/// See halved_prefix.hpp for the steps.
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read where it lies; `output`, in which what comes before arrives. Scratch: 2 m bytes, m more in
///           place, 2 m more in ranks that take another's contribution along.
/// Traffic   p = n + e, n = 2^d: 2 (d - 1) n - n/2 + 2 messages and (2 n - d - 2) m bytes, for d > 0; for e > 0
///           2 e - 1 messages of m more.
/// Time      (2 log2 p - 1) ts + 2 m tw (p - 1)/p for p > 1 a power of two; 2 (ts + m tw) more at most for other p.
/// Optimal   up to a factor 2 in rounds and in bytes at once where p is a power of two; for other p up to 4 in bytes.
///           In rounds alone see dissemination.cpp, in bytes alone chain_pipelined.cpp.
/// Source    G. E. Blelloch, Prefix Sums and Their Applications, 1990, §1.2: the sweeps up and down; R. Rabenseifner,
///           Optimization of collective reduction operations, ICCS 2004: halves in every step.

#include "algorithms/scan/halved_prefix.hpp"
#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) { scan_by_halving(me, problem, PrefixEnd::through_own); }

}  // namespace

const Algorithm scan_halving{
    .collective = Collective::scan,
    .name = "halving",
    .summary = halving_scan_summary,
    .when = halving_scan_when,
    .source = halving_scan_source,
    .for_several_nodes = true,
    .record = record,
    .claims = halving_scan_claims,
};

}  // namespace tutti::algorithms
