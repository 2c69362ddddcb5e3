/// @file
/// What a schedule costs on a transport, until measured.
#pragma once

#include "plan/choice.hpp"
#include "runtime/transport/threads/costs.hpp"

namespace tutti::runtime {

/// rounds · (alpha + beta · bytes), with the bytes of a mean message, from the algorithm's claims: exact where all
/// messages are alike, and what tells a tree, whose every round carries the whole message, from a ring, whose rounds
/// carry a part.
Price price_of(const LinkCosts& costs);

}  // namespace tutti::runtime
