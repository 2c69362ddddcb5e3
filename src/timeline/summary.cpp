#include "timeline/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/units.hpp"
#include "timeline/analysis.hpp"

namespace tutti::timeline {
namespace {

constexpr std::size_t most_ranks_named = 12;
constexpr std::size_t most_waits_named = 3;

std::string text_of_time(double seconds) { return text_of(Seconds{seconds}); }

// "ranks 0, 4, 5": each as the path comes to it.
std::string way_of(const std::vector<CriticalSpan>& path) {
  std::vector<int> ranks;
  for (const CriticalSpan& at : path) {
    if (ranks.empty() || ranks.back() != at.rank) ranks.push_back(at.rank);
  }
  if (ranks.size() == 1) return fmt::format("on rank {}", ranks.front());
  const bool whole = ranks.size() <= most_ranks_named;
  if (!whole) ranks.resize(most_ranks_named);
  return fmt::format("over ranks {}{}", fmt::join(ranks, ", "), whole ? "" : ", …");
}

// A message is the same time at its sender and its receiver.
std::string path_in_words(const Timeline& timeline) {
  const std::vector<CriticalSpan> path = critical_path(timeline);
  if (path.empty()) return {};
  const std::vector<double> seconds = seconds_by_kind(timeline, path);
  std::vector<std::string> parts;
  for (const SpanKind kind : all_kinds) {
    const double part = seconds[static_cast<std::size_t>(kind)];
    if (part > 0) parts.push_back(fmt::format("{} {}", name_of(kind), text_of_time(part)));
  }
  // Within calls that trace nothing, and before the first that does.
  constexpr double least_told = 0.01;
  const double untold = timeline.seconds - std::accumulate(seconds.begin(), seconds.end(), 0.0);
  if (untold > least_told * timeline.seconds) parts.push_back(fmt::format("untraced {}", text_of_time(untold)));
  if (parts.empty()) return {};
  return fmt::format("Critical path {}: {}", way_of(path), fmt::join(parts, ", "));
}

// The ranks that entered their first call after others had, the latest first, where they computed until then.
std::string late_in_words(const Timeline& timeline) {
  std::vector<std::pair<double, int>> late;
  for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
    const Lane& lane = timeline.lanes[rank];
    const auto first =
        std::find_if(lane.begin(), lane.end(), [](const Span& span) { return span.kind == SpanKind::call; });
    if (first == lane.end() || first->begin <= 0) continue;
    const bool computes = std::any_of(lane.begin(), lane.end(), [&](const Span& span) {
      return span.kind == SpanKind::compute && span.begin <= 0 && span.end >= first->begin;
    });
    if (computes) late.emplace_back(first->begin, static_cast<int>(rank));
  }
  std::stable_sort(late.begin(), late.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> named;
  for (const auto& [seconds, rank] : late) {
    if (named.size() == most_ranks_named) break;
    named.push_back(fmt::format("rank {} by {}", rank, text_of_time(seconds)));
  }
  const std::string_view more = named.size() < late.size() ? ", …" : "";
  return named.empty() ? std::string() : fmt::format("Late: {}{}", fmt::join(named, ", "), more);
}

// "Phases: reduce-scatter 0 to 3us, all-gather 2us to 6us": from the first rank that came to it to the last that left
// it, where the ranks were in one call.
std::string phases_in_words(const Timeline& timeline) {
  constexpr std::size_t most_phases_named = 8;
  struct Extent {
    std::string_view name;
    double begin = 0;
    double end = 0;
  };
  std::vector<Extent> phases;
  for (const Lane& lane : timeline.lanes) {
    int calls = 0;
    for (const Span& span : lane) {
      if (span.kind == SpanKind::call && ++calls > 1) return {};
      if (span.kind != SpanKind::phase) continue;
      const auto same = [&](const Extent& known) { return known.name == span.text; };
      const auto known = std::find_if(phases.begin(), phases.end(), same);
      if (known == phases.end()) {
        phases.push_back({span.text, span.begin, span.end});
      } else {
        *known = {span.text, std::min(known->begin, span.begin), std::max(known->end, span.end)};
      }
    }
  }
  std::stable_sort(phases.begin(), phases.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  std::vector<std::string> named;
  for (const Extent& phase : phases) {
    if (named.size() == most_phases_named) break;
    const std::string begin = phase.begin == 0 ? "0" : text_of_time(phase.begin);
    named.push_back(fmt::format("{} {} to {}", phase.name, begin, text_of_time(phase.end)));
  }
  const std::string_view more = named.size() < phases.size() ? ", …" : "";
  return named.empty() ? std::string() : fmt::format("Phases: {}{}", fmt::join(named, ", "), more);
}

}  // namespace

std::vector<std::string> summary_of(const Timeline& timeline) {
  std::vector<std::string> lines;
  const std::size_t ranks = timeline.lanes.size();
  lines.push_back(fmt::format("{}, {}, {}", counted(static_cast<std::int64_t>(ranks), "rank"),
                              counted(static_cast<std::int64_t>(timeline.messages.size()), "message"),
                              text_of_time(timeline.seconds)));
  if (std::string path = path_in_words(timeline); !path.empty()) lines.push_back(std::move(path));
  if (std::string phases = phases_in_words(timeline); !phases.empty()) lines.push_back(std::move(phases));
  if (std::string late = late_in_words(timeline); !late.empty()) lines.push_back(std::move(late));
  const std::vector<WaitTotal> waits = waits_of(timeline);
  std::vector<std::string> named;
  for (std::size_t k = 0; k < std::min(waits.size(), most_waits_named) && waits[k].seconds > 0; ++k) {
    const int cause = cause_of(timeline, waits[k]);
    const std::string held_up = cause == waits[k].peer ? "" : fmt::format(" (held up by {})", cause);
    named.push_back(
        fmt::format("rank {} {} for {}{}", waits[k].rank, text_of_time(waits[k].seconds), waits[k].peer, held_up));
  }
  if (!named.empty()) lines.push_back(fmt::format("Longest waits: {}", fmt::join(named, ", ")));
  if (!timeline.note.empty()) lines.push_back(timeline.note);
  return lines;
}

}  // namespace tutti::timeline
