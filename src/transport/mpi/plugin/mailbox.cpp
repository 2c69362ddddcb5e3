#include "transport/mpi/plugin/mailbox.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::runtime {

void Mailbox::receive(int from, PacketPointer packet) {
  ++arrivals;
  const Head& head = packet->head;
  switch (head.kind) {
    case Kind::message:
    case Kind::announced:
      incoming[{head.sender, head.call_slot, head.number}].packet = std::move(packet);
      return;
    case Kind::clear:
      clear(from, *packet);
      break;
    case Kind::taken:
      take(*packet);
      break;
    case Kind::calls:
    case Kind::subtree:
    case Kind::everyone:
    case Kind::colors:
      calls.hear(*packet);
      break;
    case Kind::failure:
      if (!failure) {
        failure.emplace(static_cast<ErrorCode>(head.word),
                        std::string(reinterpret_cast<const char*>(packet->body.data()), head.body_bytes));
      }
      break;
    case Kind::rank_lost:
    case Kind::rank_ended:
    case Kind::waiting:
    case Kind::quiet:
      break;  // of the run, not of a communicator
  }
  link_.recycle(std::move(packet));
}

void Mailbox::send_nothing_for(Link& link, int from, const Packet& clear) { link.send_nothing(from, clear.head.tag); }

void Mailbox::clear(int from, const Packet& packet) {
  const auto found = unread.find({packet.head.sender, packet.head.call_slot, packet.head.number});
  if (found == unread.end()) return send_nothing_for(link_, from, packet);
  Unread& message = found->second;
  message.transfer = link_.send_long(from, packet.head.tag, message.data, message.bytes);
}

void Mailbox::take(const Packet& packet) {
  const Head& head = packet.head;
  std::uint64_t& latest = read[{head.sender, head.call_slot}];
  latest = std::max(latest, head.number);
  if (const auto found = unread.find({head.sender, head.call_slot, head.number}); found != unread.end()) {
    found->second.taken = true;
  }
}

}  // namespace tutti::runtime
