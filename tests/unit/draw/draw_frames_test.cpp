/// @file
/// Steps as data: every message once and in its place, and what ranks hold.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/catalogue.hpp"
#include "draw/steps/content_names.hpp"
#include "draw/steps/frames.hpp"
#include "draw/steps/panel.hpp"
#include "schedule/model/choice.hpp"
#include "support/by_hand.hpp"
#include "topology/formats/named.hpp"
#include "tutti/error.hpp"

namespace tutti::draw {
namespace {

using ::testing::ElementsAre;
using Lines = std::vector<std::string>;

Problem problem_of(Collective collective, int ranks) {
  Problem problem{.collective = collective, .ranks = ranks};
  problem.count = collective == Collective::barrier ? 0 : has_blocks(collective) ? 1 : ranks;
  problem.distance = collective == Collective::shift ? 1 : 0;
  return problem;
}

ScheduleFrames frames_on(const std::string& network, Collective collective, const std::string& algorithm) {
  const TopologyPtr topology = topology_named(network);
  const Problem problem = problem_of(collective, topology->ranks());
  return frames_of(record(*algorithms::find(collective, algorithm), problem), *topology);
}

// Returns the contents of rank `rank` before the first step, and after each.
std::vector<Lines> history(const ScheduleFrames& frames, int rank) {
  std::vector<Lines> lines{frames.shown.front().ranks[static_cast<std::size_t>(rank)].before};
  for (const Frame& frame : frames.shown) lines.push_back(frame.ranks[static_cast<std::size_t>(rank)].after);
  return lines;
}

template <typename See>
void for_each_small_case(See&& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (int p = 1; p <= 9; ++p) {
      const Problem problem = problem_of(algorithm->collective, p);
      if (!unmet_need(*algorithm, problem)) see(*algorithm, record(*algorithm, problem));
    }
  }
}

constexpr Limits no_limits{.ranks = 1000, .last = 1000};

TEST(Frames, HaveEveryMessageOnce) {
  for_each_small_case([](const Algorithm& algorithm, const Schedule& schedule) {
    const ScheduleFrames frames =
        frames_of(schedule, *topology_named("ring:" + std::to_string(schedule.problem.ranks)), no_limits);
    const Traffic traffic = traffic_of(schedule);
    std::int64_t messages = 0;
    std::int64_t elements = 0;
    for (const Frame& frame : frames.shown) {
      EXPECT_FALSE(frame.arrows.empty());
      int number = 0;
      for (const Arrow& arrow : frame.arrows) {
        EXPECT_EQ(arrow.number, ++number);
        EXPECT_EQ(arrow.route.front(), arrow.from);
        EXPECT_EQ(arrow.route.back(), arrow.to);
        EXPECT_EQ(arrow.content.empty(), arrow.elements == 0);
        elements += arrow.elements;
      }
      messages += number;
    }
    EXPECT_EQ(messages, traffic.messages) << name_of(algorithm.collective) << ' ' << algorithm.name;
    EXPECT_EQ(elements, traffic.elements);
    EXPECT_LE(frames.steps, traffic.rounds);
    EXPECT_EQ(static_cast<std::size_t>(frames.steps), frames.shown.size());
  });
}

TEST(Frames, ContinueWhereTheLastOneEnded) {
  for_each_small_case([](const Algorithm& algorithm, const Schedule& schedule) {
    const ScheduleFrames frames =
        frames_of(schedule, *topology_named("full:" + std::to_string(schedule.problem.ranks)), no_limits);
    for (std::size_t k = 1; k < frames.shown.size(); ++k) {
      for (std::size_t rank = 0; rank < frames.shown[k].ranks.size(); ++rank)
        EXPECT_EQ(frames.shown[k].ranks[rank].before, frames.shown[k - 1].ranks[rank].after) << algorithm.name;
    }
  });
}

// Steps by themselves are as they are among all.
TEST(Frames, OfSomeStepsAreThoseOfAll) {
  for (const auto& [network, algorithm] :
       {std::pair{"ring:7", "ring"}, {"full:7", "reduce-broadcast"}, {"full:5", "flat"}}) {
    const TopologyPtr topology = topology_named(network);
    const Schedule schedule = record(*algorithms::find(Collective::all_reduce, algorithm),
                                     problem_of(Collective::all_reduce, topology->ranks()));
    const ScheduleFrames all = frames_of(schedule, *topology, no_limits);
    for (int first = 1; first <= all.steps; ++first) {
      for (int last = first; last <= all.steps + 1; ++last) {
        const ScheduleFrames some = frames_of(schedule, *topology, {.ranks = 1000, .first = first, .last = last});
        ASSERT_EQ(static_cast<int>(some.shown.size()), std::min(last, all.steps) - first + 1);
        EXPECT_EQ(some.first, first);
        EXPECT_EQ(some.notes.empty(), some.shown.size() == all.shown.size());
        for (std::size_t k = 0; k < some.shown.size(); ++k) {
          const Frame& whole = all.shown[static_cast<std::size_t>(first) - 1 + k];
          EXPECT_EQ(some.shown[k].arrows.size(), whole.arrows.size());
          for (std::size_t rank = 0; rank < whole.ranks.size(); ++rank) {
            EXPECT_EQ(some.shown[k].ranks[rank].before, whole.ranks[rank].before) << network << ' ' << first;
            EXPECT_EQ(some.shown[k].ranks[rank].after, whole.ranks[rank].after) << network << ' ' << first;
            EXPECT_EQ(some.shown[k].ranks[rank].operations, whole.ranks[rank].operations) << network << ' ' << first;
          }
        }
      }
    }
    EXPECT_THROW(frames_of(schedule, *topology, {.first = all.steps + 1, .last = 99}), Error);
  }
}

std::vector<std::pair<std::string, std::size_t>> phases_of(const ScheduleFrames& frames) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const Frame& frame : frames.shown) found.emplace_back(frame.phase, frame.arrows.size());
  return found;
}

// The textbook's shift by 5 on 16 ranks: rows, the ranks that went past their row's end, columns.
TEST(Frames, FollowThePhasesOfTheText) {
  using Steps = std::vector<std::pair<std::string, std::size_t>>;
  const TopologyPtr torus = topology_named("torus:4x4");
  const Problem shift{.collective = Collective::shift, .ranks = 16, .count = 1, .distance = 5};
  const Choice mesh(*algorithms::find(Collective::shift, "mesh"), {.grid = Shape{4, 4}});
  EXPECT_EQ(phases_of(frames_of(record(mesh, shift), *torus)),
            (Steps{{"rows", 16}, {"compensate", 4}, {"columns", 16}}));
  const ScheduleFrames ring = frames_on("ring:4", Collective::all_reduce, "ring");
  EXPECT_EQ(phases_of(ring), (Steps{{"reduce-scatter", 4},
                                    {"reduce-scatter", 4},
                                    {"reduce-scatter", 4},
                                    {"all-gather", 4},
                                    {"all-gather", 4},
                                    {"all-gather", 4}}));
  EXPECT_EQ(phases_of(frames_on("full:4", Collective::broadcast, "binomial")), (Steps{{"", 1}, {"", 2}}));
}

// No step of an earlier phase follows one of a later, whatever the algorithm.
TEST(Frames, FinishAPhaseBeforeTheNext) {
  for_each_small_case([](const Algorithm& algorithm, const Schedule& schedule) {
    const ScheduleFrames frames =
        frames_of(schedule, *topology_named("full:" + std::to_string(schedule.problem.ranks)), no_limits);
    std::vector<std::string> seen;
    for (const Frame& frame : frames.shown) {
      if (!seen.empty() && seen.back() == frame.phase) continue;
      EXPECT_EQ(std::find(seen.begin(), seen.end(), frame.phase), seen.end())
          << name_of(algorithm.collective) << ' ' << algorithm.name << ' ' << frame.phase;
      seen.push_back(frame.phase);
    }
  });
}

// A text that names one of its phases names all: what is left unnamed would be taken for a part of none.
TEST(Frames, NameThePhaseOfEveryMessageOrOfNone) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const std::vector<int>& nodes : {std::vector{6}, {8}, {3, 5}, {2, 2, 2, 2}}) {
      const Layout layout = Layout::of_nodes(nodes);
      const Problem problem = problem_of(algorithm->collective, layout.size());
      if (unmet_need(*algorithm, problem, layout)) continue;
      const ScheduleFrames frames = frames_of(record(*algorithm, problem, layout),
                                              *topology_named("full:" + std::to_string(problem.ranks)), no_limits);
      const auto unnamed = std::count_if(frames.shown.begin(), frames.shown.end(),
                                         [](const Frame& frame) { return frame.phase.empty(); });
      EXPECT_TRUE(unnamed == 0 || unnamed == static_cast<std::int64_t>(frames.shown.size()))
          << frames.title << " by " << algorithm->name;
    }
  }
}

TEST(Frames, NamePhasesOfNodesAndOfWhatGoesBack) {
  const Layout layout = Layout::of_nodes(std::vector{3, 5});
  const auto names = [&](Collective collective, const char* algorithm) {
    const Schedule schedule =
        record(*algorithms::find(collective, algorithm), problem_of(collective, layout.size()), layout);
    std::vector<std::string> found;
    for (const auto& [phase, messages] : phases_of(frames_of(schedule, *topology_named("full:8"), no_limits))) {
      if (found.empty() || found.back() != phase) found.push_back(phase);
    }
    return found;
  };
  using enum Collective;
  EXPECT_THAT(names(all_reduce, "leaders"),
              ElementsAre("reduce inside nodes", "all-reduce between nodes", "broadcast inside nodes"));
  EXPECT_THAT(names(barrier, "leaders"),
              ElementsAre("arrival inside nodes", "barrier between nodes", "release inside nodes"));
  EXPECT_THAT(names(scatter, "leaders"), ElementsAre("scatter between nodes", "scatter inside nodes"));
  EXPECT_THAT(names(gather, "leaders"), ElementsAre("gather inside nodes", "gather between nodes"));
}

TEST(Frames, SaySizesInBytesWhereAsked) {
  Problem problem = problem_of(Collective::broadcast, 4);
  problem.count = 64 << 10;
  const ScheduleFrames frames = frames_of(record(*algorithms::find(problem.collective, "binomial"), problem),
                                          *topology_named("full:4"), {}, Unit::bytes);
  EXPECT_EQ(frames.title, "broadcast of 64KiB over 4 ranks, root 0");
  EXPECT_EQ(title_of(1, frames.shown.front(), frames.unit), "Step 1: 1 message of 64KiB");
  EXPECT_EQ(title_of(1, frames.shown.front(), Unit::elements), "Step 1: 1 message of 65,536 elements");
}

// A ring all-reduce combines in its first half and stores in its second.
TEST(Frames, SayWhichMessagesAreCombined) {
  const ScheduleFrames frames = frames_on("ring:5", Collective::all_reduce, "ring");
  ASSERT_EQ(frames.steps, 8);
  for (std::size_t step = 0; step < frames.shown.size(); ++step) {
    for (const Arrow& arrow : frames.shown[step].arrows) EXPECT_EQ(arrow.combined, step < 4) << step;
  }
}

TEST(Frames, HaveEveryOperationOnce) {
  for_each_small_case([](const Algorithm& algorithm, const Schedule& schedule) {
    const ScheduleFrames frames =
        frames_of(schedule, *topology_named("full:" + std::to_string(schedule.problem.ranks)), no_limits);
    if (frames.shown.empty()) return;
    for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
      Lines expected;
      for (const Op& op : schedule.programs[rank].ops) expected.push_back(text_of(schedule.programs[rank], op));
      Lines found;
      for (const Frame& frame : frames.shown)
        found.insert(found.end(), frame.ranks[rank].operations.begin(), frame.ranks[rank].operations.end());
      EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(expected)) << algorithm.name;
    }
  });
}

// Every rank ends with what the collective owes it, by name.
TEST(Frames, EndWithTheResult) {
  std::map<Collective, std::function<std::string(int rank)>> results{
      {Collective::all_gather, [](int) { return "{0..5}"; }},
      {Collective::all_reduce, [](int) { return "Σ0..5"; }},
      {Collective::reduce_scatter, [](int rank) { return std::to_string(rank) + ": Σ0..5"; }},
      {Collective::scatter, [](int rank) { return "{" + std::to_string(rank) + "}"; }},
      {Collective::gather, [](int rank) { return rank == 0 ? "{0..5}" : ""; }},
      {Collective::reduce, [](int rank) { return rank == 0 ? "Σ0..5" : ""; }},
      {Collective::all_to_all, [](int rank) { return "{0..5}→" + std::to_string(rank); }},
      {Collective::shift, [](int rank) { return "{" + std::to_string((rank + 5) % 6) + "}"; }},
      {Collective::scan, [](int rank) {
         return rank == 0 ? "x0" : rank == 1 ? "Σ0,1" : "Σ0.." + std::to_string(rank);
       }}};
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const Problem problem = problem_of(algorithm->collective, 6);
    const auto expected = results.find(algorithm->collective);
    if (expected == results.end() || unmet_need(*algorithm, problem)) continue;
    const ScheduleFrames frames = frames_of(record(*algorithm, problem), *topology_named("full:6"), no_limits);
    for (int rank = 0; rank < 6; ++rank) {
      const std::string result = expected->second(rank);
      EXPECT_EQ(history(frames, rank).back(), result.empty() ? Lines{} : Lines{result})
          << name_of(algorithm->collective) << " by " << algorithm->name << ", rank " << rank;
    }
  }
}

TEST(Frames, NameWhatRanksStillNeed) {
  const ScheduleFrames scatter = frames_on("hypercube:3", Collective::scatter, "binomial");
  EXPECT_THAT(history(scatter, 0), ElementsAre(Lines{"{0..7}"}, Lines{"{0..3}"}, Lines{"{0,1}"}, Lines{"{0}"}));
  EXPECT_THAT(history(scatter, 6), ElementsAre(Lines{}, Lines{}, Lines{"{6,7}"}, Lines{"{6}"}));
  EXPECT_EQ(scatter.shown[0].arrows.front().content, "{4..7}");

  const ScheduleFrames scan = frames_on("hypercube:2", Collective::scan, "recursive-doubling");
  EXPECT_THAT(history(scan, 1), ElementsAre(Lines{"x1"}, Lines{"Σ0,1"}, Lines{"Σ0,1"}));
  EXPECT_THAT(history(scan, 2).back(), ElementsAre("Σ0..2"));

  const ScheduleFrames all_reduce = frames_on("ring:4", Collective::all_reduce, "ring");
  EXPECT_EQ(all_reduce.steps, 6);
  EXPECT_THAT(history(all_reduce, 0)[3], ElementsAre("0: Σ0..3"));

  const ScheduleFrames broadcast = frames_on("ring:8", Collective::broadcast, "binomial");
  EXPECT_THAT(history(broadcast, 4), ElementsAre(Lines{}, Lines{"M"}, Lines{"M"}, Lines{"M"}));
  const ScheduleFrames parts = frames_on("full:4", Collective::broadcast, "scatter-all-gather");
  EXPECT_THAT(history(parts, 2).back(), ElementsAre("{0..3}"));
}

TEST(Frames, RoutesGoOverLinksAndLoadThem) {
  const ScheduleFrames frames = frames_on("ring:8", Collective::broadcast, "binomial");
  ASSERT_EQ(frames.shown[0].arrows.size(), 1u);
  EXPECT_THAT(frames.shown[0].arrows[0].route, ElementsAre(0, 1, 2, 3, 4));
  ASSERT_EQ(frames.shown[0].loads.size(), 4u);
  EXPECT_EQ(frames.shown[0].loads[1].from, 1);
  EXPECT_EQ(frames.shown[0].loads[1].elements, 8);
  const ScheduleFrames tree = frames_on("star:4", Collective::all_gather, "ring");
  for (const DrawnLoad& load : tree.shown[0].loads) EXPECT_EQ(load.messages, 1);
  EXPECT_THAT(tree.shown[0].arrows[0].route, ElementsAre(0, 4, 1));
}

TEST(Frames, SayWhatMessagesCarryTogether) {
  const ScheduleFrames scattered = frames_on("star:5", Collective::scatter, "linear");
  const Frame& step = scattered.shown.front();
  const auto from_root =
      std::find_if(step.loads.begin(), step.loads.end(), [](const DrawnLoad& l) { return l.from == 0; });
  ASSERT_NE(from_root, step.loads.end());
  EXPECT_EQ(from_root->messages, 4);
  EXPECT_EQ(from_root->content, "{1..4}");
  EXPECT_EQ(step.ranks[0].sent, "{1..4}");
  for (const DrawnLoad& load : step.loads) EXPECT_EQ(load.content.empty(), load.messages == 1);
}

TEST(Frames, AreCutWhereTheyWouldBeTooMany) {
  const TopologyPtr ring = topology_named("ring:100");
  const ScheduleFrames frames = frames_of(
      record(*algorithms::find(Collective::all_gather, "ring"), problem_of(Collective::all_gather, 100)), *ring);
  EXPECT_EQ(frames.ranks, 100);
  EXPECT_EQ(frames.shown_ranks, most_ranks_drawn);
  EXPECT_EQ(frames.steps, 99);
  EXPECT_EQ(frames.shown.size(), 64u);
  EXPECT_THAT(frames.notes,
              ElementsAre("Only the first 72 of 100 ranks are drawn.", "Only steps 1 to 64 of 99 are drawn."));
  for (const Frame& frame : frames.shown) {
    EXPECT_EQ(frame.ranks.size(), static_cast<std::size_t>(most_ranks_drawn));
    EXPECT_EQ(frame.arrows.size(), frame.ranks.size() - 1);
  }
}

TEST(Frames, RefuseWhatCannotBeDrawn) {
  const Problem problem = problem_of(Collective::all_gather, 2);
  const auto deadlock = testing::recorded(problem, [](Script& me) {
    const int other = 1 - me.rank();
    me.send(me.input(), other);
    me.wait();
    me.receive(me.output(other), other);
    me.wait();
  });
  EXPECT_THROW(frames_of(deadlock, *topology_named("full:2")), Error);
  const Schedule fine = record(*algorithms::find(Collective::all_gather, "ring"), problem);
  EXPECT_THROW(frames_of(fine, *topology_named("full:3")), Error);
  const Schedule large{problem_of(Collective::barrier, most_ranks_framed + 1),
                       std::vector<Program>(static_cast<std::size_t>(most_ranks_framed) + 1)};
  EXPECT_THROW(frames_of(large, *topology_named("full:" + std::to_string(most_ranks_framed + 1))), Error);
}

TEST(Sets, AreShortened) {
  EXPECT_EQ(text_of_set({}), "");
  EXPECT_EQ(text_of_set({3}), "3");
  EXPECT_EQ(text_of_set({3, 4}), "3,4");
  EXPECT_EQ(text_of_set({3, 4, 5, 9}), "3..5,9");
  std::vector<int> even;
  for (int k = 0; k < 64; k += 2) even.push_back(k);
  EXPECT_EQ(text_of_set(even), "0,2,4,6,8,10,… (32)");
}

}  // namespace
}  // namespace tutti::draw
