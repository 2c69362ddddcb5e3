#include "execute/traced_connection.hpp"

namespace tutti::runtime {

PostResult TracedChannel::post(const Route& route, const Outgoing& message) {
  const Instant began = trace_clock();
  const PostResult offer = channel_.post(route, message);
  if (offer == PostResult::refused) {
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

ChannelCapabilities TracedChannel::capabilities() {
  ChannelCapabilities all = channel_.capabilities();
  all.short_slots = nullptr;
  all.most_short_bytes = -1;
  return all;
}

// A message that is only received is a span of its own, from arrived() to release().
void TracedFolding::end(FoldKind kind, std::int64_t bytes) {
  const Instant began = began_.back();
  began_.pop_back();
  if (kind == FoldKind::receives || bytes == 0) return;
  if (kind == FoldKind::copies_on) return trace_.recorder().copied_on(bytes, began, trace_clock());
  trace_.recorder().combined(kind == FoldKind::copies ? timeline::SpanKind::copy : timeline::SpanKind::reduce, bytes,
                             began, trace_clock());
}

}  // namespace tutti::runtime
