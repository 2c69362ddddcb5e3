/// @file
/// All-gather as p broadcasts at once, of n segments each: every rank is the root of one for its block.
///
/// In each round rank r sends one message to r + s_k, with one segment of the block of every rank but that one; see
/// broadcast/n_block.cpp. However uneven the blocks are, no rank sends more than about the n-th part of all of them in
/// a round: a ring waits for its largest block in each of its p - 1 rounds.
///
/// Needs     any p >= 1, any block sizes; n segments: me.segments_for() of a block of mean size.
/// Buffers   `input`, one block, copied to its place; `output`, p blocks, received and sent in parts. No scratch.
/// Traffic   p (n - 1 + ceil(log2 p)) messages; every block p - 1 times.
/// Time      (n - 1 + ceil(log2 p))(ts + tw m (p - 1)/n) at most, whichever rank the elements come from.
/// Optimal   in bytes; in rounds where n = 1.
/// Source    J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast,
///           All-Broadcast, Reduction and All-Reduction, 2024, §3: all-broadcast.

#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

std::int64_t mean_block(const Blocks& blocks) { return blocks.total() / blocks.size(); }

void record_n_block(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  me.wait();
  if (p == 1) return;
  const Skips skips(p);
  const int n = me.segments_for(mean_block(me.all_blocks()));
  std::vector<Deliveries> at;  // a rank, counted from the root of each broadcast
  at.reserve(static_cast<std::size_t>(p - 1));
  for (int v = 1; v < p; ++v) at.emplace_back(skips, v, n);

  std::int64_t parted = -1;  // the length of the block that was cut last
  Blocks parts;
  const auto segment = [&](int root, int s) {
    const Slice block = me.output(root);
    if (block.count != parted) parts = Blocks::parts_of(parted = block.count, n);
    return Slice{block.buffer, block.first + parts.first(s), parts.count(s)};
  };
  Message out;
  Message in;
  for (int i = 0; i < n - 1 + skips.rounds(); ++i) {
    const int skip = skips[at.front().skip_of(i)];
    const int to = (me.rank() + skip) % p;
    out.clear();
    in.clear();
    for (int v = 1; v < p; ++v) {
      const std::optional<int> s = at[static_cast<std::size_t>(v - 1)].in_round(i);
      if (!s) continue;
      out.push_back(segment(to < v ? to - v + p : to - v, *s));
      in.push_back(segment(me.rank() < v ? me.rank() - v + p : me.rank() - v, *s));
    }
    me.send(out, to);
    me.receive(in, modulo(me.rank() - skip, p));
    me.wait();
  }
}

Claims claims_n_block(const Problem& problem, const Parameters& parameters) {
  const std::int64_t p = problem.ranks;
  const std::int64_t rounds =
      p == 1 ? 0 : parameters.segments_for(mean_block(all_blocks(problem))) - 1 + ceil_log2(problem.ranks);
  return {.rounds = rounds, .messages = p * rounds, .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_n_block{
    .collective = Collective::all_gather,
    .name = "n-block",
    .aliases = {"circulant-pipelined", "all-broadcast"},
    .summary = "Each block is broadcast in n segments on a circulant graph; all ranks are roots at once.",
    .when = "Blocks of very different sizes: each round moves about the n-th part of all of them.",
    .source =
        "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
        "Reduction and All-Reduction, 2024",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_n_block,
    .claims = claims_n_block,
};

}  // namespace tutti::algorithms
