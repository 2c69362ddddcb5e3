#include "interpose/message_standing.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tutti::interpose {

using runtime::Deed;
using runtime::Need;
using runtime::Part;
using runtime::Standing;

namespace {

// Deeds under which no operation is known: see deed().
const Deed awaited_messages = runtime::deed(101, 0, 0);
const Deed messages_beside = runtime::deed(102, 0, 0);
const Deed the_end = runtime::deed(103, 0, 0);
const Deed begun_collectives = runtime::deed(107, 0, 0);
/// The deed of the second part of a meeting, by which the first is known to be one.
const Deed any_meeting = runtime::deed(105, 0, 0);
/// What a rank's program is to go on to: nobody has it under way.
const Deed whatever_comes = runtime::deed(104, 0, 0);

Deed meeting_of(std::uint32_t communicator) { return runtime::deed(106, communicator, 0); }

Need::Kind kind_of(Message::Side side) {
  switch (side) {
    case Message::Side::sent:
      return Need::Kind::reading;
    case Message::Side::received:
      return Need::Kind::message;
    case Message::Side::begun:
      break;
  }
  return Need::Kind::begin;
}

Need need_of(const Message& message) {
  return {Deed{message.communicator} << 32 | static_cast<std::uint32_t>(message.tag), message.peer,
          kind_of(message.side)};
}

Message message_of(const Need& need) {
  const Message::Side side = need.kind == Need::Kind::reading   ? Message::Side::sent
                             : need.kind == Need::Kind::message ? Message::Side::received
                                                                : Message::Side::begun;
  return {side, need.rank, static_cast<std::int32_t>(need.deed & 0xffffffffU),
          static_cast<std::uint32_t>(need.deed >> 32)};
}

/// One message of any tag for all of a side with a rank on a communicator.
std::vector<Message> without_tags(std::span<const Message> messages) {
  std::vector<Message> fewer(messages.begin(), messages.end());
  for (Message& message : fewer) message.tag = Message::any_tag;
  const auto key = [](const Message& each) { return std::tuple(each.communicator, each.peer, each.side); };
  std::sort(fewer.begin(), fewer.end(), [&](const Message& a, const Message& b) { return key(a) < key(b); });
  fewer.erase(std::unique(fewer.begin(), fewer.end()), fewer.end());
  return fewer;
}

bool tell(Standing& standing, Deed deed, std::span<const Message> messages) {
  if (!standing.begin(deed)) return false;
  standing.doubt();
  const bool have_room = standing.needs + messages.size() <= Standing::most_needs;
  const std::vector<Message> fewer = have_room ? std::vector<Message>() : without_tags(messages);
  for (const Message& message : have_room ? messages : fewer) standing.add(need_of(message));
  return true;
}

bool is_of_messages(const Part& part) { return part.deed == awaited_messages || part.deed == messages_beside; }

std::span<const Part> parts_of(const Standing& standing) { return std::span(standing.part).first(standing.parts); }

std::span<const Need> needs_of(const Standing& standing, const Part& part) {
  return std::span(standing.need).subspan(part.first_need, part.needs);
}

/// Whether MPI might match what `rank` tells of with what its peer, who has number `peer`, tells of.
bool may_match(int rank, const Message& mine, int peer, const Message& theirs) {
  const auto means = [](int told, int number) { return told == number || told == Message::any_rank; };
  const bool are_tags_alike = mine.tag == theirs.tag || mine.tag == Message::any_tag || theirs.tag == Message::any_tag;
  const auto is = [&](Message::Side one, Message::Side other) { return mine.side == one && theirs.side == other; };
  const bool are_ends =
      is(Message::Side::sent, Message::Side::received) || is(Message::Side::received, Message::Side::sent);
  return are_ends && mine.communicator == theirs.communicator && are_tags_alike && means(mine.peer, peer) &&
         means(theirs.peer, rank);
}

/// Whether the rank that tells `others` has begun that collective, or may have.
bool has_begun(const Message& collective, const Standing& others) {
  return collective.tag == Message::any_tag ||
         std::any_of(parts_of(others).begin(), parts_of(others).end(), [&](const Part& part) {
           if (part.deed != begun_collectives) return false;
           const auto needs = needs_of(others, part);
           return part.is_cut || std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
                    const Message last = message_of(need);
                    return last.communicator == collective.communicator && last.tag >= collective.tag;
                  });
         });
}

/// Whether the other rank of that message tells of one that may be its counterpart, or of more than it can tell.
bool is_matched(int rank, const Message& message, const Standing& others) {
  if (message.side == Message::Side::begun) return has_begun(message, others);
  return std::any_of(parts_of(others).begin(), parts_of(others).end(), [&](const Part& part) {
    if (!is_of_messages(part)) return false;
    const auto needs = needs_of(others, part);
    return part.is_cut || std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
             return may_match(rank, message, message.peer, message_of(need));
           });
  });
}

}  // namespace

bool tell_awaited(Standing& standing, std::span<const Message> messages, bool any_suffices) {
  if (!tell(standing, awaited_messages, messages)) return false;
  if (any_suffices) standing.let_any_suffice();
  return true;
}

bool tell_beside(Standing& standing, const Beside& beside) {
  if (!beside.messages.empty() && !tell(standing, messages_beside, beside.messages)) return false;
  if (beside.collectives.empty()) return true;
  if (!standing.begin(begun_collectives)) return false;
  standing.doubt();
  for (const Begun& each : beside.collectives)
    standing.add(need_of({Message::Side::begun, Message::any_rank, each.collectives, each.communicator}));
  return true;
}

bool tell_meeting(Standing& standing, std::uint32_t communicator, std::span<const int> others) {
  const Deed meeting = meeting_of(communicator);
  if (!standing.begin(meeting)) return false;
  for (const int rank : others) standing.add({meeting, rank, Need::Kind::begin});
  return tell(standing, any_meeting, {});
}

bool tell_end(Standing& standing) { return tell(standing, the_end, {}); }

bool awaits_messages(const Standing& told) { return told.parts > 0 && told.part[0].deed == awaited_messages; }
bool is_in_meeting(const Standing& told) { return told.parts > 1 && told.part[1].deed == any_meeting; }
bool is_at_the_end(const Standing& told) { return told.parts > 0 && told.part[0].deed == the_end; }

Standing understood(int rank, const Standing& told, int asking, const std::function<const Standing*(int)>& told_of) {
  if (!awaits_messages(told) && !is_at_the_end(told)) return told;
  Standing standing;
  const Part& part = told.part[0];
  standing.begin(part.deed);
  if (is_at_the_end(told)) {
    standing.add({whatever_comes, asking, Need::Kind::begin});
    return standing;
  }
  if (part.any_suffices) standing.let_any_suffice();
  if (part.is_cut && part.any_suffices) standing.doubt();
  for (const Need& need : needs_of(told, part)) {
    const Message message = message_of(need);
    const Standing* const others = message.peer < 0 ? nullptr : told_of(message.peer);
    // Of a rank that tells nothing, circle_of() concludes nothing.
    const bool is_open = message.peer < 0 || (others != nullptr && is_matched(rank, message, *others));
    if (!is_open) standing.add({whatever_comes, message.peer, Need::Kind::begin});
    if (is_open && part.any_suffices) standing.doubt();
  }
  return standing;
}

}  // namespace tutti::interpose
