#include "draw/timeline/timeline_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tutti::draw {
namespace {

using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;

// Calls and phases lie beneath the rows of work, sends and receives.
std::size_t row_of(SpanKind kind) {
  if (timeline::holds_spans(kind)) return kind == SpanKind::call ? 0 : 1;
  return 2 + static_cast<std::size_t>(timeline::group_of(kind));
}

// Puts the bars of one row together.
class BarRow {
 public:
  explicit BarRow(double resolution) : resolution_(resolution) {}

  void take(const Span& span) {
    const double length = span.end - span.begin;
    if (length >= resolution_) {
      finish();
      bars_.push_back({span.kind, span.begin, span.end, 1, &span});
      return;
    }
    if (run_.spans > 0 && (span.begin - run_.end >= resolution_ || run_.end - run_.begin >= resolution_)) finish();
    if (run_.spans == 0) run_ = {span.kind, span.begin, span.end, 0, &span};
    run_.end = std::max(run_.end, span.end);
    if (++run_.spans > 1) run_.span = nullptr;
    seconds_[static_cast<std::size_t>(span.kind)] += length;
  }

  std::vector<Bar> bars() {
    finish();
    return std::move(bars_);
  }

 private:
  void finish() {
    if (run_.spans == 0) return;
    run_.kind = static_cast<SpanKind>(std::max_element(seconds_.begin(), seconds_.end()) - seconds_.begin());
    const bool continues = !bars_.empty() && bars_.back().kind == run_.kind && bars_.back().span == nullptr &&
                           run_.begin - bars_.back().end < resolution_;
    if (continues) {
      bars_.back().end = std::max(bars_.back().end, run_.end);
      bars_.back().spans += run_.spans;
    } else {
      bars_.push_back(run_);
    }
    run_ = {.spans = 0};
    seconds_ = {};
  }

  double resolution_;
  std::vector<Bar> bars_;
  Bar run_{.spans = 0};                                       // run of short spans, not finished
  std::array<double, timeline::all_kinds.size()> seconds_{};  // seconds of the run, by kind
};

}  // namespace

std::vector<Bar> bars_of(const Lane& lane, double resolution) {
  std::array<BarRow, 5> rows{BarRow(resolution), BarRow(resolution), BarRow(resolution), BarRow(resolution),
                             BarRow(resolution)};
  for (const Span& span : lane) {
    if (span.end > span.begin) rows[row_of(span.kind)].take(span);
  }
  std::vector<Bar> bars;
  for (BarRow& row : rows) {
    const std::vector<Bar> found = row.bars();
    bars.insert(bars.end(), found.begin(), found.end());
  }
  return bars;
}

std::string words_of(const Bar& bar) {
  if (bar.span != nullptr) return words_of(*bar.span);
  return fmt::format("{} short spans, {} for the most part", bar.spans, name_of(bar.kind));
}

std::vector<CriticalStretch> stretches_of(const timeline::Timeline& timeline,
                                          const std::vector<timeline::CriticalSpan>& path, double resolution) {
  std::vector<CriticalStretch> found;
  std::map<std::pair<int, SpanKind>, double> seconds;
  double begin = -1;
  double end = 0;
  const auto finish = [&] {
    if (seconds.empty()) return;
    const auto most = std::max_element(seconds.begin(), seconds.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    found.push_back({most->first.first, most->first.second, begin, end});
    seconds.clear();
    begin = -1;
  };
  for (const timeline::CriticalSpan& at : path) {
    const Span& span = timeline.lanes[static_cast<std::size_t>(at.rank)][at.span];
    const double from = critical_begin(span);
    if (span.end - from >= resolution || from - begin >= resolution) finish();
    if (begin < 0) begin = from;
    end = std::max(end, span.end);
    seconds[{at.rank, span.kind}] += span.end - from;
    if (end - begin >= resolution) finish();
  }
  finish();
  return found;
}

}  // namespace tutti::draw
