/// @file
/// What a schedule costs on a transport, until measured.
#pragma once

#include "plan/choice.hpp"
#include "runtime/transport/threads/costs.hpp"

namespace tutti::runtime {

/// alpha · rounds + beta · bytes, with the bytes that an average rank sends, from the algorithm's claims.
Price price_of(const LinkCosts& costs);

}  // namespace tutti::runtime
