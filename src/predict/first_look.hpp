/// @file
/// Whether built-in costs fit a machine, from a measurement of a fraction of a second.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "predict/fit.hpp"

namespace tutti {

/// What is to be believed.
struct FirstLook {
  std::optional<MeasuredCosts> costs;  ///< nothing: the built-in ones
  std::string words = {};              ///< why these stay, such as "which fit this machine"; empty: they do not
};

/// Judges calls that were measured twice, `again` in the order of `observations`; of both times the shorter one counts.
/// `had_cores` is the part of that time in which the ranks, which never sleep, had their cores.
///
/// - Where they had them for less than nine tenths of the time, or half of the calls took a quarter more in one pass
///   than in the other, something disturbed the machine, and nothing is believed.
/// - Where half of them take what the built-in costs predict, give or take a quarter, these stay: they rest on far more
///   measurements.
/// - Otherwise the costs that fit() finds are believed, if half of the calls take what these predict, give or take a
///   quarter.
///
/// At least one observation.
FirstLook first_look(const MachineCosts& built_in, std::span<const Observation> observations,
                     std::span<const double> again, double had_cores);

}  // namespace tutti
