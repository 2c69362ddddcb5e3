/// @file
/// Packets that are stored and forwarded, hop by hop.
#pragma once

#include <string>

#include "simulate/simulate.hpp"

namespace tutti::app {

/// For each message that goes in packets and meets no other on its way, when each packet is over which link: a table a
/// message, of the first packets where there are many. Empty where nothing is stored and forwarded in packets.
/// Packet k leaves link h when it has left link h - 1 and packet k - 1 has left link h, and then the link's time for it.
std::string packets_text(const Simulation& result, const Topology& topology, const Machine& machine);

}  // namespace tutti::app
