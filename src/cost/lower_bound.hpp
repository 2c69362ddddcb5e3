/// @file
/// What no algorithm can beat.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/problem.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// A time that every schedule for the problem needs on the network, and why.
struct LowerBound {
  double seconds = 0;
  std::string_view name = "none";  ///< "rounds", "bandwidth", "link-load" or "bisection"
  std::string_view reason = "nothing moves";
  std::string_view source = "";
};

/// All bounds that apply:
///
/// - rounds: with one port the ranks that have heard of one another can at most double; ceil(log2 p) messages, one
///   after the other. With several ports one message.
/// - bandwidth: with one port a rank receives, or sends, all that it must through that port, in at least one message.
///   For all-reduce and reduce-scatter the average rank.
/// - link-load: every element crosses as many links as its way has; all links together carry them. Ways are summed over
///   all pairs of ranks, for up to 4096 ranks.
/// - bisection: what one half of the ranks must tell the other crosses the narrowest cut that the network names.
///
/// Links that bring their own costs count with the least of them. Combining (tc) and hops (th) are left out.
/// Cost: O(p²) for collectives whose blocks go from one rank to one other, and O(links) where links differ.
std::vector<LowerBound> lower_bounds(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                                     const Machine& machine);

/// The greatest of them: the one that binds.
LowerBound lower_bound(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                       const Machine& machine);

}  // namespace tutti
