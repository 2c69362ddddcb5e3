/// @file
/// A timeline made by hand.
#pragma once

#include "timeline/timeline.hpp"

namespace tutti::test {

/// Rank 0 computes until 5, then sends to rank 1, which has waited since 1 and then combines; rank 2 only computes.
inline timeline::Timeline late_sender() {
  using timeline::SpanKind;
  timeline::Timeline timeline{.title = "late \"sender\" <&>"};
  timeline.lanes = {
      {{.kind = SpanKind::call, .begin = 0, .end = 7, .text = "send"},
       {.kind = SpanKind::compute, .begin = 0, .end = 5},
       {.kind = SpanKind::send, .begin = 5, .end = 7, .peer = 1, .bytes = 64, .message = 1}},
      {{.kind = SpanKind::compute, .begin = 0, .end = 1},
       {.kind = SpanKind::wait, .begin = 1, .end = 5, .peer = 0, .after = 0, .since = 5},
       {.kind = SpanKind::receive, .begin = 5, .end = 7, .peer = 0, .bytes = 64, .message = 1, .after = 0, .since = 5},
       {.kind = SpanKind::reduce, .begin = 7, .end = 9, .bytes = 64}},
      {{.kind = SpanKind::compute, .begin = 0, .end = 8}}};
  timeline.messages = {{.from = 0, .to = 1, .bytes = 64, .begin = 5, .end = 7}};
  timeline::put_in_order(timeline);
  return timeline;
}

}  // namespace tutti::test
