/// @file
/// A timeline at the resolution of a picture: what is too short to be seen is drawn together with its neighbours.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "timeline/analysis.hpp"
#include "timeline/timeline.hpp"

namespace tutti::draw {

/// Bar of the drawing: a span, or short ones of a row that follow one another.
struct Bar {
  timeline::SpanKind kind = timeline::SpanKind::call;  ///< kind of the span; of several, the one with the most time
  double begin = 0;
  double end = 0;
  std::size_t spans = 1;
  const timeline::Span* span = nullptr;  ///< the span, if it is one
};

/// The lane's bars, row by row, calls first, then phases. Spans of `resolution` seconds and more are bars of their own.
/// Of shorter ones, those with less than that between them form bars of about that length, and neighbouring bars of a
/// kind one. What takes no time is left out.
std::vector<Bar> bars_of(const timeline::Lane& lane, double resolution);

/// "send to 3", "12 short spans, reduce for the most part".
std::string words_of(const Bar& bar);

/// A stretch of the critical path.
struct CriticalStretch {
  int rank = 0;
  timeline::SpanKind kind = timeline::SpanKind::call;
  double begin = 0;
  double end = 0;
};

/// The path in stretches of at least `resolution` seconds, but perhaps the last: of several short spans, where most of
/// the time went.
std::vector<CriticalStretch> stretches_of(const timeline::Timeline& timeline,
                                          const std::vector<timeline::CriticalSpan>& path, double resolution);

}  // namespace tutti::draw
