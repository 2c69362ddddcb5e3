/// @file
/// Broadcast along a bine tree: a binomial tree whose edges are a third shorter on a ring.
///
/// Number the ranks from the root. In round k, every informed rank informs its bine partner of round d - k (bine.hpp):
/// the farthest first, while few send.
///
///     0 --r1--> 3 --r2--> 4 --r3--> 5        p = 8
///               3 --r3--> 2
///     0 --r2--> 7 --r3--> 6
///     0 --r3--> 1
///
/// Written in base -2, in d digits, a rank's partner of round j has the digits 0 … j turned round, which are equal
/// where the rank is informed by then. So j is a hop on the way to a rank where its digits j and j + 1 differ: the last
/// hop is the lowest such j.
///
/// Needs     p = 2^d, any root.
/// Buffers   `message`, sent whole; read at the root, written once elsewhere. No scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes.
/// Time      d (ts + m tw) where ranks are fully connected.
/// Optimal   in rounds for one-port ranks; messages cross two thirds of the links of a ring that binomial.cpp's do.
/// Source    D. De Sensi, S. Pasqualoni, L. Piarulli, T. Bonato, S. Ba, M. Turisini, J. Domke, T. Hoefler, Bine Trees:
///           Enhancing Collective Operations by Optimizing Communication Locality, SC, 2025, §2.

#include <bit>

#include "algorithms/bine.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

// The lowest round in which a message hops on its way from rank 0 to v; d for rank 0.
int last_hop(int v, int d) {
  constexpr unsigned negative_digits = 0xaaaaaaaaU;
  const unsigned p = 1U << d;
  const unsigned digits = ((static_cast<unsigned>(v) + negative_digits) ^ negative_digits) % p;
  return v == 0 ? d : std::countr_zero(digits ^ digits >> 1U);
}

void record_bine(Script& me, const Problem& problem) {
  const int p = me.size();
  const int v = modulo(me.rank() - problem.root, p);
  const auto partner = [&](int j) { return (bine_partner(v, j, p) + problem.root) % p; };
  const int hop = last_hop(v, ceil_log2(p));
  if (v != 0) {
    me.receive(me.message(), partner(hop));
    me.wait();
  }
  for (int j = hop - 1; j >= 0; --j) {
    me.send(me.message(), partner(j));
    me.wait();
  }
}

Claims claims_bine(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = ceil_log2(problem.ranks), .messages = others, .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_bine{
    .collective = Collective::broadcast,
    .name = "bine",
    .aliases = {"binomial-negabinary"},
    .summary = "Every informed rank informs one more in each round, which is a third as far away, on either side.",
    .when = "Short messages on rings and tori, and where groups of near ranks share links to others.",
    .source =
        "D. De Sensi et al., Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality, 2025",
    .needs = {Need::power_of_two_ranks},
    .for_several_nodes = true,
    .record = record_bine,
    .claims = claims_bine,
};

}  // namespace tutti::algorithms
