#include "timeline/analysis.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace tutti::timeline {
namespace {

/// Walks back from the end.
class CriticalPathWalk {
 public:
  explicit CriticalPathWalk(const Timeline& timeline)
      : timeline_(timeline), slack_(timeline.seconds * 1e-9), by_end_(timeline.lanes.size()) {
    for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) sort_by_end(static_cast<int>(rank));
  }

  std::vector<CriticalSpan> path() { return path_to(last_rank(), timeline_.seconds); }

  // The spans that decided what the rank could do at that time.
  std::vector<CriticalSpan> path_to(int rank, double until) {
    std::vector<CriticalSpan> found;
    while (rank >= 0) {
      const auto next = take_before(rank, until);
      if (!next) break;
      const Span& span = lane(rank)[*next];
      found.push_back({rank, *next});
      if (span.after >= 0 && span.after < static_cast<int>(timeline_.lanes.size())) {
        rank = span.after;
        until = span.since;
      } else {
        until = span.begin;
      }
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  const Lane& lane(int rank) const { return timeline_.lanes[static_cast<std::size_t>(rank)]; }
  std::vector<std::size_t>& by_end(int rank) { return by_end_[static_cast<std::size_t>(rank)]; }

  void sort_by_end(int rank) {
    for (std::size_t k = 0; k < lane(rank).size(); ++k) {
      if (!holds_spans(lane(rank)[k].kind)) by_end(rank).push_back(k);
    }
    // Among spans that end together the one that begins last is the nearest cause.
    std::stable_sort(by_end(rank).begin(), by_end(rank).end(), [&](std::size_t a, std::size_t b) {
      const Span& x = lane(rank)[a];
      const Span& y = lane(rank)[b];
      return x.end != y.end ? x.end < y.end : x.begin < y.begin;
    });
  }

  int last_rank() {
    int last = -1;
    double end = -1;
    for (int rank = 0; rank < static_cast<int>(timeline_.lanes.size()); ++rank) {
      if (by_end(rank).empty()) continue;
      const double mine = lane(rank)[by_end(rank).back()].end;
      if (mine > end + slack_) {
        last = rank;
        end = mine;
      }
    }
    return last;
  }

  // The span that ends last, but not after `until`; it and all that end later are not found again on this rank, because
  // the path only goes back.
  std::optional<std::size_t> take_before(int rank, double until) {
    std::vector<std::size_t>& spans = by_end(rank);
    const auto end = std::upper_bound(spans.begin(), spans.end(), until + slack_,
                                      [&](double time, std::size_t k) { return time < lane(rank)[k].end; });
    spans.erase(end, spans.end());
    if (spans.empty()) return std::nullopt;
    const std::size_t found = spans.back();
    spans.pop_back();
    return found;
  }

  const Timeline& timeline_;
  double slack_;
  std::vector<std::vector<std::size_t>> by_end_;  // spans of each rank that may still be on the path
};

constexpr double half = 0.5 * (1 - 1e-9);

// The rank whose own work let everybody on the way wait, if it began with the others so late that this is half of the
// wait. What is late reaches a rank over others, and long after: their waits say little of whom it was.
std::optional<int> latecomer(const Timeline& timeline, const WaitTotal& waiting, const Span& wait) {
  const auto works_until = [&](int rank, double time) {
    double end = 0;
    for (const Span& span : timeline.lanes[static_cast<std::size_t>(rank)]) {
      if (span.kind == SpanKind::compute && span.end <= time) end = std::max(end, span.end);
    }
    return end;
  };
  const std::vector<CriticalSpan> path = CriticalPathWalk(timeline).path_to(waiting.rank, wait.end);
  const auto work = std::find_if(path.rbegin(), path.rend(), [&](const CriticalSpan& at) {
    return timeline.lanes[static_cast<std::size_t>(at.rank)][at.span].kind == SpanKind::compute;
  });
  if (work == path.rend() || work->rank == waiting.rank) return std::nullopt;
  const double end = timeline.lanes[static_cast<std::size_t>(work->rank)][work->span].end;
  const double late = end - works_until(waiting.rank, wait.begin);
  return late >= half * (wait.end - wait.begin) ? std::optional(work->rank) : std::nullopt;
}

}  // namespace

std::vector<CriticalSpan> critical_path(const Timeline& timeline) { return CriticalPathWalk(timeline).path(); }

double critical_begin(const Span& span) { return span.after < 0 ? span.begin : std::max(span.begin, span.since); }

std::vector<WaitTotal> waits_of(const Timeline& timeline) {
  std::map<std::pair<int, int>, WaitTotal> sums;
  for (int rank = 0; rank < static_cast<int>(timeline.lanes.size()); ++rank) {
    const Lane& lane = timeline.lanes[static_cast<std::size_t>(rank)];
    for (std::size_t k = 0; k < lane.size(); ++k) {
      const Span& span = lane[k];
      if (span.kind != SpanKind::wait || span.peer < 0) continue;
      WaitTotal& sum = sums.try_emplace({rank, span.peer}, WaitTotal{rank, span.peer, 0, 0, k}).first->second;
      sum.seconds += span.end - span.begin;
      ++sum.times;
      if (span.end - span.begin > lane[sum.longest].end - lane[sum.longest].begin) sum.longest = k;
    }
  }
  std::vector<WaitTotal> result;
  for (const auto& [pair, sum] : sums) result.push_back(sum);
  std::stable_sort(result.begin(), result.end(),
                   [](const WaitTotal& a, const WaitTotal& b) { return a.seconds > b.seconds; });
  return result;
}

int cause_of(const Timeline& timeline, const WaitTotal& waiting) {
  const Span& longest = timeline.lanes[static_cast<std::size_t>(waiting.rank)][waiting.longest];
  if (const auto late = latecomer(timeline, waiting, longest)) return *late;
  // Follows, on each rank of the way, the wait that filled half of the one before it: lateness reaches ranks one after
  // the other.
  const Span* wait = &longest;
  int cause = waiting.peer;
  for (std::size_t hops = 0; hops < timeline.lanes.size(); ++hops) {
    if (cause < 0 || static_cast<std::size_t>(cause) >= timeline.lanes.size()) break;
    const Lane& lane = timeline.lanes[static_cast<std::size_t>(cause)];
    const auto waits_meanwhile = [&](const Span& span) {
      const double together = std::min(span.end, wait->end) - std::max(span.begin, wait->begin);
      return span.kind == SpanKind::wait && span.peer >= 0 && together >= half * (wait->end - wait->begin);
    };
    const auto found = std::find_if(lane.begin(), lane.end(), waits_meanwhile);
    if (found == lane.end() || found->peer == waiting.rank) break;
    wait = &*found;
    cause = found->peer;
  }
  return cause;
}

std::vector<double> seconds_by_kind(const Timeline& timeline, const std::vector<CriticalSpan>& path) {
  std::vector<double> seconds(all_kinds.size());
  for (const CriticalSpan& at : path) {
    const Span& span = timeline.lanes[static_cast<std::size_t>(at.rank)][at.span];
    seconds[static_cast<std::size_t>(span.kind)] += span.end - critical_begin(span);
  }
  return seconds;
}

}  // namespace tutti::timeline
