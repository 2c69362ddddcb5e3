/// @file
/// Finds ranks that wait for one another for ever.
///
/// Ranks that wait tell what they have under way (WaitState). A rank's wait can end only when the operation it waits
/// for ends; an operation leaves the step that it is at only when all dependencies of that step are met; and a
/// dependency is met by an operation of another rank, or, where that rank has not begun it, by its program, which goes
/// on only when its wait ends. So, in turn:
///
///     a wait never ends             if none of what it waits for ever leaves its step;
///     an operation never leaves     if at least one of its dependencies is never met, or all of them where any of them
///     its step                      suffices;
///     an operation never moves      if none of its dependencies is ever met: then it reads no message of its step;
///     a dependency is never met     to begin or send: by a program whose wait never ends, or by an operation that
///                                   never leaves its step; to read: by such a program, or by an operation that
///                                   never moves.
///
/// A set of waits and operations in which each has its reason within the set stays as it is: the first to move would
/// have had to be moved by another one. The largest such set is what remains when all that have no reason are taken out
/// until none is left.
///
/// Nothing is concluded about what is under way: where both sides of a message have begun, where an operation may go on
/// by itself, where a rank computes, tests, or has more under way than it tells. What of that is a deadlock all the
/// same is for the clock to find.
///
/// The wait states are those of different moments, and messages may be on their way. So the set is but a suspicion,
/// until each of its ranks has looked once more, found nothing, and that look began when it knew that all others of the
/// set stood as they do (WaitBoard::were_quiet). For let r be the first of them to move after having told its wait
/// state. What moves it comes from a rank of the set, since its reasons say so, and was done before that rank told its
/// wait state, since r is the first. So r could see it when it looked, and would have moved before it said that it
/// found nothing.
///
/// A failure of a communicator moves ranks too, whatever their reasons, and may come from outside of the set. Whoever
/// knows of one lets all other ranks of the communicator know before it goes on to anything else (Failure). So a rank
/// of the set that has left what another one waits for, because that has failed, had said so before it told its
/// wait state.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transport/interfaces/wait_state.hpp"

namespace tutti::runtime {

/// Cycle of ranks that wait for one another.
struct WaitCycle {
  /// The first of these waits for ever because the others do, and they because it does; in the order in which they
  /// wait for one another. Empty: nothing says so. A rank that only waits for one of a cycle is not of it: it goes on
  /// if that one does, once it has been told.
  std::vector<int> ranks;
  /// Whether other ranks' cycles may rest on something that the first rank has under way, if not on its wait.
  bool involves_it = false;
};

/// Returns the conclusion for `rank` from the wait states of all; `wait_state_of` gives null for a rank that does not
/// wait.
WaitCycle wait_cycle_of(int rank, const std::function<const WaitState*(int)>& wait_state_of);

/// Returns the work of each of these ranks, "rank 0 waits for …; rank 1 waits for …", as `say` puts it for one; of a
/// long cycle the first ones, and how many there are.
std::string describe_wait_cycle(std::span<const int> ranks, const std::function<std::string(int)>& say);

}  // namespace tutti::runtime
