/// @file
/// How much a collective must move, whatever the algorithm: the material of lower bounds.
#pragma once

#include <functional>

#include "schedule/problem.hpp"

namespace tutti {

/// The least number of messages one after the other for ranks with one port; 0 where nothing must move.
int rounds_needed(const Problem& problem);

/// Elements that some rank must send, or must receive.
double port_volume(const Problem& problem);

/// Elements times links that all of them must cross together, where `distance` gives the links between two ranks;
/// without it a way has one link. What is copied or combined on its way counts one link for each rank that must get or
/// give it.
double link_crossings(const Problem& problem, const std::function<int(int from, int to)>& distance);

/// Elements that one half of the ranks, floor(p/2) or ceil(p/2) of them, must send to the other, whichever ranks they
/// are.
double bisection_volume(const Problem& problem);

}  // namespace tutti
