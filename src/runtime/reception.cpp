#include "runtime/reception.hpp"

#include "execute/reading.hpp"
#include "runtime/communicator_state.hpp"

namespace tutti::runtime {

bool Reception::advance(CommunicatorState& communicator) {
  Transport& transport = communicator.transport();
  if (done_ || transport.failed()) return false;
  if (!come_ && !come(communicator)) return false;
  const std::int64_t before = taken_;
  if (bytes_ > 0 && !(arrival_.in_parts ? take_parts(transport) : take(transport))) return taken_ > before;
  transport.release(route_);
  if (Trace* const trace = communicator.trace())
    trace->released(route_.peer, route_.call_slot, route_.number, trace_clock());
  done_ = true;
  return true;
}

bool Reception::come(CommunicatorState& communicator) {
  Trace* const trace = communicator.trace();
  if (!communicator.transport().arrived(route_, {into_, static_cast<std::size_t>(bytes_)}, arrival_)) {
    if (trace != nullptr) trace->missed();
    return false;
  }
  if (trace != nullptr) trace->arrived(route_.peer, route_.call_slot, route_.number, arrival_.bytes);
  return come_ = true;
}

bool Reception::take(Transport& transport) {
  const Reading reading(transport, arrival_.in_place);
  if (!reading) return false;
  const Stretch from = arrival_.stretches.front();
  const Fold whole{Stretch::of(into_, from.bytes), {&from, 1}};
  return transport.carry_out(whole, {nullptr, element_size_}, route_.call_slot);
}

bool Reception::take_parts(Transport& transport) {
  while (taken_ < arrival_.bytes) {
    const std::span<const std::byte> part = transport.part(route_);
    if (part.empty()) return false;
    const Stretch from = Stretch::of(part.data(), static_cast<std::int64_t>(part.size()));
    const Fold piece{Stretch::of(into_ + taken_, from.bytes), {&from, 1}};
    if (!transport.carry_out(piece, {nullptr, element_size_}, route_.call_slot)) return false;
    transport.take(route_, from.bytes);
    taken_ += from.bytes;
  }
  return true;
}

}  // namespace tutti::runtime
