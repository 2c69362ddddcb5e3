/// @file
/// Prefix sums on a hypercube as textbooks print them: results in square brackets, outgoing sums in parentheses.
#pragma once

#include <vector>

#include "draw/book/network_panels.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti::draw {

/// Whether each message of the scan goes between ranks of which the numbers differ in one bit, over a power of two.
bool is_on_hypercube(const Schedule& scan);

/// A panel before each step and one at the end, with all messages of the procedure: those that a schedule leaves out,
/// because nobody needs the sum, too. The sums come from a schedule with all of them, run symbolically.
std::vector<NetworkPanel> prefix_sum_panels(const Problem& problem);

}  // namespace tutti::draw
