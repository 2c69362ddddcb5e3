/// @file
/// Arrangements of networks: every vertex apart from the others, wires clear of vertices that are not theirs, and the
/// shapes that people know.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "draw/geometry.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "topology/embedding.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"

namespace tutti::draw {
namespace {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

// A ladder with a tail: no family.
TopologyPtr odd_graph(std::string name = "odd") {
  GraphDescription graph{.name = std::move(name), .ranks = 7, .switches = 1};
  for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {2, 3}, {4, 5}, {5, 6}, {0, 4}, {1, 5}, {2, 6}, {3, 7}, {6, 7}})
    add_cable(graph, a, b);
  return graph_topology(graph);
}

std::vector<TopologyPtr> networks() {
  std::vector<TopologyPtr> all;
  for (const char* name :
       {"ring:1",          "ring:2",      "ring:8",       "linear:1",        "linear:9",     "mesh:3x4",
        "torus:2x2",       "torus:4x4",   "torus:3x3x3",  "torus:4x4x4",     "mesh:2x2x2x2", "hypercube:0",
        "hypercube:1",     "hypercube:2", "hypercube:3",  "hypercube:4",     "hypercube:5",  "hypercube:6",
        "full:5",          "full:40",     "star:6",       "tree:8",          "fat-tree:4x2", "nvlink:4",
        "dgx-1v",          "nvswitch:8",  "nvswitch:3x4", "dragonfly:2x2x1", "ring:13",      "ring:16",
        "ring:31",         "ring:64",     "linear:33",    "mesh:4x4x4",      "mesh:2x3x4",   "star:17",
        "star:64",         "tree:64",     "nvswitch:4x8", "nvswitch:8x8",    "fat-tree:4x3", "dragonfly:2x4x2",
        "dragonfly:1x3x1", "torus:2x3x4", "torus:6x3x3",  "torus:5x3x3",     "clos:4x4x2",   "clos:8x4x4",
        "rails:2x4",       "rails:4x8"})
    all.push_back(topology_named(name));
  all.push_back(embedded(topology_named("hypercube:4"), ring_in_hypercube(4)));
  all.push_back(odd_graph());
  return all;
}

Point at(const Arrangement& arrangement, int vertex) {
  return arrangement.vertices[static_cast<std::size_t>(vertex)].at;
}

Curve curve_of(const Arrangement& arrangement, const Wire& wire) {
  const Point a = at(arrangement, wire.a);
  const Point b = at(arrangement, wire.b);
  return wire.curved ? Curve{a, wire.control, b} : straight(a, b);
}

TEST(Arrangement, HasEveryVertexApartFromTheOthers) {
  for (const TopologyPtr& network : networks()) {
    const Arrangement arrangement = arrangement_of(*network);
    const int n = static_cast<int>(arrangement.vertices.size());
    ASSERT_EQ(n, network->nodes()) << network->name();
    std::set<std::string> labels;
    for (int a = 0; a < n; ++a) {
      labels.insert(arrangement.vertices[static_cast<std::size_t>(a)].label);
      EXPECT_EQ(arrangement.vertices[static_cast<std::size_t>(a)].is_switch, a >= network->ranks());
      for (int b = 0; b < a; ++b) EXPECT_GT(distance(at(arrangement, a), at(arrangement, b)), 0.2) << network->name();
    }
    EXPECT_EQ(labels.size(), arrangement.vertices.size());
  }
}

// A cable for every two nodes that are one link apart, found by asking for routes.
TEST(Arrangement, HasEveryCableOnce) {
  for (const TopologyPtr& network : networks()) {
    const Arrangement arrangement = arrangement_of(*network);
    if (!arrangement.note.empty()) continue;
    std::set<std::pair<int, int>> routed;
    for (int a = 0; a < network->ranks(); ++a) {
      for (int b = 0; b < network->ranks(); ++b) {
        for (const LinkId id : route_of(*network, a, b)) {
          const Link link = network->link(id);
          routed.insert(std::minmax(link.from, link.to));
          EXPECT_NE(arrangement.wire_between(link.from, link.to), nullptr) << network->name();
        }
      }
    }
    EXPECT_GE(arrangement.wires.size(), routed.size());
    EXPECT_TRUE(std::is_sorted(arrangement.wires.begin(), arrangement.wires.end(), [](const Wire& x, const Wire& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    })) << network->name();
  }
  EXPECT_EQ(arrangement_of(*topology_named("linear:5")).wires.size(), 4u);
  EXPECT_EQ(arrangement_of(*topology_named("torus:2x2")).wires.size(), 4u);
  EXPECT_EQ(arrangement_of(*topology_named("full:6")).wires.size(), 15u);
}

// The least way from a wire to a vertex that is none of its ends.
double least_room(const Arrangement& arrangement) {
  double least = 1;
  for (const Wire& wire : arrangement.wires) {
    for (const Point& point : curve_of(arrangement, wire).samples(0.02)) {
      for (int v = 0; v < static_cast<int>(arrangement.vertices.size()); ++v) {
        if (v != wire.a && v != wire.b) least = std::min(least, distance(at(arrangement, v), point));
      }
    }
  }
  return least;
}

TEST(Arrangement, WiresKeepClearOfOtherVertices) {
  for (const char* name :
       {"ring:12",       "linear:6",         "torus:3x3",       "torus:4x5",       "torus:3x3x3",   "mesh:4x4x4",
        "hypercube:3",   "hypercube:4",      "hypercube:5",     "hypercube:6",     "tree:16",       "star:7",
        "nvlink:4",      "full:9",           "ring:17",         "ring:64",         "linear:64",     "mesh:4x4x4",
        "mesh:3x2x4",    "star:64",          "tree:32",         "tree:64",         "nvswitch:4x8",  "nvswitch:8x8",
        "fat-tree:4x3",  "dragonfly:2x2x1",  "dragonfly:1x4x1", "dragonfly:2x4x2", "torus:4x4x4",   "torus:2x3x4",
        "torus:6x3x3",   "torus:5x3x3",      "clos:4x4x2",      "clos:8x4x4",      "rails:2x4",     "rails:4x8",
        "torus:2x2x2x2", "mesh:2x2x2x2x2",   "mesh:3x3x3x2",    "torus:3x3x3x2",   "torus:2x3x2x3", "mesh:4x2x2x4",
        "mesh:2x3x4x2",  "torus:2x2x2x2x2x2"}) {
    EXPECT_GT(least_room(arrangement_of(*topology_named(name))), 0.1) << name;
  }
}

// Links of one column that go from slice to slice: the longer of two passes outside the other, and well apart from it
// where it bends the most.
TEST(Arrangement, LinksBetweenSlicesOfATorusLieWithinOneAnother) {
  const Shape shape{4, 4, 4};
  const Arrangement arrangement = arrangement_of(*topology_named("torus:4x4x4"));
  std::map<std::int64_t, std::vector<Curve>> columns;
  for (const Wire& wire : arrangement.wires) {
    const bool between = shape.coordinate(wire.a, 0) != shape.coordinate(wire.b, 0);
    if (!between || at(arrangement, wire.a).x != at(arrangement, wire.b).x) continue;
    columns[std::lround(100 * at(arrangement, wire.a).x)].push_back(curve_of(arrangement, wire));
  }
  EXPECT_EQ(columns.size(), 8u);
  for (auto& [x, column] : columns) {
    const auto length = [](const Curve& curve) { return std::abs(curve.to.y - curve.from.y); };
    std::sort(column.begin(), column.end(), [&](const Curve& a, const Curve& b) { return length(a) < length(b); });
    ASSERT_EQ(column.size(), 4u);
    for (std::size_t k = 1; k < column.size(); ++k) {
      EXPECT_GT(column[k].at(0.5).x, column[k - 1].at(0.5).x + 0.1);
      for (const Point& inner : column[k - 1].samples(0.05)) {
        for (const Point& outer : column[k].samples(0.05)) {
          EXPECT_TRUE(std::abs(outer.y - inner.y) > 0.03 || outer.x > inner.x);
        }
      }
    }
  }
}

TEST(Arrangement, OfRailsIsNotMuchWiderThanHigh) {
  for (const char* name : {"rails:3x8", "rails:4x8", "rails:8x4"}) {
    const Arrangement arrangement = arrangement_of(*topology_named(name));
    EXPECT_LT(arrangement.high.x - arrangement.low.x, 3 * (arrangement.high.y - arrangement.low.y)) << name;
  }
}

// Returns the unit squares around vertices and wires, as a share of those of the picture.
double used_share(const Arrangement& arrangement) {
  std::set<std::pair<int, int>> used;
  const auto take = [&](Point point) {
    used.emplace(static_cast<int>(std::floor(point.x - arrangement.low.x + 0.5)),
                 static_cast<int>(std::floor(point.y - arrangement.low.y + 0.5)));
  };
  for (const Vertex& vertex : arrangement.vertices) take(vertex.at);
  for (const Wire& wire : arrangement.wires) {
    for (const Point& point : curve_of(arrangement, wire).samples(0.1)) take(point);
  }
  const double all = (std::floor(arrangement.high.x - arrangement.low.x) + 1) *
                     (std::floor(arrangement.high.y - arrangement.low.y) + 1);
  return static_cast<double>(used.size()) / all;
}

TEST(Arrangement, LeavesNoEmptyAcres) {
  for (const TopologyPtr& network : networks()) {
    const Arrangement arrangement = arrangement_of(*network);
    if (!arrangement.note.empty()) continue;  // without cables there are but vertices
    EXPECT_GE(used_share(arrangement), 0.4) << network->name();
  }
}

// Long rings, lines and stars grow in both directions.
TEST(Arrangement, HasAboutTheShapeOfAScreen) {
  for (const char* name : {"ring:16", "ring:40", "ring:64", "linear:30", "linear:64", "star:40", "star:64", "tree:32",
                           "tree:64", "nvswitch:4x8", "mesh:2x4x4", "dragonfly:2x4x2", "torus:3x3x3", "torus:4x4x4"}) {
    const Arrangement arrangement = arrangement_of(*topology_named(name));
    const double shape = (arrangement.high.x - arrangement.low.x + 1) / (arrangement.high.y - arrangement.low.y + 1);
    EXPECT_GT(shape, 0.6) << name;
    EXPECT_LT(shape, 5) << name;
    EXPECT_LT(arrangement.high.x - arrangement.low.x, 22) << name;
  }
}

TEST(Arrangement, BoundsHoldVerticesAndCurves) {
  for (const TopologyPtr& network : networks()) {
    const Arrangement arrangement = arrangement_of(*network);
    constexpr double slack = 0.1;  // slack of the curves' ends
    for (const Wire& wire : arrangement.wires) {
      for (const Point& point : curve_of(arrangement, wire).samples(0.05)) {
        EXPECT_TRUE(point.x >= arrangement.low.x - slack && point.x <= arrangement.high.x + slack) << network->name();
        EXPECT_TRUE(point.y >= arrangement.low.y - slack && point.y <= arrangement.high.y + slack) << network->name();
      }
    }
  }
}

TEST(Arrangement, IsTheSameEveryTime) {
  for (const TopologyPtr& network : networks()) {
    const Arrangement once = arrangement_of(*network);
    const Arrangement again = arrangement_of(*network);
    for (int v = 0; v < static_cast<int>(once.vertices.size()); ++v) {
      EXPECT_EQ(at(once, v).x, at(again, v).x);
      EXPECT_EQ(at(once, v).y, at(again, v).y);
    }
  }
}

// A network from a file has the file's name.
TEST(Arrangement, IsThatOfNoFamilyWhereAFileIsCalledLikeOne) {
  const std::vector<Vertex> odd = arrangement_of(*odd_graph()).vertices;
  for (const char* name : {"ring:x8.json", "mesh:99999999999x4.json", "mesh:4x4.json", "ring:.json", "ring.json"}) {
    const std::vector<Vertex> named = arrangement_of(*odd_graph(name)).vertices;
    ASSERT_EQ(named.size(), odd.size());
    for (std::size_t v = 0; v < odd.size(); ++v) EXPECT_EQ(distance(named[v].at, odd[v].at), 0) << name;
  }
}

TEST(Arrangement, ARingIsACircleFromTheTopClockwise) {
  const Arrangement arrangement = arrangement_of(*topology_named("ring:8"));
  const double radius = std::hypot(at(arrangement, 0).x, at(arrangement, 0).y);
  for (int v = 0; v < 8; ++v) {
    EXPECT_NEAR(distance(at(arrangement, v), {0, 0}), radius, 1e-9);
    EXPECT_NEAR(distance(at(arrangement, v), at(arrangement, (v + 1) % 8)), 1, 1e-9);
  }
  EXPECT_LT(at(arrangement, 0).y, at(arrangement, 1).y);
  EXPECT_GT(at(arrangement, 1).x, 0);
  for (const Wire& wire : arrangement.wires)
    EXPECT_NEAR(distance(curve_of(arrangement, wire).at(0.5), {0, 0}), radius, 1e-9);
}

TEST(Arrangement, AMeshIsAGridWithArcsAround) {
  const Arrangement arrangement = arrangement_of(*topology_named("torus:3x4"));
  for (int v = 0; v < 12; ++v) {
    EXPECT_EQ(at(arrangement, v).x, v % 4);
    EXPECT_EQ(at(arrangement, v).y, v / 4);
  }
  int arcs = 0;
  for (const Wire& wire : arrangement.wires) arcs += wire.curved ? 1 : 0;
  EXPECT_EQ(arcs, 3 + 4);
  EXPECT_EQ(arrangement.wires.size(), 24u);
}

TEST(Arrangement, AHypercubeHasBinaryLabelsAlsoWhereRanksSitElsewhere) {
  const Arrangement plain = arrangement_of(*topology_named("hypercube:3"));
  const Arrangement ring = arrangement_of(*embedded(topology_named("hypercube:3"), ring_in_hypercube(3)));
  EXPECT_EQ(plain.vertices[6].detail, "110");
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(ring.vertices[static_cast<std::size_t>(rank)].detail,
              plain.vertices[static_cast<std::size_t>(gray_code(rank))].detail);
    EXPECT_EQ(at(ring, rank).x, at(plain, gray_code(rank)).x);
    EXPECT_NE(ring.wire_between(rank, (rank + 1) % 8), nullptr);
  }
  EXPECT_EQ(ring.wires.size(), 12u);
}

TEST(Arrangement, ATreeStandsOnItsRanks) {
  for (const char* name : {"tree:8", "fat-tree:3x2", "nvswitch:2x4"}) {
    const TopologyPtr tree = topology_named(name);
    const Arrangement arrangement = arrangement_of(*tree);
    for (int rank = 1; rank < tree->ranks(); ++rank) {
      EXPECT_EQ(at(arrangement, rank).y, at(arrangement, 0).y) << name;
      EXPECT_EQ(at(arrangement, rank).x, at(arrangement, rank - 1).x + 1) << name;
    }
    for (int v = tree->ranks(); v < tree->nodes(); ++v) EXPECT_LT(at(arrangement, v).y, at(arrangement, 0).y) << name;
    EXPECT_EQ(at(arrangement, tree->nodes() - 1).y, 0) << name << ": the root";
  }
}

TEST(Arrangement, LargeNetworksAreShownInPart) {
  std::vector<TopologyPtr> large{embedded(topology_named("hypercube:7"), ring_in_hypercube(7))};
  for (const char* name : {"ring:73", "torus:100x100", "hypercube:20", "full:1000", "tree:128", "dragonfly:4x4x4"})
    large.push_back(topology_named(name));
  for (const TopologyPtr& network : large) {
    const Arrangement arrangement = arrangement_of(*network);
    EXPECT_EQ(arrangement.vertices.size(), static_cast<std::size_t>(most_ranks_drawn)) << network->name();
    EXPECT_TRUE(arrangement.wires.empty()) << network->name();
    EXPECT_EQ(arrangement.note, "The cables of " + network->name() + " are not drawn.");
  }
}

}  // namespace
}  // namespace tutti::draw
