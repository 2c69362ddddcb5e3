/// @file
/// Laws of what stands beside ranks: on no arrow, on no vertex, on no other words, or told elsewhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "algorithms/catalogue.hpp"
#include "draw/layout/network_arrangement.hpp"
#include "draw/scene/scene_layout.hpp"
#include "draw/steps/rank_contents.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "topology/formats/named.hpp"
#include "unit/draw/hops.hpp"

namespace tutti::draw {
namespace {

// Words beside ranks: how many have an arrow through them, or lie on a vertex or on other words; and how many have no
// room there.
struct Words {
  std::size_t crossed = 0;
  std::size_t overlapping = 0;
  std::size_t without_room = 0;

  friend bool operator==(const Words&, const Words&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Words& words) {
    return out << words.crossed << " crossed, " << words.overlapping << " overlapping, " << words.without_room
               << " without room";
  }
};

constexpr Words all_clear{};

std::size_t crossed_by(const std::vector<ArrowHop>& hops, const std::vector<Box>& boxes) {
  return static_cast<std::size_t>(std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) {
    return std::any_of(hops.begin(), hops.end(), [&](const ArrowHop& hop) {
      const std::vector<Point> points = hop.curve.samples(1);
      return std::any_of(points.begin(), points.end(), [&](Point point) { return box.holds(point); });
    });
  }));
}

std::size_t overlapping_in(const Scene& scene) {
  std::size_t count = 0;
  for (std::size_t a = 0; a < scene.labels.size(); ++a) {
    const auto over = [&](const Box& other) { return scene.labels[a].width() > 0 && overlap(scene.labels[a], other); };
    const auto words = scene.labels.begin() + static_cast<std::ptrdiff_t>(a);
    if (std::any_of(scene.labels.begin(), words, over) || std::any_of(scene.bodies.begin(), scene.bodies.end(), over))
      ++count;
  }
  return count;
}

// Way of making room for words: a picture grows to keep them off arrows, or for the words alone, or not at all.
enum class Room { off_arrows, for_words, dense };

// Over all steps, as pictures are drawn first.
Words words_on(const std::string& network, Collective collective, const std::string& algorithm, const Shape& grid = {},
               Room room = Room::off_arrows) {
  const TopologyPtr topology = topology_named(network);
  Problem problem{.collective = collective, .ranks = topology->ranks()};
  problem.count = has_blocks(collective) ? 1 : problem.ranks;
  const Choice choice(algorithms::fitting(problem, algorithm), {.grid = grid});
  const ScheduleFrames frames = frames_of(record(choice, problem), *topology, {.last = 64});
  const Arrangement arrangement = arrangement_of(*topology);
  const RankContents contents(frames, arrangement);
  const Scene scene = room == Room::dense
                          ? dense_scene_of(arrangement, contents.label_sizes(), 90)
                          : scene_of(arrangement, contents.label_sizes(), 90,
                                     room == Room::off_arrows ? busy_wires(frames, arrangement) : std::vector<bool>());
  Words words;
  for (const Frame& frame : frames.shown) {
    const DrawnStep step = place_arrows(frame, arrangement, scene, coloring_of(frames, arrangement));
    const Scene moved = contents.beside_vertices(frame, false, scene, points_along(step));
    words.crossed += crossed_by(hops_of(step), moved.labels);
    words.overlapping += overlapping_in(moved);
    words.without_room += contents.without_room(frame, false, moved).size();
  }
  return words;
}

TEST(Words, StandOnNoArrow) {
  for (const char* network :
       {"ring:8", "ring:16", "mesh:3x4", "mesh:4x4", "torus:3x3", "mesh:3x3x3", "full:8", "star:8", "tree:8", "tree:16",
        "clos:4x2x2", "nvswitch:4x8", "dgx-1v", "dragonfly:2x2x1", "rails:3x4", "rails:2x4"}) {
    for (const char* algorithm : {"ring", "bruck"})
      EXPECT_EQ(words_on(network, Collective::all_gather, algorithm), all_clear) << network << " " << algorithm;
  }
}

// Words stand on another side of a rank if an edge of a hypercube leaves no room on one.
TEST(Words, HaveRoomOnHypercubes) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const char* network : {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6"}) {
    for (const char* algorithm : {"ring", "recursive-doubling"})
      EXPECT_EQ(words_on(network, Collective::all_gather, algorithm), all_clear) << network << " " << algorithm;
  }
  EXPECT_EQ(words_on("hypercube:5", Collective::all_gather, "mesh"), all_clear);
  EXPECT_LT(words_on("hypercube:6", Collective::all_gather, "bruck").without_room, 20u);  // among 384
}

// Words too wide to stand side by side below ranks stand below one another, and on no arrow above them.
TEST(Words, StandBelowOneAnotherWhereTheyAreWiderThanLeavesAreApart) {
  for (const char* network : {"fat-tree:4x2", "nvswitch:2x8", "numa:2x2x4"})
    EXPECT_EQ(words_on(network, Collective::reduce_scatter, "ring", {}, Room::for_words), all_clear) << network;
}

// Between slices there are arcs in all directions: a few long words have no room beside them.
TEST(Words, HaveRoomBetweenSlicesButForAFew) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  const auto all_gather = [](const char* network) { return words_on(network, Collective::all_gather, "mesh"); };
  EXPECT_EQ(all_gather("torus:3x3x3"), all_clear);
  EXPECT_EQ(all_gather("torus:3x4x5"), all_clear);
  EXPECT_LT(all_gather("torus:2x3x4").without_room, 6u);                                            // among 192
  EXPECT_LT(words_on("torus:4x4x4", Collective::all_gather, "mesh", {4, 4, 4}).without_room, 24u);  // among 576
  EXPECT_EQ(words_on("torus:4x4x4", Collective::all_gather, "ring"), all_clear);
  EXPECT_LT(words_on("torus:2x3x4", Collective::reduce_scatter, "mesh").without_room, 10u);
  EXPECT_EQ(words_on("torus:4x4", Collective::reduce_scatter, "mesh"), all_clear);
  EXPECT_EQ(words_on("torus:4x4x4", Collective::all_reduce, "recursive-doubling"), all_clear);
}

// In however little room, words lie on nothing: those without a place of their own are told elsewhere.
TEST(Words, LieOnNothingInDensePictures) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const char* network : {"torus:4x4x4", "hypercube:6"}) {
    const Words words = words_on(network, Collective::reduce_scatter, "mesh", {}, Room::dense);
    EXPECT_EQ(words.crossed + words.overlapping, 0u) << network;
    EXPECT_GT(words.without_room, 0u) << network;
    EXPECT_LT(words.without_room, 448u) << network;  // among 896
  }
}

}  // namespace
}  // namespace tutti::draw
