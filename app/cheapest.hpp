/// @file
/// The algorithm that commands take where none is named.
#pragma once

#include <string>

#include "app/offers.hpp"
#include "app/options.hpp"

namespace tutti::app {

/// The best that the catalogue offers, found in about a second.
struct BestOffer {
  Offer offer;                 ///< its basis is none where all algorithms are too large to be priced
  std::size_t candidates = 0;  ///< the question's algorithms
  std::size_t unknown = 0;     ///< of which so many are too large to be priced
  /// Whether all are, and this one is the cheapest by closed forms between fully connected ranks.
  bool if_connected = false;
};

/// Of the question's algorithms the one that takes the least time for its problem. Needs at least one.
BestOffer best_offer(Question question);

/// An algorithm, and why it is taken.
struct Taken {
  const Algorithm* algorithm = nullptr;
  Parameters parameters = {};  ///< the request's, and where it leaves them open the best
  std::string why;             ///< a line that says so; empty where the request names the algorithm
};

/// The request's algorithm, or else the one that takes the least time for the problem on that network and machine by
/// the prices of `tutti price`. Algorithms that are too large to be priced within about a second are passed over; where
/// all are, the one is taken that would be the cheapest if all ranks were connected, by closed forms, of those that can
/// be simulated; and where none has such a form, the catalogue's first that fits. Throws `Error` for an algorithm that
/// is not known or does not fit.
Taken algorithm_for(const Request& request, const Problem& problem, const TopologyPtr& topology,
                    const Machine& machine);

}  // namespace tutti::app
