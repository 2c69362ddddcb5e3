#include "draw/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/svg.hpp"
#include "draw/timeline/timeline_bars.hpp"
#include "draw/timeline/timeline_selection.hpp"
#include "draw/timeline/timeline_signs.hpp"
#include "draw/timeline/timeline_steps.hpp"
#include "timeline/analysis.hpp"
#include "timeline/summary.hpp"

namespace tutti::draw {
namespace {

using timeline::CriticalSpan;
using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;
using timeline::SpanRow;
using timeline::Timeline;

constexpr std::string_view grid_color = "#dddddd";
constexpr std::string_view ink = "#222222";

constexpr double text_size = 12;
constexpr double small_size = 10;
constexpr double title_size = 16;
constexpr double margin = 16;
constexpr double width = 1100;  // width of the lanes
constexpr double line_height = 18;
constexpr double strip_height = 13;  // height of calls, and of phases
constexpr double lane_gap = 6;       // between lanes

// In seconds.
double pixel(const Timeline& timeline) { return timeline.seconds / width; }

/// One picture while it is drawn.
class TimelinePicture {
 public:
  TimelinePicture(const Timeline& timeline, TimelineSelection selection)
      : timeline_(timeline),
        selection_(std::move(selection)),
        path_(critical_path(timeline)),
        summary_(summary_of(timeline)),
        row_height_(selection_.lanes <= 16   ? 13
                    : selection_.lanes <= 32 ? 9
                                             : 6),
        phases_(timeline),
        has_strip_(has_strip()),
        left_(margin + width_of(fmt::format("rank {}", timeline.lanes.size()), text_size) + 8),
        step_ends_(step_ends(timeline)),
        top_(margin + 28 + line_height * static_cast<double>(lines_above()) + 50 +
             (step_ends_.empty() ? 0 : steps_height)),
        svg_(picture_width(), top_ + height_of_lanes() + margin, timeline.title) {}

  std::string draw() {
    draw_head();
    draw_axis();
    draw_step_numbers(svg_, step_marks());
    for (std::size_t rank = 0; rank < selection_.lanes; ++rank) draw_lane(rank);
    draw_step_ends(svg_, step_marks());
    draw_arrows();
    draw_path();
    draw_labels(svg_, labels_, small_size);  // last, so that nothing crosses them
    return svg_.str();
  }

 private:
  bool has_strip() const {
    return std::any_of(timeline_.lanes.begin(), timeline_.lanes.end(), [](const Lane& lane) {
      return std::count_if(lane.begin(), lane.end(), [](const Span& span) { return span.kind == SpanKind::call; }) > 1;
    });
  }

  std::size_t lines_above() const { return summary_.size() + selection_.notes.size(); }

  double picture_width() const {
    double needed = left_ + width + 2 * margin;
    const auto take = [&](const std::string& text, double size, Weight weight) {
      needed = std::max(needed, left_ + width_of(text, size, weight) + margin);
    };
    take(timeline_.title, title_size, Weight::bold);
    for (const std::string& line : summary_) take(line, text_size, Weight::regular);
    return needed;
  }

  double strips_height() const { return strip_height * ((has_strip_ ? 1 : 0) + (phases_.empty() ? 0 : 1)); }
  double lane_height() const { return strips_height() + 3 * row_height_; }
  double height_of_lanes() const { return static_cast<double>(selection_.lanes) * (lane_height() + lane_gap); }
  double x(double seconds) const { return left_ + width * seconds / timeline_.seconds; }
  double lane_top(std::size_t rank) const { return top_ + static_cast<double>(rank) * (lane_height() + lane_gap); }

  // The upper edge of the row where spans of this kind lie.
  double row_top(std::size_t rank, SpanKind kind) const {
    static constexpr std::array<int, 3> order{1, 0, 2};  // by group: work between sends and receives
    const auto group = static_cast<std::size_t>(timeline::group_of(kind));
    return lane_top(rank) + strips_height() + order[group] * row_height_;
  }
  double row_middle(std::size_t rank, SpanKind kind) const { return row_top(rank, kind) + row_height_ / 2; }

  void draw_head() {
    svg_.text({left_, margin + title_size}, timeline_.title, {.size = title_size, .bold = true});
    double y = margin + 28 + text_size;
    for (const auto* lines : {&summary_, &selection_.notes}) {
      for (const std::string& line : *lines) {
        svg_.text({left_, y}, line, {.size = text_size});
        y += line_height;
      }
    }
    draw_key(svg_, timeline_, phases_, {left_, y}, text_size);
  }

  StepMarks step_marks() const {
    return {step_ends_, timeline_.seconds, left_, width, top_, top_ + height_of_lanes() - lane_gap / 2};
  }

  void draw_axis() {
    const double bottom = top_ + height_of_lanes() - lane_gap / 2;
    const double axis = top_ - (step_ends_.empty() ? 0 : steps_height);
    for (const double mark : even_marks(timeline_.seconds)) {
      svg_.line({x(mark), axis - 6}, {x(mark), bottom}, {.color = grid_color});
      const std::string text = mark == 0 ? "0" : text_of(Seconds{mark});
      svg_.text({x(mark), axis - 10}, text, {.size = small_size, .anchor = Anchor::middle});
    }
  }

  void draw_lane(std::size_t rank) {
    svg_.begin_group("lane");
    const double middle = lane_top(rank) + lane_height() / 2;
    svg_.text({left_ - 8, middle + text_size / 3}, fmt::format("rank {}", rank),
              {.size = std::min(text_size, lane_height() - 1), .anchor = Anchor::end});
    for (const Bar& bar : bars_of(timeline_.lanes[rank], selection_.resolution)) draw_bar(rank, bar);
    svg_.end_group();
  }

  void draw_bar(std::size_t rank, const Bar& bar) {
    svg_.begin_group(name_of(bar.kind), selection_.tips ? tip_of(bar) : std::string());
    const double from = x(bar.begin);
    const double wide = x(bar.end) - from;
    if (bar.kind == SpanKind::call) {
      svg_.rectangle({from, lane_top(rank)}, wide, lane_height(), fill_of(SpanKind::call));
      if (has_strip_ && bar.span != nullptr) label(*bar.span, {from, lane_top(rank)}, wide);
    } else if (bar.kind == SpanKind::phase) {
      draw_phase(bar, {from, lane_top(rank) + strips_height() - strip_height}, wide);
    } else if (bar.kind == SpanKind::wait) {
      draw_wait(rank, bar, from, from + wide);
    } else {
      // Thin gaps keep neighbours apart; what is short stays visible.
      const double drawn = wide > 3 ? wide - 0.6 : std::max(wide, 0.4);
      svg_.rectangle({from, row_top(rank, bar.kind)}, drawn, row_height_, fill_of(bar.kind));
      if (bar.span != nullptr) name_peer(rank, *bar.span, from, from + wide);
    }
    svg_.end_group();
  }

  static std::string tip_of(const Bar& bar) {
    std::string text = words_of(bar);
    if (bar.span != nullptr && bar.span->bytes > 0) text += fmt::format(", {}", text_of(Bytes{bar.span->bytes}));
    return fmt::format("{}: {} from {}", text, text_of(Seconds{bar.end - bar.begin}), text_of(Seconds{bar.begin}));
  }

  void draw_phase(const Bar& bar, Point corner, double wide) {
    const double drawn = wide > 3 ? wide - 0.6 : wide;
    svg_.rectangle(corner, drawn, strip_height,
                   bar.span != nullptr ? phases_.fill_of(bar.span->text) : fill_of(SpanKind::phase));
    if (bar.span != nullptr) label(*bar.span, corner, wide);
  }

  // Above what happens in the call or the phase, where there is room for it beside the one before.
  void label(const Span& span, Point corner, double wide) {
    const Point at{corner.x + 2, corner.y + small_size};
    const double needed = width_of(span.text, small_size);
    const bool follows = !labels_.empty() && labels_.back().at.y == at.y && at.x < labels_.back().right + 4;
    if (needed + 4 <= wide && !follows) labels_.push_back({at, at.x + needed, span.text, Anchor::start});
  }

  void draw_wait(std::size_t rank, const Bar& bar, double from, double to) {
    const double y = row_middle(rank, SpanKind::wait);
    draw_wait_sign(svg_, from, to, y);
    if (bar.span == nullptr || bar.span->peer < 0 || row_height_ < 9) return;
    const int peer = bar.span->peer;
    for (const std::string& text : {fmt::format("for {}", peer), fmt::format("{}", peer)}) {
      if (width_of(text, small_size) + 6 > to - from) continue;
      labels_.push_back({{(from + to) / 2, y + small_size / 3}, to, text, Anchor::middle});
      return;
    }
  }

  // Names to whom a message goes, or from whom it comes.
  void name_peer(std::size_t rank, const Span& span, double from, double to) {
    const std::string text = row_height_ < 9 ? "" : peer_in(span, to - from, small_size);
    if (text.empty()) return;
    const bool dark = span.kind == SpanKind::send;
    labels_.push_back({{(from + to) / 2, row_middle(rank, span.kind) + small_size / 3},
                       to,
                       text,
                       Anchor::middle,
                       dark ? "#ffffff" : ink,
                       !dark});
  }

  bool is_shown(int rank) const { return rank >= 0 && static_cast<std::size_t>(rank) < selection_.lanes; }

  void draw_arrows() {
    svg_.begin_group("messages");
    for (const timeline::MessageSpan* message : messages_with_arrows(timeline_, selection_, path_)) {
      draw_message(svg_, {x(message->begin), row_middle(static_cast<std::size_t>(message->from), SpanKind::send)},
                   {x(message->end), row_middle(static_cast<std::size_t>(message->to), SpanKind::receive)});
    }
    svg_.end_group();
  }

  // In stretches that are long enough for the line not to become a band.
  std::vector<CriticalStretch> drawn_path() const {
    constexpr std::size_t most = 150;
    double resolution = 2 * pixel(timeline_);
    std::vector<CriticalStretch> drawn = stretches_of(timeline_, path_, resolution);
    while (drawn.size() > most) drawn = stretches_of(timeline_, path_, resolution *= 1.5);
    return drawn;
  }

  // One line through all its spans, broken where it leaves the ranks that are shown.
  void draw_path() {
    svg_.begin_group("critical-path", "critical path");
    std::vector<Point> points;
    const auto stroke = [&] {
      if (points.size() > 1) {
        svg_.polyline(points, {.color = "#ffffff", .width = 4.5});
        svg_.polyline(points, {.color = "#000000", .width = 2});
      }
      points.clear();
    };
    for (const CriticalStretch& stretch : drawn_path()) {
      if (!is_shown(stretch.rank)) {
        stroke();
        continue;
      }
      const double y = row_middle(static_cast<std::size_t>(stretch.rank), stretch.kind);
      points.push_back({x(stretch.begin), y});
      points.push_back({x(stretch.end), y});
    }
    stroke();
    svg_.end_group();
  }

  const Timeline& timeline_;
  TimelineSelection selection_;
  std::vector<CriticalSpan> path_;
  std::vector<std::string> summary_;
  double row_height_;
  PhaseGrounds phases_;
  bool has_strip_;
  double left_;
  std::vector<double> step_ends_;
  double top_;
  std::vector<TimelineLabel> labels_;
  Svg svg_;
};

}  // namespace

TimelineDrawing drawing_of(const Timeline& timeline) {
  constexpr double shortest = 1e-15;  // traces hold picoseconds
  require(timeline.seconds >= shortest, "the timeline '{}' takes no time: there is nothing to draw", timeline.title);
  TimelineSelection selection = selection_of(timeline, pixel(timeline));
  TimelineDrawing drawing{.notes = selection.notes};
  drawing.svg = TimelinePicture(timeline, std::move(selection)).draw();
  return drawing;
}

}  // namespace tutti::draw
