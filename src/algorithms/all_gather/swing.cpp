/// @file
/// All-gather by swings: recursive doubling whose partners are near on a ring or a torus.
///
/// In swing s an even rank r meets r + rho(s) and an odd one r - rho(s) (mod p), rho(s) = (1 - (-2)^(s + 1))/3 = 1,
/// -1, 3, -5, 11, … : to the right and to the left by turns, about 2^s/3 far where recursive doubling goes 2^s. The
/// last swing comes first, so that the fewest blocks go farthest. Each sends all that it holds:
///
///     p = 8     swing 2    0 = 3    1 = 6    2 = 5    4 = 7       one block
///               swing 1    0 = 7    1 = 2    3 = 4    5 = 6       two
///               swing 0    0 = 1    2 = 3    4 = 5    6 = 7       four
///
/// Needs     p = 2^d, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks, of which messages are lists. No scratch.
/// Traffic   p d messages; every block p - 1 times.
/// Time      ts d + tw m (p - 1) where ranks are fully connected.
/// Optimal   in rounds and in bytes; on a ring links are shared by fewer messages than in recursive doubling.
/// Source    D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce,
///           NSDI, 2024, §3.

#include <algorithm>
#include <vector>

#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/bine.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/symmetry/symmetric_algorithm.hpp"

namespace tutti::algorithms {
namespace {

/// Blocks [first, first + count), around the end of the ranks.
struct BlockRun {
  int first;
  int count;
};

// Returns the blocks that rank 0 holds before `swing`, and that the ranks after it have brought.
std::vector<int> held(int swing, int p) {
  std::vector<int> blocks{0};
  for (int s = ceil_log2(p) - 1; s > swing; --s) {
    // Every rank that it holds a block of has met its partner, too.
    const std::size_t n = blocks.size();
    for (std::size_t k = 0; k < n; ++k) blocks.push_back(bine_partner(blocks[k], s, p));
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

// Returns these blocks as runs that are as long as can be: the last may go on with block 0.
std::vector<BlockRun> runs_held(int swing, int p) {
  std::vector<BlockRun> runs;
  for (const int block : held(swing, p)) {
    if (!runs.empty() && runs.back().first + runs.back().count == block) {
      ++runs.back().count;
    } else {
      runs.push_back({block, 1});
    }
  }
  if (runs.size() > 1 && runs.back().first + runs.back().count == p) {
    runs.back().count += runs.front().count;
    runs.erase(runs.begin());
  }
  return runs;
}

// The text of rank 0.
void record_swing(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(0), me.input());
  for (int swing = ceil_log2(p) - 1; swing >= 0; --swing) {
    const int other = bine_partner(0, swing, p);
    Message mine;
    Message others;
    for (const auto& [first, count] : runs_held(swing, p)) {
      // The other one is odd: it sees the ranks the other way round.
      for (const Slice& slice : me.blocks(Buffer::output, first, count)) mine.push_back(slice);
      for (const Slice& slice : me.blocks(Buffer::output, other - first - count + 1, count)) others.push_back(slice);
    }
    me.send(swing == ceil_log2(p) - 1 ? Message{me.input()} : mine, other);
    me.receive(others, other);
    me.wait();
  }
}

}  // namespace

const Algorithm all_gather_swing{
    .collective = Collective::all_gather,
    .name = "swing",
    .summary = "Recursive doubling with partners that swing to the right and to the left, a third as far away.",
    .when = "Short and middle blocks on rings where p is a power of two.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks},
    .symmetry = RankSymmetry::Kind::reflection,
    .record = SymmetricAlgorithm{RankSymmetry::Kind::reflection, record_swing},
    .claims = doubling_claims,
};

}  // namespace tutti::algorithms
