/// @file
/// Lower bound of a simulated time, from how far all bytes have to go.
#pragma once

#include <cstdint>
#include <span>

#include "simulate/simulation.hpp"
#include "simulate/workload.hpp"
#include "topology/machine.hpp"
#include "topology/topology.hpp"

namespace tutti {

/// Returns seconds that no simulation of the workload by that routing is below: all links together, each busy all the
/// time, carry every byte over as many links as its route has, and, where ways are the network's own and not too long
/// to look at, the fullest link carries its own bytes. 0 where each pair of ranks has a link of its own, where ways may
/// be longer than routes, or where bytes take no time. Cost: O(messages · d + links), where d is what the network needs
/// for a distance, and O(1) more for each of at most 2^22 links of routes.
double least_seconds_of_traffic(const Workload& workload, const Topology& topology, const Machine& machine,
                                Routing routing = Routing::own);

/// Whether the traffic alone takes longer than the time at which a simulation with these options is to be given up. Not
/// looked at where there are over 2^21 messages: that takes as long as to simulate some.
bool traffic_is_too_long(const Workload& workload, const Topology& topology, const Machine& machine,
                         const SimulationOptions& options);

/// Traffic of ranks that are added one after the other: whether all links together carry that of the ranks so far in
/// the time at which a simulation with these options is to be given up. Says so of less than all ranks where
/// traffic_is_too_long() says it of all. Keeps a reference to the network.
class TrafficSoFar {
 public:
  /// `messages` are those of all ranks, or more.
  TrafficSoFar(const Topology& topology, const Machine& machine, const SimulationOptions& options,
               std::int64_t messages);

  /// Adds the rank's messages. Returns false where they and those before are too long.
  bool add(int rank, std::span<const Move> moves);

 private:
  const Topology& topology_;
  double bytes_a_second_ = 0;  // 0: without a bound
  double most_seconds_ = 0;
  double carried_ = 0;  // bytes times links
};

}  // namespace tutti
