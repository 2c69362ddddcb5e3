/// @file
/// Ways through a network that do not depend on what else is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/simulate.hpp"

namespace tutti {

/// Whether messages may take longer ways than the shortest.
bool leaves_shortest(Routing routing);
/// Whether a message's way depends on what links carry when it begins.
bool looks_at_load(Routing routing);

/// Finds ways by a hash: the same seed gives the same ways, in whatever order messages begin. Keeps a reference to the
/// network.
class Ways {
 public:
  Ways(const Topology& topology, unsigned seed) : topology_(topology), seed_(seed) {}

  /// Of the shortest ways one, the same for all messages of the pair: at each node the hash of the pair and the node
  /// chooses among the links that come nearer. Source: C. Hopps, Analysis of an Equal-Cost Multi-Path Algorithm, RFC
  /// 2992, 2000.
  void append_hashed(int from, int to, std::vector<LinkId>& path);
  /// Over a rank that the hash of the message's number chooses among all, by the network's own routes there and on from
  /// there. Where that rank hangs on a switch, the message turns at the switch.
  /// Source: L. G. Valiant, A Scheme for Fast Parallel Communication, SIAM J. Comput. 11(2), 1982.
  void append_detour(int from, int to, std::uint64_t message, std::vector<LinkId>& path) const;
  /// The way that `routing` says, of those that look at no load.
  void append(Routing routing, int from, int to, std::uint64_t message, std::vector<LinkId>& path);

 private:
  const Topology& topology_;
  std::uint64_t seed_;
  std::vector<LinkId> choices_;
};

/// Two different ranks for each of so many endless messages, by a hash of the seed.
std::vector<std::pair<int, int>> random_pairs(const Background& background, int ranks);

}  // namespace tutti
