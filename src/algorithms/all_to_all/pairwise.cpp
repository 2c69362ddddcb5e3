/// @file
/// All-to-all by pairwise exchange: in step j rank r exchanges blocks with rank r XOR j.
///
///     j = 1    0 <-> 1    2 <-> 3        p = 4
///     j = 2    0 <-> 2    1 <-> 3
///     j = 3    0 <-> 3    1 <-> 2
///
/// On a hypercube with E-cube routing the messages of a step share no link.
///
/// Needs     p a power of two; any counts. For other p see pairwise_modular.cpp.
/// Buffers   blocks go from `input` to `output`; the own one is copied. No scratch.
/// Traffic   p (p - 1) messages, p (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw) where ranks are fully connected; cut through on a hypercube th p log2(p)/2 more.
/// Optimal   in bytes: every block goes once, and hypercube links are all in use. Not in rounds: see hypercube.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.3.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_pairwise(Script& me, const Problem&) {
  const int r = me.rank();
  me.copy(me.output(r), me.input(r));
  for (int j = 1; j < me.size(); ++j) {
    const int partner = r ^ j;
    me.send(me.input(partner), partner);
    me.receive(me.output(partner), partner);
    me.wait();
  }
}

}  // namespace

const Algorithm all_to_all_pairwise{
    .collective = Collective::all_to_all,
    .name = "pairwise",
    .aliases = {"pairwise-xor", "xor"},
    .summary = "In step j rank r exchanges blocks with rank r XOR j.",
    .when = "For large blocks, above all on a hypercube with cut-through routing, where no link is shared.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.3",
    .needs = {Need::power_of_two_ranks},
    .own_blocks_suffice = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .steps_differ = true,
    .record = record_pairwise,
    .claims = direct_traffic,
};

}  // namespace tutti::algorithms
