/// @file
/// Decisions of rank 0 for all ranks of a run.
#pragma once

#include <memory>

#include "plan/rules.hpp"
#include "plan/wisdom.hpp"
#include "predict/profile/profile.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// Returns rank 0's proposal: the profile, the rules and the winners of earlier trials that it has found
/// (find_profile(), find_rules(), known_winners()), and TUTTI_PLAN. If a file is not believed, one line on standard
/// error says so.
Proposal propose();

/// The profile that was agreed on, the built-in one where none was: the same on every rank.
Profile agreed_profile(const World& world);

/// The transport whose costs hold for ranks that `found` connects, as the world says it: processes share their heaps
/// where rank 0 does.
Transport agreed_transport(const World& world, Transport found);

/// Returns how rank 0's environment asks to plan, for communicators and calls that do not say.
Planning agreed_planning(const World& world);

/// The rules that were agreed on, the same on every rank.
std::shared_ptr<const Rules> agreed_rules(const World& world);

/// The winners that were agreed on, the same on every rank.
std::shared_ptr<const KnownWinners> agreed_winners(const World& world);

}  // namespace tutti::runtime
