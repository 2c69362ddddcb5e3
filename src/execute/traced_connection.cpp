#include "execute/traced_connection.hpp"

namespace tutti::runtime {

Offer TracedChannel::post(const Route& route, const Outgoing& message) {
  const Instant began = trace_clock();
  const Offer offer = channel_.post(route, message);
  if (offer == Offer::refused) {
    trace_.missed();
  } else {
    trace_.sent(route.peer, route.call_slot, route.number, message.bytes, began);
  }
  return offer;
}

bool TracedChannel::delivered(const Route& route) {
  const bool is_delivered = channel_.delivered(route);
  is_delivered ? trace_.delivered(route.peer, route.call_slot, route.number) : trace_.missed();
  return is_delivered;
}

bool TracedChannel::arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) {
  const bool is_here = channel_.arrived(route, landing, arrival);
  is_here ? trace_.arrived(route.peer, route.call_slot, route.number, arrival.bytes) : trace_.missed();
  return is_here;
}

bool TracedChannel::peek(const Route& route, Arrival& arrival) {
  const bool is_here = channel_.peek(route, arrival);
  if (!is_here) trace_.missed();
  return is_here;
}

void TracedChannel::release(const Route& route) {
  channel_.release(route);
  trace_.released(route.peer, route.call_slot, route.number, trace_clock());
}

// What is only received is a span of its own, from arrived() to release().
void TracedFolding::end(FoldKind kind, std::int64_t bytes) {
  const Instant began = began_.back();
  began_.pop_back();
  if (kind == FoldKind::receives || bytes == 0) return;
  if (kind == FoldKind::copies_on) return trace_.recorder().copied_on(bytes, began, trace_clock());
  trace_.recorder().combined(kind == FoldKind::copies ? timeline::Kind::copy : timeline::Kind::reduce, bytes, began,
                             trace_clock());
}

}  // namespace tutti::runtime
