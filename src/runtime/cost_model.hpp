/// @file
/// The cost model by which the ranks of a run choose.
#pragma once

#include <memory>
#include <string>

#include "predict/cost_model.hpp"
#include "schedule/layout.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// For a communicator of ranks of the run that are where `layout` says; the same on every one of them.
std::unique_ptr<const CostModel> cost_model_of(const World& world, const Layout& layout);

/// What the model describes, in words: "threads on 2 cores".
std::string words_of_place(const World& world, const Layout& layout);

/// How many cores that many ranks have for sure, where no host is more crowded than this one: all of its cores, and
/// where they must be on several hosts, as many for each of its ranks.
int cores_of(int ranks, const HostShare& most_crowded);

}  // namespace tutti::runtime
