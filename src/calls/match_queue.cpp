#include "calls/match_queue.hpp"

#include "execute/reading.hpp"
#include "progress/communicator_state.hpp"

namespace tutti::runtime {

bool IncomingMessage::advance(CommunicatorState& communicator) {
  if (done_ || communicator.failure().failed()) return false;
  if (!come_ && !come(communicator)) return false;
  const std::int64_t before = taken_;
  if (bytes_ > 0 && !(arrival_.in_parts ? take_parts(communicator) : take(communicator))) return taken_ > before;
  communicator.channel().release(route_);
  done_ = true;
  return true;
}

bool IncomingMessage::come(CommunicatorState& communicator) {
  come_ = communicator.channel().arrived(route_, {into_, static_cast<std::size_t>(bytes_)}, arrival_);
  return come_;
}

bool IncomingMessage::take(CommunicatorState& communicator) {
  const Reading reading(communicator.failure(), arrival_.in_place);
  if (!reading) return false;
  const MemoryRange from = arrival_.ranges.front();
  const Fold whole{MemoryRange::of(into_, from.bytes), {&from, 1}};
  return communicator.folding().carry_out(whole, {nullptr, element_size_}, route_.call_slot);
}

bool IncomingMessage::take_parts(CommunicatorState& communicator) {
  while (taken_ < arrival_.bytes) {
    const std::span<const std::byte> part = communicator.streams().part(route_);
    if (part.empty()) return false;
    const MemoryRange from = MemoryRange::of(part.data(), static_cast<std::int64_t>(part.size()));
    const Fold piece{MemoryRange::of(into_ + taken_, from.bytes), {&from, 1}};
    if (!communicator.folding().carry_out(piece, {nullptr, element_size_}, route_.call_slot)) return false;
    communicator.streams().take(route_, from.bytes);
    taken_ += from.bytes;
  }
  return true;
}

}  // namespace tutti::runtime
