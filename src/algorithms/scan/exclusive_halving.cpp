/// @file
/// Exclusive scan by halving: as halving.cpp, where what comes before a rank is its result.
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read where it lies; `output`, in which the result arrives, untouched at rank 0. Scratch: 2 m
///           bytes, m more in place, from where the result is copied, and 2 m more in ranks that take another's
///           contribution along.
/// Traffic   as halving.cpp.
/// Time      as halving.cpp.
/// Optimal   up to a factor 2 in rounds and in bytes at once where p is a power of two; for other p up to 4 in bytes.
///           In rounds alone see exclusive_123_doubling.cpp, in bytes alone exclusive_chain_pipelined.cpp.
/// Source    as halving.cpp.

#include "algorithms/scan/halved_prefix.hpp"
#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) { scan_by_halving(me, problem, PrefixEnd::before_own); }

}  // namespace

const Algorithm exclusive_scan_halving{
    .collective = Collective::exclusive_scan,
    .name = "halving",
    .summary = halving_scan_summary,
    .when = halving_scan_when,
    .source = halving_scan_source,
    .for_several_nodes = true,
    .record = record,
    .claims = halving_scan_claims,
};

}  // namespace tutti::algorithms
