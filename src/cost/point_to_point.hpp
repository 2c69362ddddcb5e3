/// @file
/// What one message costs, undisturbed.
#pragma once

#include "cost/terms.hpp"

namespace tutti {

/// A message of `elements` elements over `links` links, links >= 1: ts + l m tw stored and forwarded whole, ts + l th + m tw
/// cut through, ts + m tw under alpha-beta. In packets of `packet` elements that are stored and forwarded, the first packet
/// goes ahead: ts + (m + (l - 1) packet) tw.
/// Source: Grama et al., §2.5; for packets R. Vuduc, High Performance Computing, lecture notes on distributed memory.
Terms message_terms(Switching switching, int links, double elements, double packet = 0);

}  // namespace tutti
