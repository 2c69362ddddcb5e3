/// @file
/// Bruck's index algorithm for all-to-all, in any base: see bruck.cpp and k_bruck.cpp.
#pragma once

#include "schedule/script.hpp"

namespace tutti::algorithms {

/// What a rank does, and what all do together. Needs radix >= 2.
void bruck_all_to_all(Script& me, const Problem& problem, int radix);
Traffic bruck_all_to_all_claims(const Problem& problem, int radix);

}  // namespace tutti::algorithms
