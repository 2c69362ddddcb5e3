/// @file
/// What rank 0 decides for all ranks of a run.
#pragma once

#include <memory>

#include "plan/rules.hpp"
#include "plan/wisdom.hpp"
#include "predict/profile.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// What rank 0 says of the profile, the rules and the winners of earlier trials that it has found (find_profile(),
/// find_rules(), known_winners()), and of TUTTI_PLAN. Where a file is not believed, one line on standard error says so.
Proposal propose();

/// The profile that was agreed on, the built-in one where none was: the same on every rank.
Profile agreed_profile(const World& world);

/// The transport whose costs hold for ranks that `engine` connects: processes share their heaps where rank 0 does.
Transport agreed_transport(const World& world, Engine engine);

/// How rank 0's environment asks to plan, for communicators and calls that do not say.
Planning agreed_planning(const World& world);

/// The rules that were agreed on, the same on every rank.
std::shared_ptr<const Rules> agreed_rules(const World& world);

/// The winners that were agreed on, the same on every rank.
std::shared_ptr<const KnownWinners> agreed_winners(const World& world);

}  // namespace tutti::runtime
