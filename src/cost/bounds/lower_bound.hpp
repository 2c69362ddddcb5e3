/// @file
/// Lower bounds: times that no algorithm can beat.
#pragma once

#include <string_view>
#include <vector>

#include "schedule/model/problem.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// A time that every schedule for the problem needs on the network, and why.
struct LowerBound {
  double seconds = 0;
  std::string_view name = "none";  ///< "rounds", "bandwidth", "injection", "link-load", "cut" or "bisection"
  std::string_view reason = "nothing moves";
  std::string_view source = "";
};

/// The bounds of a problem on a network, for any count: what the network has is looked at once.
///
/// - rounds: with one port the ranks that have heard of one another can at most double; ceil(log2 p) messages, one
///   after the other. With several ports one message. Where ranks forward, as many as lead to the farthest rank.
/// - bandwidth: with one port a rank receives, or sends, all that it must through that port, in at least one message,
///   over the fastest of its links. For all-reduce the average rank.
/// - injection: where each rank has a limit of its own, what some rank must send, or get, is no faster than it, with as
///   many ports as there are. For all-reduce the average rank.
/// - link-load: every element crosses as many links as its way has, not counting links on which bytes cost nothing;
///   all other links together carry them. Ways are summed over all pairs of ranks, for up to 4096 ranks.
/// - cut, bisection: what some of the ranks must tell the others, in the direction in which it must go, crosses the
///   links in that direction: for all cuts that the network names (see cut.hpp), and for the narrowest of all, found
///   by flows. Where both sides have half of the ranks the bound is called bisection.
///
/// A link costs what it says itself, or the machine's parameters where it says nothing. Combining (tc) and hops (th)
/// are left out.
class LowerBounds {
 public:
  /// Takes a problem's shape: all but the count matters if blocks are equal; otherwise the counts do, too. Cost: O(p²)
  /// for collectives whose blocks go from one rank to one other, O(p) a cut for shift, and O(links) if links differ.
  /// `injection`: seconds a byte for all that a rank sends, and for all that it gets; 0: no limit.
  LowerBounds(const Problem& shape, std::int64_t element_bytes, const Topology& topology, const Machine& machine,
              double injection = 0);

  /// All bounds that apply to the problem with `count` elements.
  std::vector<LowerBound> all(std::int64_t count) const;
  /// The greatest of them: the one that binds.
  LowerBound greatest(std::int64_t count) const;

 private:
  // Seconds are fixed + elements · each.
  struct Line {
    LowerBound bound;
    double each = 0;
  };

  void add_cuts(const Problem& unit, const Topology& topology, const Machine& machine, double bytes);

  Problem shape_;
  bool any_count_;  // whether volumes grow with the count
  std::vector<Line> lines_;
};

/// Returns the bounds for one count.
std::vector<LowerBound> lower_bounds(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                                     const Machine& machine, double injection = 0);
LowerBound lower_bound(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                       const Machine& machine, double injection = 0);

}  // namespace tutti
