#include "draw/timeline/timeline_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tutti::draw {
namespace {

constexpr double step_letters = 10;

}  // namespace

std::vector<double> step_ends(const timeline::Timeline& timeline) {
  constexpr std::size_t most = 64;
  std::vector<std::pair<double, double>> ways;
  for (const timeline::MessageSpan& message : timeline.messages) ways.emplace_back(message.begin, message.end);
  std::sort(ways.begin(), ways.end());
  const double slack = 1e-9 * timeline.seconds;
  std::vector<double> ends;
  double until = ways.empty() ? 0 : ways.front().second;
  for (const auto& [begin, end] : ways) {
    if (begin >= until - slack && end > until + slack) ends.push_back(until);
    until = std::max(until, end);
  }
  return ends.size() <= most ? ends : std::vector<double>{};
}

void draw_step_numbers(Svg& svg, const StepMarks& marks) {
  double begin = 0;
  for (std::size_t step = 0; step <= marks.ends.size() && !marks.ends.empty(); ++step) {
    const double end = step < marks.ends.size() ? marks.ends[step] : marks.seconds;
    for (const std::string& text : {fmt::format("step {}", step + 1), fmt::format("{}", step + 1)}) {
      if (width_of(text, step_letters, Weight::bold) + 6 > marks.x(end) - marks.x(begin)) continue;
      svg.text({(marks.x(begin) + marks.x(end)) / 2, marks.top - 7}, text,
               {.size = step_letters, .anchor = Anchor::middle, .bold = true});
      break;
    }
    begin = end;
  }
}

void draw_step_ends(Svg& svg, const StepMarks& marks) {
  if (marks.ends.empty()) return;
  svg.begin_group("steps", "ends of steps");
  for (const double end : marks.ends)
    svg.line({marks.x(end), marks.top - steps_height}, {marks.x(end), marks.bottom},
             {.color = "#333333", .dashes = "5 3"});
  svg.end_group();
}

std::string peer_in(const timeline::Span& span, double width, double size) {
  using timeline::SpanKind;
  if (span.peer < 0 || (span.kind != SpanKind::send && span.kind != SpanKind::receive)) return {};
  for (std::string text :
       {fmt::format("{} {}", span.kind == SpanKind::send ? "to" : "from", span.peer), fmt::format("{}", span.peer)}) {
    if (width_of(text, size) + 6 <= width) return text;
  }
  return {};
}

}  // namespace tutti::draw
