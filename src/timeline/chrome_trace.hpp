/// @file
/// Timelines as traces that chrome://tracing and ui.perfetto.dev open as they are: the JSON array of the Trace Event
/// Format.
///
/// A rank is a process of the trace, the rows of its lane are the threads. A span is a complete event ("X") whose `cat`
/// is its kind; a message is a flow from the send ("s") to the receive ("f"). Times are microseconds. Each event has a
/// line of its own, so that a trace can be continued: see trace/trace_file.hpp.
/// Source  "Trace Event Format", Google, 2016.
#pragma once

#include <string>
#include <string_view>

#include "timeline/timeline.hpp"

namespace tutti::timeline {

/// The whole file.
std::string chrome_trace(const Timeline& timeline);

/// The events of one lane, which is in order: lines with commas between, none after the last. Numbers of messages may
/// be any that both sides know. `note`, where it is not empty, stands beside the rank's name.
std::string events_of(int rank, const Lane& lane, std::string_view note = {});

/// The first event: what the trace is of, and when it was begun, in seconds since 1970; 0: unknown.
std::string first_event(std::string_view title, double began);
/// When the trace with that first event was begun; below 0 where the line is none.
double begin_of(std::string_view first_event);

/// Reads back what `chrome_trace` writes, and what TUTTI_TRACE collects; events of other programs are passed over.
/// Sends and receives of one number are paired in order of time; waits learn when the other rank did what they waited
/// for. Throws `Error(invalid_argument)` naming the file and the event where it is no such trace, or holds no span.
Timeline timeline_from(std::string_view json, const std::string& file);

}  // namespace tutti::timeline
