/// @file
/// Scatter along a binomial tree: recursive halving.
///
/// Number the ranks from the root: see virtual_ranks.hpp. The head of a group sends the blocks of the group's upper
/// half to the head of that half; both go on with half the group and half the data.
///
///     0 --{4,5}--> 4 --{5}--> 5        p = 6; block numbers in braces
///     0 --{2,3}--> 2 --{3}--> 3
///     0 --{1}----> 1
///
/// Needs     any p >= 1, any root; any block sizes.
/// Buffers   the root's `input` of p blocks, everyone's `output` of one; ranks on the way keep the blocks of others in
///           scratch at the positions of the root's input.
/// Traffic   p - 1 messages; block v travels as many links as v has bits set: (p/2) log2 p blocks for p = 2^d.
/// Time      ts log2 p + tw m (p - 1) for p = 2^d.
/// Optimal   in rounds and, at the root, in bytes.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4.

#include <algorithm>
#include <bit>

#include "algorithms/table.hpp"
#include "algorithms/virtual_ranks.hpp"

namespace tutti::algorithms {
namespace {

// The blocks of the group [v, v + n) in rank order: where its head keeps them, and the head's own in `own`.
Message group_blocks(Script& me, const VirtualRanks& numbered, int v, int span, Buffer buffer, const Slice& own) {
  const int p = me.size();
  const int n = std::min(span, p - v);
  const int first = numbered.first_rank(v, span);
  const int before = modulo(numbered.rank_of(v) - first, p);
  Message group;
  const auto add = [&](int rank, int blocks) {
    if (blocks == 0) return;
    for (const Slice& slice : me.blocks(buffer, rank % p, blocks)) group.push_back(slice);
  };
  add(first, before);
  group.push_back(own);
  add(first + before + 1, n - before - 1);
  return group;
}

void record_binomial(Script& me, const Problem& problem) {
  const int p = me.size();
  const VirtualRanks numbered(problem);
  const int v = numbered.number_of(me.rank());
  const Buffer kept = v == 0 ? Buffer::input : Buffer::scratch;

  // v heads the group [v, v + span), cut off at p.
  const int span = v == 0 ? ceil_power_of_two(p) : v & -v;

  if (v == 0) {
    me.copy(me.output(), me.input(me.rank()));
  } else {
    me.receive(group_blocks(me, numbered, v, span, kept, me.output()), numbered.rank_of(v - span));
    me.wait();
  }
  for (int half = span / 2; half > 0; half /= 2) {
    const int head = v + half;
    if (head >= p) continue;
    me.send(me.blocks(kept, numbered.first_rank(head, half), std::min(half, p - head)), numbered.rank_of(head));
    me.wait();
  }
  me.wait();
}

Claims claims_binomial(const Problem& problem) {
  const int p = problem.ranks;
  const VirtualRanks numbered(problem);
  Claims claims{.rounds = ceil_log2(p), .messages = p - 1};
  if (problem.counts.empty()) {
    claims.elements = problem.count * numbered.bits_before(p) + numbered.bits_before(problem.extra);
    return claims;
  }
  for (int v = 1; v < p; ++v) {
    claims.elements += std::popcount(static_cast<unsigned>(v)) * problem.block_count(numbered.rank_of(v));
  }
  return claims;
}

}  // namespace

const Algorithm scatter_binomial{
    .collective = Collective::scatter,
    .name = "binomial",
    .aliases = {"hypercube", "recursive-halving", "tree", "ring"},
    .summary = "Groups and their data are halved in each round, along a binomial tree.",
    .when = "Short and middle blocks: fewest rounds, and the root sends each block once.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4",
    .record = record_binomial,
    .claims = claims_binomial,
};

}  // namespace tutti::algorithms
