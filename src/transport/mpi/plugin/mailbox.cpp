#include "transport/mpi/plugin/mailbox.hpp"

#include <algorithm>
#include <utility>

namespace tutti::runtime {

void Mailbox::receive(int from, PacketPointer packet) {
  ++arrivals;
  const Head& head = packet->head;
  switch (head.kind) {
    case PacketKind::message:
    case PacketKind::announced:
      incoming[{head.sender, head.call_slot, head.number}].packet = std::move(packet);
      return;
    case PacketKind::clear:
      clear(from, *packet);
      break;
    case PacketKind::taken:
      take(*packet);
      break;
    case PacketKind::calls:
    case PacketKind::subtree:
    case PacketKind::everyone:
    case PacketKind::colors:
      calls.hear(*packet);
      break;
    case PacketKind::failure:
      if (!failure) {
        failure.emplace(static_cast<ErrorCode>(head.word),
                        std::string(reinterpret_cast<const char*>(packet->body.data()), head.body_bytes));
      }
      break;
    case PacketKind::rank_lost:
    case PacketKind::rank_ended:
    case PacketKind::waiting:
    case PacketKind::quiet:
      break;  // about the run, not a communicator
  }
  link_.recycle(std::move(packet));
}

void Mailbox::send_nothing_for(MpiLink& link, int from, const Packet& clear) {
  link.send_nothing(from, clear.head.tag);
}

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

void Mailboxes::leave(std::uint64_t communicator) {
  Mailbox& box = of_member(communicator);
  box.calls.leave();
  if (box.calls.is_over()) boxes_.end(communicator);
}

void Mailboxes::receive(int from, PacketPointer packet) {
  const Head head = packet->head;
  Mailbox* const box = boxes_.of_packet(head.communicator);
  if (box != nullptr) {
    box->receive(from, std::move(packet));
    if (box->calls.is_over()) boxes_.end(head.communicator);
    return;
  }
  if (head.kind == PacketKind::clear) Mailbox::send_nothing_for(link_, from, *packet);
  link_.recycle(std::move(packet));
}

void Mailboxes::fall_silent() {
  for (auto& [identity, box] : boxes_) {
    box.calls.tell_everyone();
    box.calls.fall_silent();
  }
}

}  // namespace tutti::runtime
