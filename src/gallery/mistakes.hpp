/// @file
/// The texts of the gallery's schedules. What each gets wrong, gallery.cpp says.
#pragma once

#include "schedule/script.hpp"

namespace tutti::gallery {

// What ranks hold, send and combine.

void bruck_as_printed(Script& me, const Problem& problem);
void n_block_of_two_minds(Script& me, const Problem& problem);
void ring_overwritten(Script& me, const Problem& problem);
void own_contribution_first(Script& me, const Problem& problem);

// In what order they wait.

void send_before_receive(Script& me, const Problem& problem);
void operands_awaited_in_order(Script& me, const Problem& problem);
void scratch_used_again(Script& me, const Problem& problem);

}  // namespace tutti::gallery
