/// @file
/// What one message costs, undisturbed.
#pragma once

#include "cost/terms.hpp"

namespace tutti {

/// A message of `elements` elements over `links` links, links >= 1: ts + l m tw stored and forwarded whole, ts + l th +
/// m tw cut through, ts + m tw under alpha-beta. In packets of `packet` elements that are stored and forwarded, the
/// first packet goes ahead: ts + (m + (l - 1) packet) tw. Source: A. Grama, A. Gupta, G. Karypis, V. Kumar,
/// Introduction to Parallel Computing, 2nd ed., 2003, §2.5.
Terms message_terms(Switching switching, int links, double elements, double packet = 0);

}  // namespace tutti
