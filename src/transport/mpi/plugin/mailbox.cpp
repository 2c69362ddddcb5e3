#include "transport/mpi/plugin/mailbox.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::runtime {

CallsOfARank& Mailbox::calls(int rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (calls_.size() <= at) calls_.resize(at + 1);
  return calls_[at];
}

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
      read_calls(*packet);
      break;
    case Kind::told: {
      CallsOfARank& sender = calls(head.sender);
      sender.words[head.number % kept_calls] = head.word;
      sender.told[head.number % kept_calls] = head.number + 1;
      break;
    }
    case Kind::failure:
      if (!failure) {
        failure.emplace(static_cast<ErrorCode>(head.word),
                        std::string(reinterpret_cast<const char*>(packet->body.data()), head.body_bytes));
      }
      break;
    case Kind::left:
      ++left;
      break;
    case Kind::rank_lost:
    case Kind::rank_ended:
    case Kind::waiting:
    case Kind::quiet:
      break;  // of the run, not of a communicator
  }
  link_.recycle(std::move(packet));
}

// The receiver has a receive under way in any case: if the message is gone, it gets nothing instead.
void Mailbox::clear(int from, const Packet& packet) {
  const auto found = unread.find({packet.head.sender, packet.head.call_slot, packet.head.number});
  if (found == unread.end()) return link_.send_nothing(from, packet.head.tag);
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

void Mailbox::read_calls(const Packet& packet) {
  CallsOfARank& sender = calls(packet.head.sender);
  sender.completed = std::max(sender.completed, packet.head.word);
  const std::uint64_t first = packet.head.number;
  const std::uint64_t end = first + packet.head.digest;
  const std::byte* from = packet.body.data();
  for (std::uint64_t number = first; number < end; ++number, from += sizeof(Signature)) {
    std::memcpy(&sender.signatures[number % kept_calls], from, sizeof(Signature));
  }
  for (std::uint64_t number = first; number < end; ++number) {
    const Signature& signature = sender.signatures[number % kept_calls];
    if (!signature.by_counts) continue;
    std::vector<std::int64_t>& counts = sender.counts[number % kept_calls];
    counts.resize(static_cast<std::size_t>(signature.key));
    if (counts.empty()) continue;
    std::memcpy(counts.data(), from, counts.size() * sizeof(counts[0]));
    from += counts.size() * sizeof(counts[0]);
  }
  sender.entered = std::max(sender.entered, end);
}

}  // namespace tutti::runtime
