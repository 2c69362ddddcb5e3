/// @file
/// Calibration: the constants with which the model's replay comes nearest to what was measured, and whether built-in ones
/// fit a machine.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/profile/stored_profile.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {

/// A call that was measured on one node.
struct Observation {
  Choice choice;
  Problem problem;
  std::int64_t element_size = 8;
  int cores = 1;       ///< cores that its ranks had
  double seconds = 0;  ///< above 0
};

/// Searches, from `start` on, for the costs whose predictions differ least from the observations: the mean of the
/// logarithms' distances, beyond 0.5 counted with a smaller slope, so that a few odd measurements bend nothing.
/// Coordinate search with steps that shrink (R. Hooke, T. A. Jeeves, Direct search, 1961) over the logarithms of all
/// costs but `link_byte`, which is made equal to `byte`; each stays within a factor of 100 of where it began, and
/// within what a machine may have (CostField). At least one observation. `progress` is told the part that is done.
/// Cost: about 500 prices for each observation.
MeasuredCosts fit(const MachineCosts& start, std::span<const Observation> observations,
                  const std::function<void(double part)>& progress = {});

/// Fits as fit() does, but the costs of calls whose ranks have a core each apart from the costs of those whose ranks
/// outnumber cores, where there are five times as many observations of both as there are costs: a rank that waits for
/// a message leaves its core to another there, so that what waiting costs is hidden. `progress` as there.
MeasuredCosts fit_by_cores(const MachineCosts& start, std::span<const Observation> observations,
                           const std::function<void(double part)>& progress = {});

/// Fits as fit() does, but of the parts that hold for some data or some ranks all but `near` stay as they are, and so
/// does near_bytes: a few observations tell what a call and a byte cost, in the caches and beyond, and not where these
/// end. Calls whose ranks outnumber cores tell what a turn costs alone. At least one observation. Cost: as fit().
MeasuredCosts fit_briefly(const MachineCosts& start, std::span<const Observation> observations);

/// Returns the seconds that costs predict for the observations, in their order.
std::vector<double> predictions(const MachineCosts& costs, std::span<const Observation> observations);
std::vector<double> predictions(const MeasuredCosts& measured, std::span<const Observation> observations);

/// Outcome of the first look: the costs to be believed.
struct QuickCalibration {
  std::optional<MeasuredCosts> costs;  ///< nothing: the built-in ones
  std::string words = {};              ///< why these stay, such as "which fit this machine"; empty: they do not
};

/// Calls that were measured twice in a short look at a machine.
struct BriefLook {
  std::vector<Observation> observations = {};
  std::vector<double> again = {};  ///< seconds of the second time, in the order of the observations
  double had_cores = 1;            ///< part of that time in which ranks, which never sleep, had their cores
};

/// Judges what a short look has found; of both times of a call the shorter one counts.
///
/// - Where ranks had their cores for less than nine tenths of the time, or half of the calls took a quarter more in one pass
///   than in the other, something disturbed the machine, and nothing is believed.
/// - Where half of them take what the built-in costs predict, give or take a quarter, these stay: they rest on far more
///   measurements.
/// - Otherwise the costs that fit_briefly() finds are believed, if half of the calls take what these predict, give or
///   take a quarter.
///
/// At least one observation.
QuickCalibration quick_calibration(const MachineCosts& built_in, const BriefLook& look);

}  // namespace tutti
