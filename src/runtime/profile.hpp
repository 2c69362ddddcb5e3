/// @file
/// The profile on which the ranks of a run agree: rank 0's.
#pragma once

#include "predict/profile.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// What rank 0 says of the profile that it has found: see find_profile(). Where a file is not believed, one line on
/// standard error says so.
Proposal propose_profile();

/// What was agreed on, the built-in profile where nothing was: the same on every rank.
Profile agreed_profile(const World& world);

}  // namespace tutti::runtime
