/// @file
/// Timeline: what ranks did when, in a simulation or a run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::timeline {

/// Kind of a span: what a rank does in it.
enum class SpanKind : std::uint8_t {
  call,     ///< is inside a call; holds the other spans
  phase,    ///< is in a phase of the call's algorithm; holds the spans that belong to it
  compute,  ///< the program's own work between calls
  send,     ///< a message leaves, or is offered to its receiver
  receive,  ///< a message comes, or is read
  reduce,   ///< combines elements
  copy,     ///< copies elements of its own
  wait,     ///< has nothing to do until another rank does something
};

inline constexpr std::array all_kinds{SpanKind::call,    SpanKind::phase,  SpanKind::compute, SpanKind::send,
                                      SpanKind::receive, SpanKind::reduce, SpanKind::copy,    SpanKind::wait};

std::string_view name_of(SpanKind kind);

/// Whether spans of this kind say what others that lie within them are for: they are nobody's cause.
constexpr bool holds_spans(SpanKind kind) { return kind == SpanKind::call || kind == SpanKind::phase; }

/// Times are in seconds from the timeline's beginning.
struct Span {
  SpanKind kind = SpanKind::call;
  double begin = 0;
  double end = 0;
  int peer = -1;              ///< to whom, from whom, or for whom the rank waits; -1: nobody
  std::int64_t bytes = 0;     ///< bytes that are sent, received, or written
  std::uint64_t message = 0;  ///< the message that this is a side of, counted from 1: messages[message - 1]; 0: none
  int after = -1;             ///< the rank that let the span begin, or the wait end; -1: the rank itself
  double since = 0;           ///< when that rank did
  std::string text;           ///< name of what was called, or of the phase
};

/// From the time when the sender gave it away until the receiver had it.
struct MessageSpan {
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;
  double begin = 0;
  double end = 0;
};

/// Spans of a rank may nest and overlap: a rank sends while it receives.
using Lane = std::vector<Span>;

struct Timeline {
  std::string title;
  double seconds = 0;       ///< the last span's end
  std::vector<Lane> lanes;  ///< by rank; each in order of beginning, the longer of simultaneous spans first
  std::vector<MessageSpan> messages;
  std::string note;  ///< remark on what is missing; empty: nothing
};

/// Puts each lane's spans in order and sets `seconds`.
void put_in_order(Timeline& timeline);

/// "send to 3", "waits for 2", a call's own text: the span in words.
std::string words_of(const Span& span);

/// Row of a span within its lane: sends, receives, and all else have rows of their own, and spans of one row nest or
/// lie apart, but for what rounding does to their times. `row` counts from 0 within the group.
struct SpanRow {
  enum class Group : std::uint8_t { work, sends, receives };
  Group group = Group::work;
  int row = 0;
};

SpanRow::Group group_of(SpanKind kind);
std::string_view name_of(SpanRow::Group group);

/// The place of each span of a lane that is in order: the first row of its group that has room.
std::vector<SpanRow> places_of(const Lane& lane);

}  // namespace tutti::timeline
