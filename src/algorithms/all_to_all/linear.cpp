/// @file
/// All-to-all with all messages in flight at once.
///
/// Every rank posts its p - 1 receives and its p - 1 sends together and waits for all. Rank r sends in the order r + 1,
/// r + 2, …, so that not all begin with the same destination.
///
///     0 --> 1, 2, 3    1 --> 2, 3, 0    2 --> 3, 0, 1    3 --> 0, 1, 2        p = 4
///
/// Needs     any p >= 1, any counts.
/// Buffers   blocks go from `input` to `output`; the own one is copied. No scratch.
/// Traffic   p (p - 1) messages, p (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw) where ranks are fully connected and have one port; less with more ports.
/// Optimal   in bytes: every block goes once. Not in rounds: see bruck.cpp.
/// Source    the basic linear algorithm of J. Pješivac-Grbović et al., Performance analysis of MPI collective
///           operations, Cluster Computing 10, 2007.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_linear(Script& me, const Problem&) {
  const int p = me.size();
  const int r = me.rank();
  me.copy(me.output(r), me.input(r));
  for (int k = 1; k < p; ++k) me.receive(me.output((r - k + p) % p), (r - k + p) % p);
  for (int k = 1; k < p; ++k) me.send(me.input((r + k) % p), (r + k) % p);
}

}  // namespace

const Algorithm all_to_all_linear{
    .collective = Collective::all_to_all,
    .name = "linear",
    .aliases = {"flat", "direct"},
    .summary = "Every rank posts all its sends and receives at once.",
    .when = "For few ranks, or where the network schedules many messages better than the program can.",
    .source = "J. Pješivac-Grbović et al., Performance analysis of MPI collective operations, 2007",
    .own_blocks_suffice = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_linear,
    .claims = direct_traffic,
};

}  // namespace tutti::algorithms
