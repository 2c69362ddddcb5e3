/// @file
/// Programs for memory that may not be written.
#pragma once

#include "schedule/schedule.hpp"

namespace tutti {

/// The program, with all that it would write into `buffer` written to scratch of its own instead. For a rank that holds
/// in `buffer` from the start what is written there, like the root of a broadcast: then all that it sends stays the
/// same. Messages come and go as before, so that the other ranks' programs need not know. Time: O(the program).
Program writing_elsewhere(const Program& program, Buffer buffer);

}  // namespace tutti
