/// @file
/// The cost model by which the ranks of a run choose.
#pragma once

#include <memory>

#include "predict/cost_model.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// The same on every rank of the run.
std::unique_ptr<const CostModel> cost_model_of(const World& world);

}  // namespace tutti::runtime
