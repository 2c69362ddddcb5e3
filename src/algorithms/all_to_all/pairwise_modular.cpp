/// @file
/// All-to-all by cyclic exchange: in step j rank r sends to rank r + j and receives from rank r - j, around the end.
///
///     j = 1    0 -> 1    1 -> 2    2 -> 0        p = 3
///     j = 2    0 -> 2    1 -> 0    2 -> 1
///
/// Needs     any p >= 1, any counts.
/// Buffers   blocks go from `input` to `output`; the own one is copied. No scratch.
/// Traffic   p (p - 1) messages, p (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw) where ranks are fully connected.
/// Optimal   in bytes: every block goes once. Not in rounds: see bruck.cpp.
/// Source    R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, Int.
///           J. of High Performance Computing Applications 19(1), 2005, §3.4.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_pairwise_modular(Script& me, const Problem&) {
  const int p = me.size();
  const int r = me.rank();
  me.copy(me.output(r), me.input(r));
  for (int j = 1; j < p; ++j) {
    me.send(me.input((r + j) % p), (r + j) % p);
    me.receive(me.output((r - j + p) % p), (r - j + p) % p);
    me.wait();
  }
}

}  // namespace

const Algorithm all_to_all_pairwise_modular{
    .collective = Collective::all_to_all,
    .name = "pairwise-modular",
    .aliases = {"pairwise-cyclic"},
    .summary = "In step j rank r sends to rank r + j and receives from rank r - j.",
    .when = "For large blocks and any number of ranks.",
    .source =
        "R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, 2005, "
        "§3.4",
    .own_blocks_suffice = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_pairwise_modular,
    .claims = direct_traffic,
};

}  // namespace tutti::algorithms
