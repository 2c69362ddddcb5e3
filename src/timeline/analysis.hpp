/// @file
/// Analysis of a timeline: its critical path, and the times that ranks waited for one another.
#pragma once

#include <cstddef>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::timeline {

/// A span of the critical path: lanes[rank][span].
struct CriticalSpan {
  int rank = 0;
  std::size_t span = 0;

  friend bool operator==(const CriticalSpan&, const CriticalSpan&) = default;
};

/// The spans that decided when the timeline ended, in order of time. From the span that ends last it goes back to what
/// let that one begin: the span of the rank that it came after, where it says so, and otherwise what the same rank did
/// before. Of simultaneous causes one is chosen. Spans of calls and of phases are no causes, and are left out.
/// Needs lanes in order. Cost: O(spans log spans).
std::vector<CriticalSpan> critical_path(const Timeline& timeline);

/// When the span's part of the path begins: what came before was not the reason.
double critical_begin(const Span& span);

/// Time that one rank waited for another.
struct WaitTotal {
  int rank = 0;
  int peer = 0;
  double seconds = 0;
  int times = 0;
  std::size_t longest = 0;  ///< the span of the longest of these waits: lanes[rank][longest]
};

/// Returns the waits of ranks for one another, the longest first; waits for nobody in particular are left out.
std::vector<WaitTotal> waits_of(const Timeline& timeline);

/// The rank on whose account the longest of these waits was: the one that came late to it from work of its own, where
/// what let the wait end goes back to that; otherwise the one waited for, unless that one waited itself for most of the
/// time, and then the one that it waited for, and so on. Cost: O(spans log spans), and O(spans) for each rank in
/// between.
int cause_of(const Timeline& timeline, const WaitTotal& waiting);

/// Returns the critical path's time, divided by Kind, in seconds. Time that no span covers is not counted.
std::vector<double> seconds_by_kind(const Timeline& timeline, const std::vector<CriticalSpan>& path);

}  // namespace tutti::timeline
