/// @file
/// Algorithm that a command takes: the one that is named, or the cheapest.
#pragma once

#include <optional>
#include <string>

#include "app/options/request.hpp"
#include "app/options/simulation_options.hpp"

namespace tutti::app {

/// An algorithm, and why it is taken.
struct SelectedAlgorithm {
  const Algorithm* algorithm = nullptr;
  Parameters parameters = {};  ///< the request's, and where it leaves them open the best
  std::string why;             ///< a line that says so; empty where the request names the algorithm
  /// The simulation by which it was chosen, in flows and without options beyond closed forms; none where a form did.
  std::optional<Simulation> simulation = {};
};

/// The request's algorithm, or else the one that takes the least time for the problem on that network and machine by
/// the prices of `tutti price`. Algorithms that are too large to be priced within about a second are passed over; where
/// all are, the one is taken that would be the cheapest if all ranks were connected, by closed forms, of those that can
/// be simulated; and where none has such a form, the catalogue's first that fits. Throws `Error` for an algorithm that
/// is not known or does not fit.
SelectedAlgorithm algorithm_for(const Request& request, const Problem& problem, const TopologyPtr& topology,
                                const Machine& machine);

/// Whether prices know all that the options say, so that an algorithm can be taken by them.
bool by_price(const SimulationRequest& simulation);

/// Returns the algorithm for the request, on the network with its ranks in their places; if prices do not know what the
/// options say, by simulations, and with a word on the algorithm that would be taken without the option. Throws `Error`
/// if a skewed rank is none of the problem's.
SelectedAlgorithm algorithm_simulated(const Request& request, const SimulationRequest& simulation,
                                      const Problem& problem, const TopologyPtr& topology);

}  // namespace tutti::app
