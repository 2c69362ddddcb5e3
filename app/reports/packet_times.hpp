/// @file
/// Packets that are stored and forwarded, hop by hop.
#pragma once

#include <string>
#include <vector>

#include "draw/timeline/packets.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// For each message that goes in packets and meets no other on its way, when each packet is over which link: a table a
/// message, of the first packets where there are many. Empty where nothing is stored and forwarded in packets.
/// Packet k leaves link h when it has left link h - 1 and packet k - 1 has left link h, and then the link's time for
/// it.
std::string packets_text(const Simulation& result, const Topology& topology, const Machine& machine);

/// A message by itself on its way, stored and forwarded whole, in packets where the machine has them, and cut through:
/// the names of its links, and what is on each of them when.
struct PacketDiagram {
  std::string title;
  std::vector<std::string> links;
  std::vector<draw::PacketPanel> panels;
};
/// Throws `Error` where the message has too many packets or links to draw.
PacketDiagram packet_diagram(const TimelineMessage& message, const Topology& topology, const Machine& machine);

}  // namespace tutti::app
