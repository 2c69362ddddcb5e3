/// @file
/// Laws of arrows and their labels, over networks, algorithms and sizes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "algorithms/catalogue.hpp"
#include "draw/arrows.hpp"
#include "draw/holdings.hpp"
#include "draw/panel.hpp"
#include "schedule/choice.hpp"
#include "support/sanitizers.hpp"
#include "topology/named.hpp"

namespace tutti::draw {
namespace {

/// The steps of an algorithm on a network, placed.
struct Placed {
  std::string name;
  Frames frames;
  Arrangement arrangement;
  Scene scene;
  std::vector<DrawnStep> steps;
};

Placed placed_on(const std::string& network, Collective collective, const std::string& algorithm, double scale) {
  const TopologyPtr topology = topology_named(network);
  Problem problem{.collective = collective, .ranks = topology->ranks()};
  if (collective != Collective::barrier) problem.count = has_blocks(collective) ? 1 : problem.ranks;
  Placed placed{.name = network + " " + algorithm,
                .frames = frames_of(record(algorithms::fitting(problem, algorithm), problem), *topology, {.last = 3}),
                .arrangement = arrangement_of(*topology),
                .scene = {},
                .steps = {}};
  placed.scene = scene_of(placed.arrangement, std::vector<Extent>(placed.arrangement.vertices.size()), scale);
  for (const Frame& frame : placed.frames.shown) {
    DrawnStep step =
        place_arrows(frame, placed.arrangement, placed.scene, coloring_of(placed.frames, placed.arrangement));
    name_arrows(step, frame, placed.scene, {}, sizes_differ(frame) ? std::optional(Unit::elements) : std::nullopt);
    placed.steps.push_back(std::move(step));
  }
  return placed;
}

const std::vector<Placed>& pictures() {
  static const std::vector<Placed> all = [] {
    struct Case {
      Collective collective;
      const char* algorithm;
    };
    constexpr std::array cases{Case{Collective::all_gather, "ring"}, Case{Collective::all_to_all, "linear"},
                               Case{Collective::scatter, "linear"}, Case{Collective::all_reduce, "recursive-doubling"}};
    std::vector<Placed> found;
    for (const char* network : {"ring:5", "ring:16", "linear:12", "mesh:3x4", "torus:4x4", "mesh:3x3x3", "hypercube:4",
                                "full:8", "full:20", "star:8", "star:24", "tree:16", "tree:32", "fat-tree:4x2",
                                "nvswitch:2x4", "nvswitch:4x8", "dgx-1v", "dragonfly:2x2x1"}) {
      for (const Case& it : cases) {
        found.push_back(placed_on(network, it.collective, it.algorithm, 110));
      }
    }
    for (const char* network : {"mesh:4x4x4", "dragonfly:2x4x2"})
      found.push_back(placed_on(network, Collective::all_gather, "ring", 110));
    return found;
  }();
  return all;
}

std::vector<Hop> hops_of(const DrawnStep& step) {
  std::vector<Hop> hops;
  for (const Trunk& trunk : step.trunks) hops.push_back(trunk.hop);
  for (const DrawnArrow& arrow : step.arrows) hops.insert(hops.end(), arrow.hops.begin(), arrow.hops.end());
  return hops;
}

// With the link that each is beside.
std::vector<std::pair<Box, std::set<std::pair<int, int>>>> labels_of(const DrawnStep& step) {
  std::vector<std::pair<Box, std::set<std::pair<int, int>>>> labels;
  const auto link = [](const Hop& hop) -> std::pair<int, int> { return std::minmax(hop.from, hop.to); };
  for (const Trunk& trunk : step.trunks) {
    if (trunk.label.width() > 0) labels.push_back({trunk.label, {link(trunk.hop)}});
  }
  for (const DrawnArrow& arrow : step.arrows) {
    if (arrow.label.width() == 0) continue;
    labels.push_back({arrow.label, {}});
    for (const Hop& hop : arrow.hops) labels.back().second.insert(link(hop));
  }
  return labels;
}

double distance(const Box& box, Point point) {
  return std::hypot(std::max({box.left - point.x, 0.0, point.x - box.right}),
                    std::max({box.top - point.y, 0.0, point.y - box.bottom}));
}

TEST(Arrows, EndAtTheBordersOfTheirVertices) {
  for (const Placed& placed : pictures()) {
    for (const DrawnStep& step : placed.steps) {
      for (const Hop& hop : hops_of(step)) {
        const Body& from = placed.scene.bodies[static_cast<std::size_t>(hop.from)];
        const Body& to = placed.scene.bodies[static_cast<std::size_t>(hop.to)];
        EXPECT_TRUE(from.holds(hop.curve.from, 6) && !from.holds(hop.curve.from, 0)) << placed.name;
        EXPECT_TRUE(to.holds(hop.curve.to, 6) && !to.holds(hop.curve.to, 0)) << placed.name;
      }
    }
  }
}

TEST(Arrows, PassNoOtherVertex) {
  for (const Placed& placed : pictures()) {
    for (const DrawnStep& step : placed.steps) {
      for (const Hop& hop : hops_of(step)) {
        for (const Point& point : hop.curve.samples(4)) {
          for (std::size_t v = 0; v < placed.scene.bodies.size(); ++v) {
            if (static_cast<int>(v) == hop.from || static_cast<int>(v) == hop.to) continue;
            ASSERT_FALSE(placed.scene.bodies[v].holds(point, 0)) << placed.name << ": " << hop.from << " to " << hop.to;
          }
        }
      }
    }
  }
}

TEST(Arrows, LabelsLieOnNoArrowNoVertexAndNoOtherLabel) {
  for (const Placed& placed : pictures()) {
    for (const DrawnStep& step : placed.steps) {
      const auto labels = labels_of(step);
      for (std::size_t a = 0; a < labels.size(); ++a) {
        const Box& box = labels[a].first;
        for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(overlap(box, labels[b].first)) << placed.name;
        for (const Box& body : placed.scene.bodies) EXPECT_FALSE(overlap(box, body)) << placed.name;
        for (const Hop& hop : hops_of(step)) {
          if (!overlap(box, grown(around(around(centered(hop.curve.from, 0, 0), centered(hop.curve.to, 0, 0)),
                                         centered(hop.curve.control, 0, 0)),
                                  1)))
            continue;
          for (const Point& point : hop.curve.samples(1)) ASSERT_FALSE(box.holds(point)) << placed.name;
        }
      }
    }
  }
}

std::size_t crossed_by(const std::vector<Hop>& hops, const std::vector<Box>& boxes) {
  return static_cast<std::size_t>(std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) {
    return std::any_of(hops.begin(), hops.end(), [&](const Hop& hop) {
      const std::vector<Point> points = hop.curve.samples(1);
      return std::any_of(points.begin(), points.end(), [&](Point point) { return box.holds(point); });
    });
  }));
}

// Whether a picture grows to keep words off arrows; those that would be wider than a screen do not.
enum class Room { grows, stays };

// Of what stands beside ranks, how much has an arrow through it, over all steps, as pictures are drawn first.
std::size_t crossed_holdings(const std::string& network, Collective collective, const std::string& algorithm,
                             const Shape& grid = {}, Room room = Room::grows) {
  const TopologyPtr topology = topology_named(network);
  Problem problem{.collective = collective, .ranks = topology->ranks()};
  problem.count = has_blocks(collective) ? 1 : problem.ranks;
  const Choice choice(algorithms::fitting(problem, algorithm), {.grid = grid});
  const Frames frames = frames_of(record(choice, problem), *topology, {.last = 64});
  const Arrangement arrangement = arrangement_of(*topology);
  const Holdings holdings(frames, arrangement);
  const Scene scene = scene_of(arrangement, holdings.extents(), 90,
                               room == Room::grows ? busy_wires(frames, arrangement) : std::vector<bool>());
  std::size_t crossed = 0;
  for (const Frame& frame : frames.shown) {
    const DrawnStep step = place_arrows(frame, arrangement, scene, coloring_of(frames, arrangement));
    const Scene moved = holdings.off_arrows(frame, scene, points_along(step));
    crossed += crossed_by(hops_of(step), holdings.boxes(frame, moved));
  }
  return crossed;
}

TEST(Arrows, LieOnNothingThatStandsBesideRanks) {
  for (const char* network :
       {"ring:8", "ring:16", "mesh:3x4", "mesh:4x4", "torus:3x3", "mesh:3x3x3", "full:8", "star:8", "tree:8", "tree:16",
        "clos:4x2x2", "nvswitch:4x8", "dgx-1v", "dragonfly:2x2x1", "rails:3x4", "rails:2x4"}) {
    for (const char* algorithm : {"ring", "bruck"})
      EXPECT_EQ(crossed_holdings(network, Collective::all_gather, algorithm), 0u) << network << " " << algorithm;
  }
}

// Where an edge of a hypercube leaves no room on one side of a rank, words stand on another.
TEST(Arrows, LieOnNothingBesideRanksOfHypercubes) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const char* network : {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6"}) {
    for (const char* algorithm : {"ring", "recursive-doubling"})
      EXPECT_EQ(crossed_holdings(network, Collective::all_gather, algorithm), 0u) << network << " " << algorithm;
  }
  EXPECT_EQ(crossed_holdings("hypercube:5", Collective::all_gather, "mesh"), 0u);
  EXPECT_LT(crossed_holdings("hypercube:6", Collective::all_gather, "bruck"), 8u);  // of 384
}

// Words too wide to stand side by side below ranks stand below one another, and on no arrow above them.
TEST(Arrows, LieOnNoWordsThatAreWiderThanLeavesAreApart) {
  for (const char* network : {"fat-tree:4x2", "nvswitch:2x8", "numa:2x2x4"})
    EXPECT_EQ(crossed_holdings(network, Collective::reduce_scatter, "ring", {}, Room::stays), 0u) << network;
}

// Between slices there are arcs in all directions: a few long words have no room beside them.
TEST(Arrows, LieOnFewWordsBetweenSlices) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  const auto all_gather = [](const char* network) { return crossed_holdings(network, Collective::all_gather, "mesh"); };
  EXPECT_EQ(all_gather("torus:3x3x3"), 0u);
  EXPECT_EQ(all_gather("torus:3x4x5"), 0u);
  EXPECT_LT(all_gather("torus:2x3x4"), 6u);  // of 192, where 25 have arrows through them if none is moved
  EXPECT_LT(crossed_holdings("torus:4x4x4", Collective::all_gather, "mesh", {4, 4, 4}), 24u);  // of 576
  EXPECT_EQ(crossed_holdings("torus:4x4x4", Collective::all_gather, "ring"), 0u);
  EXPECT_LT(crossed_holdings("torus:2x3x4", Collective::reduce_scatter, "mesh"), 10u);
  EXPECT_EQ(crossed_holdings("torus:4x4", Collective::reduce_scatter, "mesh"), 0u);
  EXPECT_EQ(crossed_holdings("torus:4x4x4", Collective::all_reduce, "recursive-doubling"), 0u);
}

// What is moved off arrows lies on no vertex, and on no other words.
TEST(Arrows, LeaveWordsApart) {
  for (const Placed& placed : pictures()) {
    const Holdings holdings(placed.frames, placed.arrangement);
    const Scene scene = scene_of(placed.arrangement, holdings.extents(), 90);
    for (const Frame& frame : placed.frames.shown) {
      const DrawnStep step = place_arrows(frame, placed.arrangement, scene, Coloring::apart);
      const std::vector<Box> boxes = holdings.boxes(frame, holdings.off_arrows(frame, scene, points_along(step)));
      for (std::size_t a = 0; a < boxes.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) ASSERT_FALSE(overlap(boxes[a], boxes[b])) << placed.name;
        for (const Body& body : scene.bodies) ASSERT_FALSE(overlap(boxes[a], body)) << placed.name;
      }
    }
  }
}

TEST(Arrows, LabelsAreNearestToTheirOwnLinks) {
  for (const Placed& placed : pictures()) {
    for (const DrawnStep& step : placed.steps) {
      for (const auto& [box, links] : labels_of(step)) {
        double own = std::numeric_limits<double>::infinity();
        double other = own;
        for (const Hop& hop : hops_of(step)) {
          double& nearest = links.contains(std::minmax(hop.from, hop.to)) ? own : other;
          for (const Point& point : hop.curve.samples(3)) nearest = std::min(nearest, distance(box, point));
        }
        EXPECT_LT(own, other + 0.5) << placed.name;
        EXPECT_LT(own, 20) << placed.name;
      }
    }
  }
}

// A message has a line of its own or shares one on every link of its route, and links have few lines.
TEST(Arrows, EveryLinkHasTheLinesOfItsMessages) {
  for (const Placed& placed : pictures()) {
    for (std::size_t k = 0; k < placed.steps.size(); ++k) {
      std::map<std::pair<int, int>, int> lines;
      for (const Hop& hop : hops_of(placed.steps[k])) ++lines[{hop.from, hop.to}];
      for (const Load& load : placed.frames.shown[k].loads) {
        const int drawn = lines[std::pair(load.from, load.to)];
        const int back = lines[std::pair(load.to, load.from)];
        EXPECT_TRUE(drawn == load.messages || drawn == 1) << placed.name;
        EXPECT_LE(drawn + back, 4) << placed.name;
      }
    }
  }
}

TEST(Arrows, WhatIsNotToldBesideThemIsListed) {
  for (const Placed& placed : pictures()) {
    for (std::size_t k = 0; k < placed.steps.size(); ++k) {
      Panel panel{.title = "", .frame = &placed.frames.shown[k], .scene = placed.scene, .drawn = placed.steps[k]};
      const auto told = std::count_if(panel.drawn.arrows.begin(), panel.drawn.arrows.end(),
                                      [](const DrawnArrow& arrow) { return arrow.told; });
      panel.listed = unnamed_in(panel);
      EXPECT_EQ(panel.listed.size() + static_cast<std::size_t>(told), panel.drawn.arrows.size());
      shorten_list(panel);
      EXPECT_LE(panel.listed.size(), 24u);
    }
  }
}

TEST(Arrows, ASharedLineSaysHowManyAndWhat) {
  const Placed placed = placed_on("star:8", Collective::scatter, "linear", 110);
  ASSERT_EQ(placed.steps.front().trunks.size(), 1u);
  EXPECT_EQ(placed.steps.front().trunks.front().text, "7 × {1..7}");
  EXPECT_TRUE(placed.steps.front().trunks.front().says_what);
  const Placed barrier = placed_on("star:8", Collective::barrier, "flat", 110);
  ASSERT_FALSE(barrier.steps.front().trunks.empty());
  EXPECT_EQ(barrier.steps.front().trunks.front().text, "7 messages");
  for (const DrawnArrow& arrow : placed.steps.front().arrows) EXPECT_TRUE(arrow.named);
}

}  // namespace
}  // namespace tutti::draw
