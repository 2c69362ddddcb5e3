/// @file
/// Shares of blocks from one rank to one other, each with a way of its own, and how they are found.
#pragma once

#include <algorithm>
#include <vector>

#include "synthesize/request.hpp"
#include "topology/machine.hpp"
#include "topology/topology.hpp"

namespace tutti::synthesize {

/// A share of a block, and the ranks on its way.
struct Share {
  int from = 0;
  int to = 0;
  double begin = 0;  ///< the share is [begin, end) of the block
  double end = 1;
  std::vector<int> way;     ///< `from`, the ranks that pass the share on, `to`
  std::vector<int> rounds;  ///< rounds of the first chunk, by edge of the way: ascending
};

/// Shares of all blocks, and what they are worth. Times are of long blocks: seconds a byte of a block, without
/// start-ups.
struct PairSynthesis {
  std::vector<Share> shares;
  double optimum = 0;      ///< lower bound of every schedule; 0 if no program was solved for it
  double achieved = 0;     ///< seconds for which the fullest link is taken
  bool in_chunks = false;  ///< whether shares are cut in chunks that follow one another

  /// Rounds in which the first chunks are on their way.
  int rounds() const {
    int last = 0;
    for (const Share& share : shares) last = std::max(last, share.rounds.back() + 1);
    return last;
  }
};

/// The ranks that have something for all others; of a gather its root, which gets it.
std::vector<int> sources_of(const SynthesisRequest& wish, int ranks);

/// By linear programs. Shares of a gather are those of the scatter with the network turned round.
PairSynthesis pairs_by_flows(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// By ways that are found one after the other. Shares of a gather are turned round, too; no round is set yet.
PairSynthesis pairs_by_ways(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// Sets the rounds: messages are coloured such that those of a round take little more of any link than the largest
/// message of all does, as far as that costs little time for blocks of the wish's bytes. Returns that time in seconds.
double colour(PairSynthesis& made, const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// A message from a rank to another by the network's own route.
struct RoutedHop {
  int from = 0;
  int to = 0;
  std::vector<int> takes;  ///< numbers in Hops::times
};

/// The messages that a network allows, and what they take: links, and the ranks' limits behind them.
struct Hops {
  int ranks = 0;
  std::vector<double> times;  ///< seconds a byte of each link and limit
  std::vector<RoutedHop> hops;

  double longest(const RoutedHop& hop) const;
};

/// Between all ranks; where ranks forward, between those alone whose route passes no other rank. `turned`: each hop
/// leads from `from` to `to`, and its message from `to` to `from`.
Hops hops_on(const Topology& topology, const Machine& machine, double injection, bool turned);

}  // namespace tutti::synthesize
