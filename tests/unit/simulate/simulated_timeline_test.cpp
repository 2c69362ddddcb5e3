/// @file
/// Timelines of simulations: complete, without gaps, and explained by a path as long as the simulation.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "simulate/timeline.hpp"
#include "support/sanitizers.hpp"
#include "timeline/analysis.hpp"
#include "timeline/chrome_trace.hpp"
#include "topology/formats/named.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using timeline::CriticalSpan;
using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;
using timeline::Timeline;

constexpr double precision = 1e-9;

Problem problem_for(const Algorithm& algorithm, int ranks) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 24 * ranks, .distance = 3};
  if (has_root(algorithm.collective)) problem.root = ranks / 3;
  if (algorithm.collective == Collective::barrier) problem.count = 0;
  return problem;
}

using See = std::function<void(const Simulation&, const Timeline&)>;

void for_each_timeline(const Topology& network, const Machine& machine, SimulationOptions options, const See& see) {
  options.timeline = true;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const Problem problem = problem_for(*algorithm, network.ranks());
    if (unmet_need(*algorithm, problem)) continue;
    SCOPED_TRACE(::testing::Message() << name_of(algorithm->collective) << ' ' << algorithm->name << " on "
                                      << network.name() << ", " << name_of(options.engine));
    Workload workload(*algorithm, problem, 1);
    const Simulation simulation = simulate(workload, network, machine, options);
    see(simulation, timeline_of(simulation, options, "call"));
  }
}

void for_each_network(const See& see) {
  test::Sample sample;
  for (const char* words : {"full:1", "full:2", "full:5", "full:8", "ring:6", "torus:3x4", "hypercube:4", "tree:8"}) {
    const TopologyPtr network = topology_named(words);
    for (const Engine engine : {Engine::flows, Engine::rounds}) {
      for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward}) {
        for (const Ports ports : {Ports::single, Ports::multiple}) {
          const Machine machine{.switching = switching, .ports = ports, .ts = 1e-6, .tw = 1e-9, .th = 1e-7, .tc = 1e-9};
          if (sample.takes_next()) for_each_timeline(*network, machine, {.engine = engine}, see);
        }
      }
    }
  }
}

const Span& span_of(const Timeline& timeline, const CriticalSpan& at) {
  return timeline.lanes[static_cast<std::size_t>(at.rank)][at.span];
}

TEST(SimulatedTimeline, EndsWithTheSimulationOnEveryRank) {
  for_each_network([](const Simulation& simulation, const Timeline& timeline) {
    EXPECT_NEAR(timeline.seconds, simulation.seconds, precision * simulation.seconds);
    EXPECT_EQ(timeline.messages.size(), static_cast<std::size_t>(simulation.messages));
    for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
      double end = 0;
      for (const Span& span : timeline.lanes[rank]) {
        EXPECT_LE(span.begin, span.end);
        EXPECT_GE(span.begin, 0);
        end = std::max(end, span.end);
      }
      EXPECT_NEAR(end, simulation.finished[rank], precision * simulation.seconds);
    }
  });
}

// A rank is always at work, or waits for somebody.
TEST(SimulatedTimeline, HasNoUnexplainedTime) {
  for_each_network([](const Simulation& simulation, const Timeline& timeline) {
    for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
      double covered = 0;
      for (const Span& span : timeline.lanes[rank]) {
        if (holds_spans(span.kind)) continue;
        EXPECT_LE(span.begin, covered + precision * simulation.seconds) << "rank " << rank;
        covered = std::max(covered, span.end);
        if (span.kind == SpanKind::wait) {
          EXPECT_NE(span.peer, static_cast<int>(rank));
        }
      }
      EXPECT_NEAR(covered, simulation.finished[rank], precision * simulation.seconds) << "rank " << rank;
    }
  });
}

TEST(SimulatedTimeline, NobodyWaitsWhileAPortIsAtWork) {
  for_each_network([](const Simulation& simulation, const Timeline& timeline) {
    for (const Lane& lane : timeline.lanes) {
      for (const Span& wait : lane) {
        if (wait.kind != SpanKind::wait) continue;
        for (const Span& other : lane) {
          if (other.kind == SpanKind::wait || holds_spans(other.kind)) continue;
          const double common = std::min(wait.end, other.end) - std::max(wait.begin, other.begin);
          EXPECT_LE(common, precision * simulation.seconds);
        }
      }
    }
  });
}

TEST(SimulatedTimeline, ItsCriticalPathHasNoGap) {
  for_each_network([](const Simulation& simulation, const Timeline& timeline) {
    const std::vector<CriticalSpan> path = critical_path(timeline);
    double reached = 0;
    for (const CriticalSpan& at : path) {
      EXPECT_NEAR(critical_begin(span_of(timeline, at)), reached, 10 * precision * simulation.seconds);
      reached = span_of(timeline, at).end;
    }
    EXPECT_NEAR(reached, simulation.seconds, precision * simulation.seconds);
    double sum = 0;
    for (const double seconds : seconds_by_kind(timeline, path)) sum += seconds;
    EXPECT_NEAR(sum, simulation.seconds, 1e-6 * simulation.seconds);
  });
}

TEST(SimulatedTimeline, CongestionAndRanksThatBeginLateLeaveNoGapEither) {
  SimulationOptions options;
  options.skew.resize(8);
  options.skew[3] = {.start = 5e-6, .slowness = 3};
  options.skew[6] = {.start = 2e-6, .slowness = 1};
  const Machine machine{.switching = Switching::cut_through, .ts = 1e-7, .tw = 1e-8, .th = 1e-8, .tc = 1e-9};
  for (const char* words : {"full:8", "linear:8", "tree:8"}) {
    for_each_timeline(
        *topology_named(words), machine, options, [&](const Simulation& simulation, const Timeline& timeline) {
          const std::vector<CriticalSpan> path = critical_path(timeline);
          if (path.empty()) return;  // the late rank itself ends last, and does nothing
          double reached = critical_begin(span_of(timeline, path.front()));
          EXPECT_TRUE(reached <= 1e-15 || std::abs(reached - 5e-6) < 1e-12 || std::abs(reached - 2e-6) < 1e-12)
              << reached;
          for (const CriticalSpan& at : path) {
            EXPECT_NEAR(critical_begin(span_of(timeline, at)), reached, 10 * precision * simulation.seconds);
            reached = span_of(timeline, at).end;
          }
          EXPECT_NEAR(reached, simulation.seconds, precision * simulation.seconds);
        });
  }
}

// Returns how many sends of a rank belong to each phase that its text names.
std::map<std::string_view, int> sends_by_phase(const Program& program) {
  std::map<std::string_view, int> sends;
  for (std::size_t op = 0; op < program.ops.size(); ++op) {
    const auto after = std::find_if(program.phases.rbegin(), program.phases.rend(),
                                    [&](const PhaseMark& mark) { return mark.op <= op; });
    if (after != program.phases.rend() && program.ops[op].kind == OpKind::send) ++sends[after->name];
  }
  return sends;
}

// Returns how many sends of the lane begin within the spans of each phase; the spans follow one another.
std::map<std::string_view, int> sends_within_phases(const Lane& lane) {
  std::map<std::string_view, int> sends;
  double reached = 0;
  for (const Span& phase : lane) {
    if (phase.kind != SpanKind::phase) continue;
    EXPECT_GE(phase.begin, reached);
    EXPECT_GT(phase.end, phase.begin);
    reached = phase.end;
    for (const Span& span : lane) {
      if (span.kind == SpanKind::send && span.begin >= phase.begin && span.begin < phase.end) ++sends[phase.text];
    }
  }
  return sends;
}

// A rank that is to send later than its first step begins waits for nobody; its receiver waits for it.
TEST(SimulatedTimeline, AMessageThatIsKeptBackHoldsItsReceiverAlone) {
  constexpr double late = 5e-6;
  const Problem problem{.collective = Collective::broadcast, .ranks = 2, .count = 8};
  Workload workload(*algorithms::find(Collective::broadcast, "linear"), problem, 1);
  SimulationOptions options{.timeline = true};
  options.releases = {{.rank = 0, .send = 0, .start = late}};
  const Simulation simulation = simulate(workload, *topology_named("full:2"), {.ts = 1e-6, .tw = 1e-9}, options);
  const Timeline timeline = timeline_of(simulation, options, "call");
  const auto waits = [&](int rank) {
    const Lane& lane = timeline.lanes[static_cast<std::size_t>(rank)];
    return std::count_if(lane.begin(), lane.end(), [](const Span& span) { return span.kind == SpanKind::wait; });
  };
  EXPECT_EQ(waits(0), 0);
  ASSERT_EQ(waits(1), 1);
  const Lane& receiver = timeline.lanes[1];
  const auto wait =
      std::find_if(receiver.begin(), receiver.end(), [](const Span& s) { return s.kind == SpanKind::wait; });
  EXPECT_EQ(wait->peer, 0);
  EXPECT_NEAR(wait->end, late, precision);
  const Lane& sender = timeline.lanes[0];
  const auto call = std::find_if(sender.begin(), sender.end(), [](const Span& s) { return s.kind == SpanKind::call; });
  EXPECT_NEAR(call->begin, late, precision);
}

TEST(SimulatedTimeline, PhasesHoldTheMessagesThatBelongToThem) {
  const Machine machine{.ts = 1e-6, .tw = 1e-9, .tc = 1e-9};
  int named = 0;
  for (const char* words : {"full:8", "torus:3x4", "ring:6"}) {
    const TopologyPtr network = topology_named(words);
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      const Problem problem = problem_for(*algorithm, network->ranks());
      if (unmet_need(*algorithm, problem)) continue;
      const Schedule schedule = record(*algorithm, problem);
      for (const Engine engine : {Engine::flows, Engine::rounds}) {
        SCOPED_TRACE(::testing::Message() << name_of(algorithm->collective) << ' ' << algorithm->name << " on " << words
                                          << ", " << name_of(engine));
        const SimulationOptions options{.engine = engine, .timeline = true};
        Workload workload(schedule, 1);
        const Timeline timeline = timeline_of(simulate(workload, *network, machine, options), options, "call");
        for (std::size_t rank = 0; rank < timeline.lanes.size(); ++rank) {
          const auto expected = sends_by_phase(schedule.programs[rank]);
          EXPECT_EQ(sends_within_phases(timeline.lanes[rank]), expected) << "rank " << rank;
          named += static_cast<int>(expected.size());
        }
      }
    }
  }
  EXPECT_GT(named, 500);
}

// A message to a chain may come before the chain has come to it, and keeps its sender until then.
TEST(SimulatedTimeline, SendersWaitForChains) {
  SimulationOptions options;
  options.skew.resize(8);
  options.skew[3].start = 1e-4;
  const Machine machine{.ports = Ports::multiple, .ts = 1e-6, .tw = 1e-9, .tc = 1e-9};
  int held = 0;
  int explained = 0;
  for_each_timeline(
      *topology_named("full:8"), machine, options, [&](const Simulation& simulation, const Timeline& timeline) {
        for (const TimelineMessage& m : simulation.timeline) {
          if (m.released == m.end) continue;
          ++held;
          // The chain goes on when another of its messages comes.
          EXPECT_TRUE(
              std::any_of(simulation.timeline.begin(), simulation.timeline.end(), [&](const TimelineMessage& other) {
                return other.to == m.to && std::abs(other.end - m.released) <= precision * simulation.seconds;
              }));
          const Lane& lane = timeline.lanes[static_cast<std::size_t>(m.from)];
          const auto waits = std::count_if(lane.begin(), lane.end(), [&](const Span& span) {
            return span.kind == SpanKind::wait && span.peer == m.to &&
                   std::abs(span.end - m.released) <= precision * simulation.seconds;
          });
          if (waits > 0) ++explained;
        }
      });
  EXPECT_GT(explained, 2);  // not all: a rank may be at work meanwhile
  EXPECT_GT(held, 5);
}

// In a file, and read back: the same spans, the same path.
TEST(SimulatedTimeline, SurvivesAsATrace) {
  const Machine machine{.ts = 1e-6, .tw = 1e-9, .tc = 1e-9};
  for_each_timeline(*topology_named("full:5"), machine, {}, [](const Simulation&, const Timeline& timeline) {
    const Timeline back = timeline::timeline_from(chrome_trace(timeline), "trace.json");
    EXPECT_EQ(back.title, timeline.title);
    EXPECT_NEAR(back.seconds, timeline.seconds, 1e-11);
    EXPECT_EQ(back.messages.size(), timeline.messages.size());
    ASSERT_EQ(back.lanes.size(), timeline.lanes.size());
    for (std::size_t rank = 0; rank < back.lanes.size(); ++rank) {
      EXPECT_EQ(back.lanes[rank].size(), timeline.lanes[rank].size());
    }
    const std::vector<CriticalSpan> path = critical_path(back);
    EXPECT_EQ(path.size(), critical_path(timeline).size());
    if (!path.empty()) {
      EXPECT_NEAR(span_of(back, path.back()).end, timeline.seconds, 1e-11);
    }
  });
}

TEST(SimulatedTimeline, NeedsMessages) {
  Simulation simulation;
  simulation.messages = 1;
  EXPECT_THROW(timeline_of(simulation, {}, "call"), Error);
}

}  // namespace
}  // namespace tutti
