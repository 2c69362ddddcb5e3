/// @file
/// Machine: the costs of communication on a network, the parameters of the textbook's models.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "topology/topology.hpp"

namespace tutti {

/// Way in which a message crosses several links.
enum class Switching : std::uint8_t {
  store_and_forward,  ///< whole, link after link: ts + l m tw
  cut_through,        ///< in flits that follow the header: ts + l th + m tw
  alpha_beta,         ///< counts one link, however long the path: ts + m tw
};

std::string_view name_of(Switching switching);

/// Number of messages that a rank may send, and that it may receive, at a time.
enum class Ports : std::uint8_t { single, multiple };

/// The machine's parameters, where a link does not bring its own (LinkCost). Seconds, and seconds a byte.
struct Machine {
  Switching switching = Switching::alpha_beta;
  Ports ports = Ports::single;
  double ts = 1e-6;  ///< alpha: a message
  double tw = 1e-9;  ///< beta: a byte, on one lane
  double th = 0;     ///< a hop, with cut-through
  double tc = 0;     ///< gamma: combining a byte
  double tr = 0;     ///< putting a byte elsewhere in a rank's memory, where blocks are sorted between phases
  std::int64_t packet =
      0;  ///< store-and-forward in packets of so many bytes, one behind the other; 0: the message whole
  std::optional<Forwarding> forwarding = {};  ///< nothing: as the network itself has it

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Throws `Error(invalid_argument)` unless all parameters are finite and at least 0.
void check(const Machine& machine);

/// Returns who passes on messages that go through ranks: by the machine, or by the network.
Forwarding forwarding_on(const Machine& machine, const Topology& topology);

/// Cost of a path: everything that a message's time depends on but its size and the company that it meets.
struct PathCost {
  double latency = 0;   ///< before the first byte moves: ts, once more for each rank that forwards, and th for each hop
                        ///< with cut-through
  double per_byte = 0;  ///< seconds a byte on the slowest link; with whole-message store-and-forward the sum over links
};

/// Returns the cost of a message of `bytes` on a path of links under the machine's switching, without congestion. It
/// starts with the first link, whose ts counts alone; if ranks forward it starts anew with each link that leaves one. A
/// packet is no larger than the message. An empty path costs nothing.
PathCost path_cost(const Machine& machine, const Topology& topology, std::span<const LinkId> path, std::int64_t bytes);

/// Seconds that a byte takes over one link by itself.
double link_time(const Machine& machine, const LinkCost& cost);
double link_time(const Machine& machine, const Topology& topology, LinkId link);

}  // namespace tutti
