/// @file
/// Report of `--bottleneck`.
#pragma once

#include <string>

#include "app/reports/descriptions.hpp"
#include "pricing/bottleneck.hpp"

namespace tutti::app {

/// A table of links by how much the run would gain, and a line for each halved cost.
std::string text_of(const Bottlenecks& found, const Topology& topology);
Json json_of(const Bottlenecks& found, const Topology& topology);

}  // namespace tutti::app
