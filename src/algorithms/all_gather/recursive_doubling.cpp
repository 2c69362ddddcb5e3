/// @file
/// All-gather by recursive doubling: the hypercube's algorithm.
///
/// In round k each rank exchanges all that it holds, the 2^k blocks of its subcube, with the rank whose number differs
/// in bit k.
///
/// Needs     p = 2^d; any block sizes.
/// Buffers   `input`, one block; `output`, p blocks, received and sent where they belong. No scratch.
/// Traffic   p log2 p messages; every block p - 1 times.
/// Time      ts log2 p + tw m (p - 1), on a hypercube with store-and-forward as on full connection.
/// Optimal   in rounds and in bytes.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.3.

#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_recursive_doubling(Script& me, const Problem&) {
  me.copy(me.output(me.rank()), me.input());
  for (int width = 1; width < me.size(); width *= 2) {
    const int partner = me.rank() ^ width;
    const auto subcube = [&](int rank) { return me.blocks(Buffer::output, rank / width * width, width); };
    me.send(width == 1 ? Message{me.input()} : subcube(me.rank()), partner);
    me.receive(subcube(partner), partner);
    me.wait();
  }
}

}  // namespace

const Algorithm all_gather_recursive_doubling{
    .collective = Collective::all_gather,
    .name = "recursive-doubling",
    .aliases = {"hypercube"},
    .summary = "In round k, ranks whose numbers differ in bit k exchange all that they hold.",
    .when = "Short and middle blocks where p is a power of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.3",
    .needs = {Need::power_of_two_ranks},
    .symmetry = RankSymmetry::Kind::exchange,
    .record = record_recursive_doubling,
    .claims = doubling_claims,
};

}  // namespace tutti::algorithms
