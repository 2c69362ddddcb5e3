/// @file
/// Conditions of a pricing in words: the costs of messages, their routing, and other traffic.
#pragma once

#include <string>

#include "simulate/simulate.hpp"

namespace tutti {

struct PricingRequest;

/// "routing ecmp, 16 messages in the background"; empty where nothing is said.
std::string traffic_in_words(const SimulationOptions& traffic);

/// Returns the costs of messages in words: "alpha-beta; ts = 1us inside and 20us between nodes, tw = 1ns, th = 0s, tc =
/// 0s".
std::string costs_in_words(const PricingRequest& request);

}  // namespace tutti
