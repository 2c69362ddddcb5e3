/// @file
/// What a rank of an MPI program says of its messages in its standing, and what circle_of() is to make of that.
///
/// MPI matches a send and a receive by communicator, tag and ranks. No rank knows which send of another one a receive
/// of its own will get, so messages have no deeds that both ranks could name. A rank that waits for messages tells them
/// as they are, in two doubtful parts, from which circle_of() concludes nothing: what its wait ends with, and what else
/// it has under way. Whoever looks for a circle compares what the two ranks of a message tell, and makes standings of
/// it that circle_of() may go by:
///
///     a message is matched       if the other rank tells of one that may be its counterpart: then MPI may be about to
///                                carry it, however long that takes;
///     an unmatched message       needs the other rank's program to go on.
///
/// Of more messages than there is room for, those with one rank are told as one of any tag, which may match more: less
/// is concluded then, and nothing that is wrong.
///
/// A nonblocking collective that cannot end before a rank has begun it needs that rank's program, too, until it has.
/// All ranks of a communicator begin them in the same order, so each tells how many it has begun. Ranks know a
/// communicator by a number that others may have, too, and tell the largest: less is concluded then, and nothing that
/// is wrong.
///
/// The first collective of a communicator is another matter: nobody leaves it before all have come, so that whoever
/// waits elsewhere has not.
///
/// What the other rank has sent and does not tell of any more has left its hands, as far as MPI says; it comes while
/// both ranks look again and again (MessageWait).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "transport/standing.hpp"

namespace tutti::interpose {

/// A message that is not there yet, or that nobody has taken yet, as the rank at one end of it knows it.
struct Message {
  /// `begun`: no message, but a nonblocking collective that the rank at its other end is to begin.
  enum class Side : std::uint8_t { sent, received, begun };
  static constexpr int any_rank = -1;
  static constexpr int other_host = -2;  ///< or a rank without the library: nothing is known of it
  static constexpr std::int32_t any_tag = -1;

  Side side = Side::received;
  int peer = other_host;           ///< its other end, by its number among the ranks of this host
  std::int32_t tag = any_tag;      ///< or which of the communicator's nonblocking collectives it is, from 1 on
  std::uint32_t communicator = 0;  ///< a number that all of its ranks give it

  friend bool operator==(const Message&, const Message&) = default;
};

/// Adds the part that the rank waits for: all of these messages, or one of them where `any_suffices`.
bool tell_awaited(runtime::Standing& standing, std::span<const Message> messages, bool any_suffices);
/// How many nonblocking collectives a rank has begun on communicators of that number, on the one with the most.
struct Begun {
  std::uint32_t communicator = 0;
  std::int32_t collectives = 0;
};
/// What a rank has under way besides, or has begun.
struct Beside {
  std::vector<Message> messages;
  std::vector<Begun> collectives;
};
/// Adds the parts that say so. A rank that waits in a collective has these parts alone.
bool tell_beside(runtime::Standing& standing, const Beside& beside);
/// Adds the part that the rank waits for in the first collective of a communicator, in which all of its ranks meet
/// before any of them goes on: that these come there, too. Where several communicators have that number, a rank that
/// has come to one of them is taken to have come.
bool tell_meeting(runtime::Standing& standing, std::uint32_t communicator, std::span<const int> others);
/// Adds the part that says that the rank's program has come to its end.
bool tell_end(runtime::Standing& standing);

/// Whether a rank tells that it waits for messages, that it waits in a communicator's first collective, and that its
/// program has come to its end.
bool awaits_messages(const runtime::Standing& told);
bool is_in_meeting(const runtime::Standing& told);
bool is_at_the_end(const runtime::Standing& told);

/// What circle_of() is to take for the standing of `rank`, which tells `told`. Rank `asking` looks for a circle of its
/// own: a rank at its end is made to wait for it, so that a chain of waits that leads there comes out as a circle.
runtime::Standing understood(int rank, const runtime::Standing& told, int asking,
                             const std::function<const runtime::Standing*(int)>& told_of);

}  // namespace tutti::interpose
