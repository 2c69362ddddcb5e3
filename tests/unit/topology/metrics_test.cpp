/// @file
/// The numbers of networks: what textbooks say of each family, and what every network's numbers have in common.

#include "topology/metrics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/integers.hpp"
#include "base/shape.hpp"
#include "support/sanitizers.hpp"
#include "topology/cuts/graph_cuts.hpp"
#include "topology/embedding.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

Metrics metrics(const std::string& words) { return metrics_of(*topology_named(words)); }

// Cables, diameter and bisection by A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing,
// 2nd ed., 2003, §2.4, table 2.1, for p ranks.
TEST(Metrics, AreTheTextbooks) {
  for (int d = 1; d <= 6; ++d) {
    const int p = 1 << d;
    const Metrics cube = metrics("hypercube:" + std::to_string(d));
    EXPECT_EQ(cube.cables, p * d / 2);
    EXPECT_EQ(cube.degree, d);
    EXPECT_EQ(cube.diameter, d);
    EXPECT_EQ(cube.bisection, p / 2.0);
    EXPECT_DOUBLE_EQ(*cube.mean_distance_with_self, d / 2.0);
    const Metrics tree = metrics("tree:" + std::to_string(p));
    EXPECT_EQ(tree.switches, p - 1);
    EXPECT_EQ(tree.cables, 2 * p - 2);
    EXPECT_EQ(tree.diameter, 2 * d);
    EXPECT_EQ(tree.bisection, 1.0);
  }
  for (int p = 3; p <= 12; ++p) {
    const Metrics line = metrics("linear:" + std::to_string(p));
    EXPECT_EQ(line.cables, p - 1);
    EXPECT_EQ(line.least_degree, 1);
    EXPECT_EQ(line.degree, 2);
    EXPECT_EQ(line.diameter, p - 1);
    EXPECT_DOUBLE_EQ(*line.mean_distance, (p + 1) / 3.0);
    const Metrics ring = metrics("ring:" + std::to_string(p));
    EXPECT_EQ(ring.cables, p);
    EXPECT_EQ(ring.least_degree, 2);
    EXPECT_EQ(ring.diameter, p / 2);
    const Metrics full = metrics("full:" + std::to_string(p));
    EXPECT_EQ(full.cables, p * (p - 1) / 2);
    EXPECT_EQ(full.degree, p - 1);
    const std::string square = std::to_string(p) + "x" + std::to_string(p);
    EXPECT_EQ(metrics("mesh:" + square).cables, 2 * p * (p - 1));
    EXPECT_EQ(metrics("mesh:" + square).diameter, 2 * (p - 1));
    EXPECT_EQ(metrics("torus:" + square).cables, 2 * p * p);
    EXPECT_EQ(metrics("torus:" + square).diameter, 2 * (p / 2));
  }
}

TEST(Metrics, AgreeWithOneAnotherAndWithAllPairs) {
  for (const char* words :
       {"linear:1",       "linear:2",     "ring:2",          "ring:5",      "mesh:3x4",  "torus:2x2",  "torus:2x5",
        "torus:3x4",      "torus:2x3x4",  "hypercube:0",     "hypercube:4", "full:1",    "full:7",     "star:6",
        "tree:8",         "fat-tree:4x2", "dragonfly:2x2x1", "dgx-1v",      "nvlink:4",  "nvswitch:8", "nvswitch:2x4",
        "fat-tree:3x2x2", "clos:2x3x2",   "clos:2x2x3x2x2",  "rails:3x4",   "numa:2x2x3"}) {
    SCOPED_TRACE(words);
    const TopologyPtr network = topology_named(words);
    const Metrics m = metrics_of(*network);
    EXPECT_EQ(m.ranks, network->ranks());
    EXPECT_EQ(m.ranks + m.switches, network->nodes());
    EXPECT_EQ(m.diameter, diameter(*network));
    EXPECT_NEAR(*m.mean_distance, mean_distance(*network), 1e-12);
    EXPECT_NEAR(*m.mean_distance_with_self * m.ranks, *m.mean_distance * (m.ranks - 1), 1e-9);
    EXPECT_EQ(m.links, 2 * m.cables);
    EXPECT_GE(m.lanes, m.cables);
    if (m.switches == 0) {
      EXPECT_LE(2 * m.cables, m.ranks * *m.degree);
      EXPECT_GE(2 * m.cables, m.ranks * *m.least_degree);
    }
    EXPECT_EQ(m.switch_degree.has_value(), m.switches > 0);
  }
}

// Every mesh and torus of up to three dimensions and 16 ranks.
TEST(Metrics, BisectionOfAGridIsItsNarrowestHalving) {
  for (const char* family : {"mesh", "torus"}) {
    for (int a = 1; a <= 16; ++a) {
      for (int b = 1; a * b <= 16; ++b) {
        for (int c = 1; a * b * c <= 16; ++c) {
          const TopologyPtr grid = topology_named(fmt::format("{}:{}x{}x{}", family, a, b, c));
          const auto searched = narrowest_halving(graph_of(*grid));
          if (const auto named = grid->bisection(); named && searched) {
            EXPECT_EQ(named, searched) << grid->name();
          }
          EXPECT_EQ(metrics_of(*grid).bisection, searched) << grid->name();
        }
      }
    }
  }
}

TEST(Metrics, BisectionIsKnownUpTo16RanksOfEveryFamily) {
  for (const char* words : {"rails:3x4", "rails:5x3", "clos:3x3x2", "fat-tree:3x2x2", "nvswitch:3x4", "torus:5x3",
                            "torus:3x5", "torus:7x2", "mesh:3x5", "dragonfly:2x2x1", "numa:3x1x3", "star:15"})
    EXPECT_TRUE(metrics(words).bisection) << words;
}

// Ranks that are numbered otherwise are not all alike by their name.
TEST(Metrics, OfAnEmbeddingAreThoseOfItsPlaces) {
  const TopologyPtr cube = topology_named("hypercube:3");
  const Metrics there = metrics_of(*embedded(cube, ring_in_hypercube(3)));
  EXPECT_EQ(there.diameter, 3);
  EXPECT_EQ(there.mean_distance, metrics_of(*cube).mean_distance);
}

TEST(Metrics, OfLargeNetworksLeaveOutWhatTakesTooLong) {
  const Metrics ring = metrics("ring:1048576");
  EXPECT_EQ(ring.cables, 1048576);
  EXPECT_EQ(ring.diameter, 524288);
  const Metrics mesh = metrics("mesh:128x128");
  EXPECT_EQ(mesh.cables, 2 * 128 * 127);
  EXPECT_EQ(mesh.diameter, std::nullopt);
  EXPECT_EQ(metrics("mesh:2048x2048").degree, std::nullopt);
  EXPECT_EQ(metrics("full:5000").cables, 5000.0 * 4999 / 2);
}

// Cables of rank 0 are those of all if every rank sees what rank 0 sees.
TEST(Metrics, OfLargeNetworksOfRanksThatAreAlikeHaveTheDegree) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const auto& [words, degree] : {std::pair("full:5000", 4999),
                                      {"ring:4194304", 2},
                                      {"torus:2048x2048", 4},
                                      {"torus:1024x2048x2", 5},
                                      {"hypercube:19", 19},
                                      {"star:3000000", 1},
                                      {"fat-tree:64x4", 1}}) {
    const Metrics large = metrics(words);
    EXPECT_EQ(large.degree, degree) << words;
    EXPECT_EQ(large.least_degree, degree) << words;
  }
}

}  // namespace
}  // namespace tutti
