/// @file
/// Steps as pictures: one panel a step, every message an arrow, every text readable.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/catalogue.hpp"
#include "draw/colors.hpp"
#include "draw/steps/arrows.hpp"
#include "draw/steps/steps.hpp"
#include "support/drawing.hpp"
#include "support/sanitizers.hpp"
#include "textbook/figures.hpp"
#include "topology/formats/named.hpp"

namespace tutti::draw {
namespace {

using test::Seen;

struct Picture {
  ScheduleFrames frames;
  std::string svg;
};

Picture picture_of(const Choice& choice, const Problem& problem, const Topology& topology, const Limits& limits = {}) {
  Picture picture{frames_of(record(choice, problem), topology, limits), {}};
  picture.svg = svg_of(picture.frames, arrangement_of(topology));
  return picture;
}

Picture picture_of(const textbook::Figure& figure) {
  return picture_of(figure.choice, figure.problem, *figure.topology);
}

Picture picture_on(const std::string& network, Collective collective, const std::string& algorithm,
                   const Limits& limits = {}) {
  const TopologyPtr topology = topology_named(network);
  Problem problem{.collective = collective, .ranks = topology->ranks()};
  problem.count = collective == Collective::barrier ? 0 : has_blocks(collective) ? 1 : problem.ranks;
  return picture_of(*algorithms::find(collective, algorithm), problem, *topology, limits);
}

std::vector<std::string> texts_in(const std::string& svg) {
  std::vector<std::string> texts;
  for (const Seen& seen : test::seen_in(svg)) {
    if (seen.element.name == "text") texts.push_back(seen.element.text);
  }
  return texts;
}

std::int64_t groups_in(const std::string& svg, const std::string& kind) {
  const std::vector<Seen> all = test::seen_in(svg);
  return std::count_if(all.begin(), all.end(), [&](const Seen& seen) {
    const auto found = seen.element.attributes.find("class");
    return found != seen.element.attributes.end() && found->second == kind;
  });
}

void expect_complete(const Picture& picture) {
  const ScheduleFrames& frames = picture.frames;
  EXPECT_EQ(groups_in(picture.svg, "panel"), static_cast<std::int64_t>(frames.shown.size()) + 1);
  std::int64_t arrows = 0;
  for (const Frame& frame : frames.shown) arrows += static_cast<std::int64_t>(frame.arrows.size());
  EXPECT_EQ(groups_in(picture.svg, "arrow"), arrows);
  const std::vector<std::string> texts = texts_in(picture.svg);
  for (std::size_t k = 0; k < frames.shown.size(); ++k) {
    for (const Arrow& arrow : frames.shown[k].arrows) {
      const bool named = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
        return text.find(arrow.content) != std::string::npos;
      });
      EXPECT_TRUE(named) << arrow.content;
    }
    for (const RankFrame& rank : frames.shown[k].ranks)
      EXPECT_THAT(texts, ::testing::IsSupersetOf(rank.after)) << "step " << k + 1;
  }
}

double width_of_picture(const std::string& svg) {
  const std::size_t at = svg.find("width=\"") + 7;
  return std::stod(svg.substr(at, svg.find('"', at) - at));
}

TEST(Steps, WithoutMessagesAreTheNetworkAlone) {
  for (const char* network : {"full:1", "ring:1"}) {
    const std::string svg = picture_on(network, Collective::all_gather, "ring").svg;
    EXPECT_THAT(texts_in(svg), ::testing::IsSupersetOf({"Nothing is sent.", "0"})) << network;
    test::expect_readable(svg);
  }
}

// At its full size a picture is no wider than a screen, however many ranks and steps it has.
TEST(Steps, FitAScreen) {
  constexpr double widest = 1700;
  for (const char* network : {"dragonfly:2x4x2", "nvswitch:8x8", "clos:8x8x4", "mesh:4x4x4", "linear:20", "full:64"}) {
    const std::string svg = picture_on(network, Collective::all_to_all, "bruck", {.last = 2}).svg;
    EXPECT_LE(width_of_picture(svg), widest) << network;
  }
  EXPECT_LE(width_of_picture(picture_on("ring:8", Collective::all_reduce, "ring").svg), widest);
  EXPECT_LE(width_of_picture(picture_on("hypercube:6", Collective::all_gather, "bruck").svg), widest);
}

// Contents without room beside a rank are told below its panel.
TEST(Steps, TellWhatEveryRankHolds) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  const Picture picture = picture_on("hypercube:6", Collective::reduce_scatter, "mesh", {.last = 1});
  std::vector<std::string> texts = texts_in(picture.svg);
  const std::vector<RankFrame>& ranks = picture.frames.shown.front().ranks;
  std::vector<std::string> beside;
  std::size_t below = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::string told = std::to_string(rank) + " holds ";
    for (const std::string& line : ranks[rank].after) told += (told.ends_with("holds ") ? "" : "; ") + line;
    const bool is_below = std::find(texts.begin(), texts.end(), told) != texts.end();
    below += is_below ? 1 : 0;
    if (!is_below) beside.insert(beside.end(), ranks[rank].after.begin(), ranks[rank].after.end());
  }
  // Each as often as there are ranks that hold it.
  std::sort(texts.begin(), texts.end());
  std::sort(beside.begin(), beside.end());
  EXPECT_TRUE(std::includes(texts.begin(), texts.end(), beside.begin(), beside.end()));
  EXPECT_GT(below, 0u);
  EXPECT_LT(below, ranks.size() / 2);
  test::expect_readable(picture.svg);
}

// Contents give way if they would make a picture much too wide, and a note says so.
TEST(Steps, SayWhatIsLeftOut) {
  constexpr const char* left_out = "There is no room for what ranks hold; a page, FILE.html, shows it.";
  const Picture large = picture_on("dragonfly:2x4x2", Collective::all_to_all, "bruck", {.last = 1});
  EXPECT_THAT(texts_in(large.svg), ::testing::Contains(left_out));
  EXPECT_EQ(groups_in(large.svg, "panel"), 1);
  const Picture small = picture_on("dragonfly:2x2x1", Collective::all_to_all, "bruck", {.last = 1});
  EXPECT_THAT(texts_in(small.svg), ::testing::Not(::testing::Contains(left_out)));
  EXPECT_EQ(groups_in(small.svg, "panel"), 2);
  for (const char* network : {"torus:3x3x3", "torus:3x4x4"}) {
    const Picture torus = picture_on(network, Collective::reduce_scatter, "mesh");
    EXPECT_THAT(texts_in(torus.svg), ::testing::Not(::testing::Contains(left_out))) << network;
  }
}

TEST(Steps, FiguresOfTheTextbookAreCompleteAndReadable) {
  for (const textbook::Figure& figure : textbook::figures()) {
    SCOPED_TRACE(std::string(figure.name));
    const Picture picture = picture_of(figure);
    EXPECT_TRUE(picture.frames.notes.empty());
    expect_complete(picture);
    test::expect_readable(picture.svg);
  }
}

TEST(Steps, EveryNetworkIsReadable) {
  for (const char* network : {"ring:8", "linear:8", "torus:2x4", "torus:2x2x2", "hypercube:3", "full:8", "star:8",
                              "tree:8", "fat-tree:2x3", "dgx-1v", "nvswitch:8", "nvswitch:2x4"}) {
    SCOPED_TRACE(network);
    const Picture picture = picture_on(network, Collective::all_reduce, "rabenseifner");
    expect_complete(picture);
    test::expect_readable(picture.svg);
  }
  test::expect_readable(picture_on("torus:3x3x3", Collective::broadcast, "mesh").svg);
  test::expect_readable(picture_on("full:20", Collective::barrier, "dissemination").svg);
  test::expect_readable(picture_on("dragonfly:1x3x1", Collective::all_gather, "ring").svg);
}

// The pixels of a picture, as its first element says.
std::pair<double, double> size_of(const std::string& svg) {
  const auto number = [&](const std::string& name) {
    return std::stod(svg.substr(svg.find(' ' + name + "=\"") + name.size() + 3));
  };
  return {number("width"), number("height")};
}

// Some dozens of ranks, before a step and after it, are no poster.
TEST(Steps, LargeNetworksHaveAboutTheSizeOfAScreen) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const char* network : {"mesh:4x4x4", "torus:4x4x4", "rails:4x8", "rails:8x8", "nvswitch:4x8", "fat-tree:4x3",
                              "clos:4x4x2", "star:64", "tree:64", "hypercube:6"}) {
    for (const auto& [collective, algorithm] :
         {std::pair{Collective::all_gather, "ring"}, std::pair{Collective::broadcast, "binomial"},
          std::pair{Collective::all_reduce, "recursive-doubling"}}) {
      const ScheduleFrames frames = picture_on(network, collective, algorithm, {.last = 1}).frames;
      const auto [width, height] = size_of(svg_of(frames, arrangement_of(*topology_named(network)), 1));
      EXPECT_LT(width, 2200) << network << ", " << algorithm;
      EXPECT_LT(height, 2 * 1600) << network << ", " << algorithm;
    }
  }
}

TEST(Steps, LargePicturesStaySmallFiles) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const char* algorithm : {"pairwise", "ring"}) {
    const Picture picture = picture_on("hypercube:6", Collective::all_to_all, algorithm, {.last = 12});
    EXPECT_EQ(picture.frames.shown.size(), 12u);
    EXPECT_LT(picture.svg.size(), std::size_t{2} << 20);
    test::expect_readable(picture.svg);
  }
  const Picture cut = picture_on("full:200", Collective::broadcast, "binomial");
  EXPECT_THAT(texts_in(cut.svg), ::testing::IsSupersetOf({"Only the first 72 of 200 ranks are drawn.",
                                                          "The cables of full:200 are not drawn.",
                                                          "Step 1: no message between drawn ranks"}));
  test::expect_readable(cut.svg);
}

TEST(Steps, ALegendSaysWhatColorsMean) {
  using ::testing::Contains;
  using ::testing::Not;
  const std::vector<std::string> ring = texts_in(picture_on("ring:4", Collective::all_reduce, "ring").svg);
  EXPECT_THAT(ring, ::testing::IsSupersetOf({"a message that its receiver stores",
                                             "a message that its receiver combines with what it holds"}));
  EXPECT_THAT(ring, Not(Contains("a switch")));
  const std::vector<std::string> gather = texts_in(picture_on("ring:4", Collective::all_gather, "ring").svg);
  EXPECT_THAT(gather, Contains("a message that its receiver stores"));
  EXPECT_THAT(gather, Not(Contains("a message that its receiver combines with what it holds")));
  EXPECT_THAT(texts_in(picture_on("star:4", Collective::all_gather, "ring").svg),
              ::testing::IsSupersetOf({"a message; colors only tell messages apart", "a switch"}));
}

// Prints without color tell the two kinds of messages apart by their lines, and so does the legend.
TEST(Steps, CombinedMessagesAreDashed) {
  const auto dashed = [](Collective collective) {
    std::int64_t arrows = 0;
    for (const Seen& seen : test::seen_in(picture_on("ring:4", collective, "ring").svg)) {
      const auto its = seen.element.attributes.find("stroke-dasharray");
      if (its != seen.element.attributes.end() && its->second == dashes_of(true)) ++arrows;
    }
    return arrows;
  };
  EXPECT_EQ(dashed(Collective::reduce_scatter), 3 * 4 + 1);
  EXPECT_EQ(dashed(Collective::all_reduce), 3 * 4 + 1);
  EXPECT_EQ(dashed(Collective::all_gather), 0);
}

TEST(Steps, ColumnsAreAsAskedFor) {
  const Picture picture = picture_on("ring:4", Collective::all_reduce, "ring");  // 7 panels
  for (const int columns : {1, 2, 3, 7, 50}) {
    const std::string svg = svg_of(picture.frames, arrangement_of(*topology_named("ring:4")), columns);
    std::map<double, int> panels_at;
    for (const Seen& seen : test::seen_in(svg)) {
      if (seen.element.name == "text" && (seen.element.text == "Before" || seen.element.text.starts_with("Step ")))
        ++panels_at[seen.top];
    }
    EXPECT_EQ(panels_at.begin()->second, std::min(columns, 7));
    EXPECT_EQ(static_cast<int>(panels_at.size()), (7 + columns - 1) / columns);
    test::expect_readable(svg);
  }
}

// Every color has one for dark ground, and no color of letters or lines is left as it was.
TEST(Steps, EveryColorHasADarkOne) {
  for (const textbook::Figure& figure : textbook::figures()) {
    for (const Seen& seen : test::seen_in(picture_of(figure).svg)) {
      for (const char* name : {"fill", "stroke"}) {
        const auto found = seen.element.attributes.find(name);
        if (found == seen.element.attributes.end() || found->second == "none") continue;
        EXPECT_TRUE(std::any_of(dark_colors.begin(), dark_colors.end(), [&](const DarkColor& color) {
          return color.on_white == found->second;
        })) << found->second;
      }
    }
  }
}

TEST(Steps, SayWhatMovesAndHowMuch) {
  const Picture picture = picture_on("hypercube:2", Collective::all_gather, "recursive-doubling");
  EXPECT_THAT(texts_in(picture.svg), ::testing::IsSupersetOf({"Before", "Step 1: 4 messages of 1 element",
                                                              "Step 2: 4 messages of 2 elements", "{0,1}", "{0..3}"}));
  // One size that differs from the others is said beside each.
  const Picture uneven = picture_on("full:5", Collective::all_gather, "bruck");
  EXPECT_THAT(texts_in(uneven.svg), ::testing::Contains("Step 3: 5 messages of 1 element"));
}

TEST(Steps, NothingToDoIsDrawnToo) {
  for (const char* network : {"ring:1", "full:1", "hypercube:0"}) {
    const Picture picture = picture_on(network, Collective::broadcast, "binomial");
    EXPECT_EQ(picture.frames.steps, 0);
    EXPECT_EQ(groups_in(picture.svg, "arrow"), 0);
    test::expect_readable(picture.svg);
  }
}

TEST(Steps, AreTheSameEveryTime) {
  for (const textbook::Figure& figure : textbook::figures()) EXPECT_EQ(picture_of(figure).svg, picture_of(figure).svg);
}

}  // namespace
}  // namespace tutti::draw
