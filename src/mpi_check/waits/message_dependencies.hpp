/// @file
/// Message dependencies: messages in the wait state of an MPI program's rank, as wait_cycle_of() understands them.
///
/// MPI matches a send and a receive by communicator, tag and ranks. No rank knows which send of another one a receive
/// of its own will get, so a message has no OperationId that both ranks could name. A rank that waits for messages
/// tells them as they are, in two doubtful parts, from which wait_cycle_of() concludes nothing: what its wait ends
/// with, and what else it has under way. A rank that looks for a cycle compares what the two ranks of a message tell,
/// and makes wait states of it that wait_cycle_of() may go by:
///
///     a message is matched       if the other rank tells of one that may be its counterpart: then MPI may be about to
///                                carry it, however long that takes;
///     an unmatched message       needs the other rank's program to go on.
///
/// Messages beyond those that there is room for are told as one of any tag for each rank, which may match more: less is
/// concluded then, and nothing that is wrong.
///
/// A nonblocking collective that cannot end before a rank has begun it needs that rank's program, too, until it has.
/// All ranks of a communicator begin them in the same order, so each tells how many it has begun. Ranks know a
/// communicator by a number that others may have, too, and tell the largest: less is concluded then, and nothing that
/// is wrong.
///
/// The first collective of a communicator is another matter: nobody leaves it before all have come, so that whoever
/// waits elsewhere has not.
///
/// Sent messages that the other rank does not tell of any more have left its hands, as far as MPI says; they come while
/// both ranks look again and again (MessageWait).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "transport/interfaces/wait_state.hpp"

namespace tutti::interpose {

/// A message that is not there yet, or that nobody has taken yet, as the rank at one end of it knows it.
struct PendingMessage {
  /// `begun`: no message, but a nonblocking collective that the rank at its other end is to begin.
  enum class Side : std::uint8_t { sent, received, begun };
  static constexpr int any_rank = -1;
  static constexpr int other_host = -2;  ///< or a rank without the library: nothing is known of it
  static constexpr std::int32_t any_tag = -1;

  Side side = Side::received;
  int peer = other_host;           ///< its other end, by its number among the ranks of this host
  std::int32_t tag = any_tag;      ///< or which of the communicator's nonblocking collectives it is, from 1 on
  std::uint32_t communicator = 0;  ///< a number that all of its ranks give it

  friend bool operator==(const PendingMessage&, const PendingMessage&) = default;
};

/// Adds a part that the rank waits for: all of these messages, or one of them where `any_suffices`. Where several are
/// added, WaitState::awaited is to say so: the first that is complete ends the wait. False where there is no room.
bool tell_awaited(runtime::WaitState& wait_state, std::span<const PendingMessage> messages, bool any_suffices);
/// Number of nonblocking collectives that a rank has begun on communicators of that number, on the one with the most.
struct BegunCollectives {
  std::uint32_t communicator = 0;
  std::int32_t collectives = 0;
};
/// Other work that a rank has under way, or has begun.
struct WorkUnderWay {
  std::vector<PendingMessage> messages;
  std::vector<BegunCollectives> collectives;
};
/// Adds the parts that say so. A rank that waits in a collective has these parts alone.
bool tell_under_way(runtime::WaitState& wait_state, const WorkUnderWay& beside);
/// Adds the part that the rank waits for in the first collective of a communicator, in which all of its ranks meet
/// before any of them goes on: that these come there, too. Where several communicators have that number, a rank that
/// has come to one of them is taken to have come.
bool tell_meeting(runtime::WaitState& wait_state, std::uint32_t communicator, std::span<const int> others);
/// Adds the part that says that the rank's program has come to its end.
bool tell_end(runtime::WaitState& wait_state);
/// Adds the part that says that the rank's program looks again and again for what it awaits, and may cease to. False
/// where there is no room.
bool tell_polling(runtime::WaitState& wait_state);

/// Whether a rank tells that it waits for messages, that it waits in a communicator's first collective, and that its
/// program has come to its end.
bool awaits_messages(const runtime::WaitState& told);
bool is_in_meeting(const runtime::WaitState& told);
bool is_at_the_end(const runtime::WaitState& told);
/// Whether a rank that tells that it waits for messages polls for them.
bool is_polling(const runtime::WaitState& told);

/// Returns the wait state of `rank` for wait_cycle_of(), which tells `told`. Rank `asking` looks for a cycle of its
/// own: a rank at its end is made to wait for it, so that a chain of waits that leads there comes out as a cycle.
runtime::WaitState with_messages_resolved(int rank, const runtime::WaitState& told, int asking,
                                          const std::function<const runtime::WaitState*(int)>& told_of);

}  // namespace tutti::interpose
