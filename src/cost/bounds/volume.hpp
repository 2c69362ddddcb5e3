/// @file
/// Volume that a collective must move, whatever the algorithm: the material of lower bounds.
#pragma once

#include <cstdint>
#include <functional>

#include "schedule/model/problem.hpp"

namespace tutti {

/// The least number of messages one after the other for ranks with one port; 0 where nothing must move.
int rounds_needed(const Problem& problem);

/// Elements that some rank must send, or must receive.
double port_volume(const Problem& problem);

/// Elements times links that all of them must cross together, where `distance` gives the links between two ranks;
/// without it a way has one link. What is copied or combined on its way counts one link for each rank that must get or
/// give it.
double link_crossings(const Problem& problem, const std::function<int(int from, int to)>& distance);

/// Elements that the `size` ranks `inside` must send to the others, whichever ways they take: 0 where nothing is known,
/// which is where blocks differ. Cost: O(1), but O(p) for shift and the scans, which are not asked above 65536 ranks;
/// O(1) for a shift from one rank, or to one.
double volume_across(const Problem& problem, std::int64_t size, const std::function<bool(int rank)>& inside);

/// Whether every block goes from one rank to one other.
bool personalized(Collective collective);

}  // namespace tutti
