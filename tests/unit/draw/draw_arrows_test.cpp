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
#include "draw/layout/network_arrangement.hpp"
#include "draw/scene/scene_layout.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/steps/panel.hpp"
#include "schedule/model/choice.hpp"
#include "topology/formats/named.hpp"
#include "unit/draw/hops.hpp"

namespace tutti::draw {
namespace {

/// The steps of an algorithm on a network, placed.
struct Placed {
  std::string name;
  ScheduleFrames frames;
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
  placed.scene = scene_of(placed.arrangement, std::vector<PixelSize>(placed.arrangement.vertices.size()), scale);
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

// With the link that each is beside.
std::vector<std::pair<Box, std::set<std::pair<int, int>>>> labels_of(const DrawnStep& step) {
  std::vector<std::pair<Box, std::set<std::pair<int, int>>>> labels;
  const auto link = [](const ArrowHop& hop) -> std::pair<int, int> { return std::minmax(hop.from, hop.to); };
  for (const Trunk& trunk : step.trunks) {
    if (trunk.label.width() > 0) labels.push_back({trunk.label, {link(trunk.hop)}});
  }
  for (const DrawnArrow& arrow : step.arrows) {
    if (arrow.label.width() == 0) continue;
    labels.push_back({arrow.label, {}});
    for (const ArrowHop& hop : arrow.hops) labels.back().second.insert(link(hop));
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
      for (const ArrowHop& hop : hops_of(step)) {
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
      for (const ArrowHop& hop : hops_of(step)) {
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
        for (const ArrowHop& hop : hops_of(step)) {
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

TEST(Arrows, LabelsAreNearestToTheirOwnLinks) {
  for (const Placed& placed : pictures()) {
    for (const DrawnStep& step : placed.steps) {
      for (const auto& [box, links] : labels_of(step)) {
        double own = std::numeric_limits<double>::infinity();
        double other = own;
        for (const ArrowHop& hop : hops_of(step)) {
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
      for (const ArrowHop& hop : hops_of(placed.steps[k])) ++lines[{hop.from, hop.to}];
      for (const DrawnLoad& load : placed.frames.shown[k].loads) {
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
                                      [](const DrawnArrow& arrow) { return arrow.content_shown; });
      panel.listed = unnamed_in(panel);
      EXPECT_EQ(panel.listed.size() + static_cast<std::size_t>(told), panel.drawn.arrows.size());
      shorten_list(panel);
      EXPECT_LE(panel.listed.size(), std::max<std::size_t>(24, panel.frame->ranks.size()));
      for (std::size_t n = 0; n < panel.drawn.arrows.size(); ++n) {
        if (panel.drawn.arrows[n].content_shown) continue;
        const std::string sender = std::to_string(panel.frame->arrows[n].from) + " → ";
        EXPECT_TRUE(std::any_of(
            panel.listed.begin(), panel.listed.end(),
            [&](const std::string& line) { return line.starts_with(sender) || line.find(": " + sender) != line.npos; }))
            << placed.name << ": nothing of rank " << sender;
      }
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

/// Returns how far the label lies to the right of the arrow's line, along which it points; negative on its left.
double right_of_line(const DrawnArrow& arrow) {
  const ArrowHop& hop = arrow.hops.front();
  const Point along = hop.wire.direction(0.5);
  const double x = (arrow.label.left + arrow.label.right) / 2 - hop.wire.from.x;
  const double y = (arrow.label.top + arrow.label.bottom) / 2 - hop.wire.from.y;
  return along.x * y - along.y * x;
}

// On the other side it would be taken for the label of the arrow that comes back.
TEST(Arrows, LabelsOfAnExchangeStayOnTheirSidesWhereTheMiddleIsTaken) {
  Placed placed = placed_on("linear:2", Collective::all_reduce, "recursive-doubling", 400);
  for (std::size_t blocked = 0; blocked < 2; ++blocked) {
    DrawnStep step = placed.steps.back();
    ASSERT_EQ(step.arrows.size(), 2u);
    name_arrows(step, placed.frames.shown.back(), placed.scene, {step.arrows[blocked].label}, {});
    for (const DrawnArrow& arrow : step.arrows) {
      ASSERT_GT(arrow.label.width(), 0);
      EXPECT_GT(right_of_line(arrow), 0);
    }
  }
}

}  // namespace
}  // namespace tutti::draw
