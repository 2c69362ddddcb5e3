/// @file
/// `tutti price --plot`: its lines, its flags and its sentences.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/sanitizers.hpp"
#include "support/xml.hpp"

namespace tutti::test {
namespace {

class PricePlot : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / "tutti-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Ran price(const std::string& line) const { return run_command(TUTTI_COMMAND, words_of("price " + line)); }

  std::vector<Element> plot(const std::string& line) const {
    const Ran ran = price(line + " --plot " + folder + "/plot.svg");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return plotted();
  }

  /// Returns the elements of the last plot.
  std::vector<Element> plotted() const {
    std::ifstream file(folder + "/plot.svg");
    return elements_of(std::string{std::istreambuf_iterator<char>(file), {}});
  }

  std::string folder;
};

std::vector<std::string> texts_of(const std::vector<Element>& elements) {
  std::vector<std::string> texts;
  for (const Element& element : elements) {
    if (element.name == "text") texts.push_back(element.text);
  }
  return texts;
}

std::ptrdiff_t count(const std::vector<Element>& elements, const std::string& name) {
  return std::count_if(elements.begin(), elements.end(), [&](const Element& e) { return e.name == name; });
}

TEST_F(PricePlot, HasALineForEachOfAFewAlgorithmsAndTheBound) {
  const std::string names = "ring,mesh,direct,flat,two-tree,rabenseifner,recursive-doubling";
  const auto elements = plot("all-reduce --ranks 16 --bytes 1KiB..1MiB --algorithm " + names);
  const auto ranked = nlohmann::json::parse(
      price("all-reduce --ranks 16 --bytes 1KiB --json --algorithm " + names).out)["sizes"][0]["algorithms"];
  std::ptrdiff_t lines = 1;
  for (const auto& offer : ranked) {
    if (offer["seconds"].is_null()) continue;
    ++lines;
    EXPECT_THAT(texts_of(elements), testing::Contains(offer["algorithm"].get<std::string>()));
  }
  EXPECT_EQ(count(elements, "polyline"), lines);
  EXPECT_THAT(texts_of(elements), testing::IsSupersetOf({"lower bound", "1KiB", "1MiB", "all-reduce over full:16"}));
}

// Six of many algorithms that nobody named are drawn: the winners, and those nearest to them.
TEST_F(PricePlot, HasSixLinesAtMostThatNobodyNamed) {
  const std::string line = "all-reduce --ranks 64 --bytes 8..64MiB";
  const auto elements = plot(line);
  EXPECT_LE(count(elements, "polyline"), 6 + 1) << "and the bound";
  EXPECT_GT(count(elements, "polyline"), 3);
  EXPECT_THAT(texts_of(elements),
              testing::IsSupersetOf({testing::MatchesRegex("[3-6] of [0-9]+ algorithms, nearest to the fastest; "
                                                           "--algorithm a,b,c draws others"),
                                     testing::MatchesRegex("on lines that are drawn lie: .*circulant.*")}));
  const auto winners = nlohmann::json::parse(price(line + " --json").out)["winners"];
  for (const auto& winner : winners)
    EXPECT_THAT(texts_of(elements), testing::Contains(testing::StartsWith(winner["algorithm"].get<std::string>())));
  const auto named = texts_of(plot(line + " --algorithm flat,ring"));
  EXPECT_THAT(named, testing::IsSupersetOf({"flat", "ring", "lower bound"}));
  EXPECT_THAT(named, testing::Not(testing::Contains("rabenseifner")));
}

TEST_F(PricePlot, FlagsTheSizesThatTheTextNames) {
  for (const std::string line : {"all-reduce --ranks 13 --bytes 1B..1MiB", "all-to-all --ranks 7 --bytes 1KiB",
                                 "broadcast --ranks 64 --bytes 0..1GiB"}) {
    const auto winners = nlohmann::json::parse(price(line + " --json").out)["winners"];
    const auto elements = plot(line);
    std::ptrdiff_t flags = 0;
    for (std::size_t k = 1; k < winners.size(); ++k) {
      if (winners[k]["from_bytes"] <= 1) continue;  // the axis begins there
      ++flags;
      EXPECT_THAT(texts_of(elements), testing::Contains(testing::AllOf(
                                          testing::StartsWith("from "),
                                          testing::EndsWith(": " + winners[k]["algorithm"].get<std::string>()))));
    }
    EXPECT_GT(flags, 0) << line;
    const std::vector<std::string> texts = texts_of(elements);
    EXPECT_EQ(flags, std::count_if(texts.begin(), texts.end(),
                                   [](const std::string& text) { return text.starts_with("from "); }))
        << line;
    EXPECT_GE(count(elements, "circle"), 2 * flags) << line;
  }
}

TEST_F(PricePlot, MarksWhatIsSimulatedAndNamesWhatIsTooLarge) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  const auto texts = texts_of(
      plot("broadcast --topology torus:8x8 --switching store-and-forward --bytes 1KiB --algorithm mesh,binomial"));
  EXPECT_THAT(texts, testing::Contains("mesh"));
  EXPECT_THAT(texts, testing::Contains("binomial (simulated)"));
  const auto large =
      texts_of(plot("broadcast --topology hypercube:12 --switching store-and-forward --bytes 1KiB..64KiB"));
  EXPECT_THAT(large, testing::Contains("binomial"));
  EXPECT_THAT(large, testing::Contains(
                         testing::AllOf(testing::StartsWith("without a closed form here, and too large to simulate: "),
                                        testing::HasSubstr("scatter-all-gather"))));
}

// A plot's effort is no share of that of the listed sizes.
TEST_F(PricePlot, LeavesTheListedSizesAsTheyAreWithoutIt) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  const std::string line = "all-reduce --topology torus:8x8 --bytes 1MiB";
  const Ran drawn = price(line + " --json --plot " + folder + "/plot.svg");
  EXPECT_EQ(drawn.out, price(line + " --json").out);
  const auto texts = texts_of(plotted());
  const auto listed = nlohmann::json::parse(drawn.out);
  const auto& fastest = listed["sizes"][0]["algorithms"][0];
  EXPECT_THAT(texts, testing::Contains(testing::StartsWith(fastest["algorithm"].get<std::string>())));
}

// A message of no bytes has no place on the axis.
TEST_F(PricePlot, NamesNoWinnerOfSizesThatAreNotDrawn) {
  const std::string file = folder + "/plot.svg";
  ASSERT_EQ(price("all-reduce --ranks 7 --bytes 0..8 --plot " + file).status, 0);
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(svg, testing::HasSubstr("the fastest, from small sizes to large: recursive-doubling<"));
}

TEST_F(PricePlot, RefusesInOneSentenceAndLeavesNoFile) {
  const auto refuses = [&](const std::string& line, const std::string& sentence) {
    const Ran ran = price(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_THAT(ran.err, testing::HasSubstr(sentence)) << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  const std::string to = " --plot " + folder + "/plot.svg";
  refuses("barrier --ranks 4" + to, "a barrier has no sizes");
  refuses("broadcast --ranks 4 --bytes 8 --plot " + folder + "/plot.gif", "should end with .svg, .pdf, .png or .tex");
  refuses("broadcast --ranks 4 --bytes 8 --plot " + folder + "/no/plot.svg", "there is no folder '" + folder + "/no'");
  refuses("broadcast --ranks 1 --bytes 8" + to, "takes no time");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::create_directory(folder + "/taken.svg");
  refuses("broadcast --ranks 4 --bytes 8 --plot " + folder + "/taken.svg", "cannot be written");
}

TEST_F(PricePlot, LeavesNoHalfFileWhereTheDiskIsFull) {
  const std::string line = TUTTI_COMMAND " price all-reduce --ranks 16 --bytes 1B..1GiB --plot " + folder + "/plot.svg";
  const Ran ran = run_command("/bin/bash", {"-c", "trap '' XFSZ; ulimit -f 4; exec " + line});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, testing::HasSubstr("plot.svg' cannot be written"));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace tutti::test
