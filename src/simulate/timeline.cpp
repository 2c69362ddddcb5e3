#include "simulate/timeline.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tutti {
namespace {

using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;

/// Turns messages into spans of both sides, then finds out what each of them came after.
class TimelineBuilder {
 public:
  TimelineBuilder(const Simulation& simulation, const SimulationOptions& options)
      : simulation_(simulation), options_(options), slack_(simulation.seconds * 1e-9) {
    result_.lanes.resize(simulation.finished.size());
    releases_.resize(simulation.finished.size());
  }

  timeline::Timeline build(std::string call) {
    add_messages();
    add_combinations();
    note_ends();
    explain_messages();
    for (int rank = 0; rank < static_cast<int>(result_.lanes.size()); ++rank) finish_lane(rank, call);
    result_.title = std::move(call);
    timeline::put_in_order(result_);
    return std::move(result_);
  }

 private:
  struct End {
    double time = 0;
    int rank = 0;
  };
  struct Release {
    double time = 0;
    int receiver = 0;
  };

  Lane& lane(int rank) { return result_.lanes[static_cast<std::size_t>(rank)]; }
  std::vector<Release>& releases(int rank) { return releases_[static_cast<std::size_t>(rank)]; }

  void add_messages() {
    for (const TimelineMessage& m : simulation_.timeline) {
      result_.messages.push_back({.from = m.from, .to = m.to, .bytes = m.bytes, .begin = m.begin, .end = m.end});
      Span side{.kind = SpanKind::send,
                .begin = m.begin,
                .end = m.end,
                .peer = m.to,
                .bytes = m.bytes,
                .message = result_.messages.size()};
      lane(m.from).push_back(side);
      side.kind = SpanKind::receive;
      side.peer = m.from;
      lane(m.to).push_back(side);
      if (m.released > m.end) releases(m.from).push_back({m.released, m.to});
    }
  }

  void add_combinations() {
    for (const TimelineCombination& c : simulation_.combinations) {
      lane(c.rank).push_back({.kind = SpanKind::reduce, .begin = c.begin, .end = c.end});
    }
  }

  void note_ends() {
    own_ends_.resize(result_.lanes.size());
    for (int rank = 0; rank < static_cast<int>(result_.lanes.size()); ++rank) {
      std::vector<double>& own = own_ends_[static_cast<std::size_t>(rank)];
      for (const Span& span : lane(rank)) {
        ends_.push_back({span.end, rank});
        own.push_back(span.end);
      }
      std::sort(own.begin(), own.end());
    }
    std::sort(ends_.begin(), ends_.end(),
              [](const End& a, const End& b) { return a.time != b.time ? a.time < b.time : a.rank < b.rank; });
  }

  bool ends_at(int rank, double time) const {
    const std::vector<double>& own = own_ends_[static_cast<std::size_t>(rank)];
    const auto found = std::lower_bound(own.begin(), own.end(), time - slack_);
    return found != own.end() && *found <= time + slack_;
  }

  // Any rank that ends something then: in rounds all wait for the slowest. -1: none.
  int who_ends_at(double time) const {
    const auto found = std::lower_bound(ends_.begin(), ends_.end(), time - slack_,
                                        [](const End& end, double t) { return end.time < t; });
    return found != ends_.end() && found->time <= time + slack_ ? found->rank : -1;
  }

  double start_of(int rank) const {
    return options_.skew.empty() ? 0 : options_.skew[static_cast<std::size_t>(rank)].start;
  }

  // Whether a rank sends that message late because it was to begin then, and not because it waited for anybody.
  bool begins_by_itself(int rank, const Span& span) const {
    return span.kind == SpanKind::send && span.message != 0 && span.after == rank &&
           simulation_.timeline[span.message - 1].send_posted >= span.begin - slack_;
  }

  // When the rank, whose spans are in order, begins.
  double beginning_of(int rank) {
    const bool is_late = !lane(rank).empty() && begins_by_itself(rank, lane(rank).front());
    return is_late ? lane(rank).front().begin : start_of(rank);
  }

  // Whether the rank came to a step then: from another one, or as its first.
  bool comes_at(int rank, double time) const {
    if (time <= start_of(rank) + slack_ || ends_at(rank, time)) return true;
    const std::vector<Release>& mine = releases_[static_cast<std::size_t>(rank)];
    return std::any_of(mine.begin(), mine.end(),
                       [&](const Release& release) { return std::abs(release.time - time) <= slack_; });
  }

  // The rank that came last; or, where both were there before, the one whose port was busy; or who ended the round.
  int cause_of(const TimelineMessage& m) const {
    const int late = m.send_posted >= m.receive_posted ? m.from : m.to;
    if (std::max(m.send_posted, m.receive_posted) >= m.begin - slack_ && comes_at(late, m.begin)) return late;
    for (const int rank : {m.from, m.to}) {
      if (ends_at(rank, m.begin)) return rank;
    }
    const int other = who_ends_at(m.begin);
    return other < 0 ? late : other;
  }

  void explain_messages() {
    causes_.reserve(simulation_.timeline.size());
    for (const TimelineMessage& m : simulation_.timeline) causes_.push_back(cause_of(m));
    for (Lane& each : result_.lanes) {
      for (Span& span : each) {
        if (span.message == 0) continue;
        span.after = causes_[span.message - 1];
        span.since = span.begin;
      }
    }
  }

  void finish_lane(int rank, const std::string& call) {
    std::stable_sort(lane(rank).begin(), lane(rank).end(),
                     [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::stable_sort(releases(rank).begin(), releases(rank).end(),
                     [](const Release& a, const Release& b) { return a.time < b.time; });
    const auto at = static_cast<std::size_t>(rank);
    const double start = beginning_of(rank);
    const double end = std::max(start, simulation_.finished[at]);
    add_waits(rank, start, end);
    add_phases(rank, end);
    if (start > 0) lane(rank).push_back({.kind = SpanKind::compute, .begin = 0, .end = start});
    lane(rank).push_back({.kind = SpanKind::call, .begin = start, .end = end, .text = call});
  }

  void add_waits(int rank, double cursor, double end) {
    Lane waits;
    auto release = releases(rank).begin();
    const auto fill = [&](double until, const Span* next) {
      for (; release != releases(rank).end() && release->time <= until + slack_; ++release) {
        if (release->time > cursor + slack_) waits.push_back(wait(rank, cursor, release->time, release->receiver));
        cursor = std::max(cursor, release->time);
      }
      if (until <= cursor + slack_ || (next != nullptr && begins_by_itself(rank, *next))) return;
      const int after = next != nullptr ? next->after : who_ends_at(until);
      const int peer = next != nullptr && (after < 0 || after == rank) ? next->peer : after;
      waits.push_back(wait(rank, cursor, until, peer));
      waits.back().after = after;
      if (next != nullptr) waits.back().message = next->message;
    };
    for (const Span& span : lane(rank)) {
      fill(span.begin, &span);
      cursor = std::max(cursor, span.end);
    }
    fill(end, nullptr);
    lane(rank).insert(lane(rank).end(), waits.begin(), waits.end());
  }

  // A phase lasts until the rank's next one; one in which it has nothing to do is none.
  void add_phases(int rank, double end) {
    const auto of_rank = [](const TimelinePhase& phase, int r) { return phase.rank < r; };
    auto phase = std::lower_bound(simulation_.phases.begin(), simulation_.phases.end(), rank, of_rank);
    while (phase != simulation_.phases.end() && phase->rank == rank) {
      const auto next = std::next(phase);
      const bool is_last = next == simulation_.phases.end() || next->rank != rank;
      const double until = is_last ? end : next->begin;
      if (!phase->name.empty() && until > phase->begin + slack_)
        lane(rank).push_back(
            {.kind = SpanKind::phase, .begin = phase->begin, .end = until, .text = std::string(phase->name)});
      phase = next;
    }
  }

  static Span wait(int rank, double begin, double end, int peer) {
    return {.kind = SpanKind::wait,
            .begin = begin,
            .end = end,
            .peer = peer == rank ? -1 : peer,
            .after = peer,
            .since = end};
  }

  const Simulation& simulation_;
  const SimulationOptions& options_;
  const double slack_;
  timeline::Timeline result_;
  std::vector<std::vector<Release>> releases_;  // by sender
  std::vector<std::vector<double>> own_ends_;   // by rank
  std::vector<End> ends_;                       // ends of all ranks
  std::vector<int> causes_;                     // by message
};

}  // namespace

timeline::Timeline timeline_of(const Simulation& simulation, const SimulationOptions& options, std::string call) {
  require(simulation.messages == static_cast<std::int64_t>(simulation.timeline.size()),
          "a timeline needs a simulation that kept its messages, not {} of {}", simulation.timeline.size(),
          simulation.messages);
  return TimelineBuilder(simulation, options).build(std::move(call));
}

}  // namespace tutti
