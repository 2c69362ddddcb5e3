/// @file
/// `tutti draw` and `tutti textbook --figures`: what they write, and that they write nothing where they cannot.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "support/command.hpp"
#include "support/drawing.hpp"
#include "support/sanitizers.hpp"
#include "support/xml.hpp"
#include "textbook/figures.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A folder of the test's own, gone afterwards.
class Draw : public testing::Test {
 protected:
  Draw() : folder_(fs::temp_directory_path() / ("tutti-draw-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Draw() override { fs::remove_all(folder_); }

  Ran tutti(const std::string& line) const { return run_command(TUTTI_COMMAND, words_of(line)); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool empty() const { return fs::is_empty(folder_); }

 private:
  fs::path folder_;
};

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(entry.path().filename().string());
  }
  return names;
}

std::vector<std::string> texts_in(const std::string& svg) {
  std::vector<std::string> texts;
  for (const Seen& seen : seen_in(svg)) {
    if (seen.element.name == "text") texts.push_back(seen.element.text);
  }
  return texts;
}

// Returns how many boxes are drawn around nodes.
int boxes_in(const std::string& svg) {
  constexpr std::string_view box = "rx=\"6\" fill=\"none\"";
  int boxes = 0;
  for (std::size_t at = svg.find(box); at != std::string::npos; at = svg.find(box, at + 1)) ++boxes;
  return boxes;
}

// Ranks are named by their nodes, which have a switch each where no network is named.
TEST_F(Draw, TellsNodesApart) {
  const std::string ring = "draw all-gather --algorithm ring --nodes 3+5+1 ";
  EXPECT_EQ(tutti(ring + "-o " + path("nodes.svg")).status, 0);
  const std::vector<std::string> texts = texts_in(content_of(path("nodes.svg")));
  // In each picture of the row: one of the begin, and one a step.
  constexpr int pictures = 9;
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "node 0"), 3 * pictures);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "node 1"), 5 * pictures);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "node 2"), 1 * pictures);
  EXPECT_THAT(texts, testing::Contains(testing::HasSubstr("3 + 5 + 1 ranks on 3 nodes by ring on nodes:3+5+1")));
  EXPECT_THAT(content_of(path("nodes.svg")), testing::HasSubstr("#d3e8f5"));
  EXPECT_EQ(boxes_in(content_of(path("nodes.svg"))), 3) << "a box a node";
  EXPECT_EQ(tutti(ring + "--topology ring:9 -o " + path("nodes.html")).status, 0);
  EXPECT_THAT(content_of(path("nodes.html")), testing::HasSubstr("node 2"));
  EXPECT_EQ(tutti("draw all-gather --algorithm ring --nodes 9 -o " + path("one.svg")).status, 0);
  EXPECT_THAT(content_of(path("one.svg")), testing::Not(testing::HasSubstr("node 0")));
}

TEST_F(Draw, WritesTheSteps) {
  const Ran ran = tutti("draw broadcast --algorithm binomial --topology ring:8 -o " + path("out.svg"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            path("out.svg") + ": broadcast of 8 elements over 8 ranks, root 0 by binomial on ring:8, 3 steps\n");
  EXPECT_THAT(texts_in(content_of(path("out.svg"))),
              testing::IsSupersetOf({"broadcast of 8 elements over 8 ranks, root 0 by binomial on ring:8", "Before",
                                     "Step 3: 4 messages of 8 elements"}));
}

TEST_F(Draw, ChoosesTheNetworkThatAnAlgorithmIsFor) {
  const auto title = [&](const std::string& line) {
    const Ran ran = tutti("draw " + line + " -o " + path("out.svg"));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return texts_in(content_of(path("out.svg"))).front();
  };
  using testing::EndsWith;
  EXPECT_THAT(title("all-gather --algorithm ring --ranks 5"), EndsWith(" by ring on ring:5"));
  EXPECT_THAT(title("broadcast --algorithm mesh --grid 3x4"), EndsWith(" by mesh on torus:3x4"));
  EXPECT_THAT(title("scan --algorithm recursive-doubling"), EndsWith(" on hypercube:3"));
  EXPECT_THAT(title("shift --algorithm gray-code --distance 3"), EndsWith(" on hypercube:3 (embedded)"));
  EXPECT_THAT(title("broadcast --algorithm binomial --ranks 6"), EndsWith(" on full:6"));
}

TEST_F(Draw, TakesTheCheapestAlgorithmAndSaysSo) {
  const Ran ran = tutti("draw one-to-all-broadcast --bytes 8 -o " + path("out.svg"));
  EXPECT_THAT(ran.out, testing::HasSubstr(" by binomial on hypercube:3, 3 steps\nbinomial is the cheapest of "));
}

TEST_F(Draw, SaysWhatItLeavesOut) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  const Ran ran = tutti("draw all-gather --algorithm ring --ranks 80 -o " + path("out.svg"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err,
            "tutti: Only the first 72 of 80 ranks are drawn.\ntutti: Only steps 1 to 64 of 79 are drawn.\n"
            "tutti: --steps 65..79 draws those that follow\n");
  expect_readable(content_of(path("out.svg")));
}

TEST_F(Draw, DrawsTheStepsThatAreAskedFor) {
  const std::string ring = "draw all-reduce --algorithm ring --ranks 8 ";
  EXPECT_EQ(tutti(ring + "-o " + path("all.svg")).err, "") << "14 steps are not too many";
  EXPECT_EQ(tutti(ring + "--steps 13..20 --columns 2 -o " + path("some.svg")).status, 0);
  const std::vector<std::string> texts = texts_in(content_of(path("some.svg")));
  EXPECT_THAT(texts, testing::IsSupersetOf({"Before", "Step 13: 8 messages of 1 element (all-gather)",
                                            "Step 14: 8 messages of 1 element (all-gather)"}));
  EXPECT_THAT(texts, testing::Not(testing::Contains("Step 12: 8 messages of 1 element (all-gather)")));
  EXPECT_EQ(tutti(ring + "--steps 5 -o " + path("one.html")).status, 0);
  EXPECT_THAT(content_of(path("one.html")), testing::HasSubstr("Only step 5 of 14 is drawn."));
}

// A rank that begins late is told, and its lateness is on the critical path.
TEST_F(Draw, TellsWhoWasLate) {
  const std::string ring = "draw all-reduce --algorithm ring --ranks 8 --bytes 8KiB --timeline -o " + path("late.svg");
  const std::string late = tutti(ring + " --skew 3:500us").out;
  EXPECT_THAT(late, testing::HasSubstr("\nLate: rank 3 by 500us\n"));
  EXPECT_THAT(late, testing::ContainsRegex("Critical path [^\n]*compute 500us"));
  EXPECT_THAT(tutti(ring).out, testing::Not(testing::HasSubstr("Late:")));
}

// Lateness reaches others over ranks that wait for less than half of the time of those behind them.
TEST_F(Draw, LongestWaitsNameTheRankThatWasLate) {
  for (const char* more : {"", " --tc 1ns", " --bytes 8KiB", " --bytes 8KiB --tc 1ns"}) {
    for (const char* late : {"3:5us", "0:20us", "7:12us"}) {
      const std::string out = tutti(std::string("draw all-reduce --algorithm ring --ranks 8 --skew ") + late + more +
                                    " --timeline -o " + path("late.svg"))
                                  .out;
      const std::string rank(1, late[0]);
      const std::string waits = out.substr(std::min(out.find("Longest waits: "), out.size()));
      EXPECT_THAT(waits, testing::MatchesRegex("Longest waits: (rank [0-7] [^ ]+ for (" + rank + "|[0-7] .held up by " +
                                               rank + ".)(, |\n)){3}(.|\n)*"))
          << late << more;
    }
  }
}

TEST_F(Draw, WritesPagesAndTimelines) {
  EXPECT_EQ(tutti("draw reduce --ranks 6 --algorithm binomial -o " + path("out.html")).status, 0);
  EXPECT_THAT(content_of(path("out.html")), testing::HasSubstr("reduce of 6 elements over 6 ranks"));
  EXPECT_EQ(tutti("draw reduce --ranks 6 --bytes 1KiB --ts 2us --timeline -o " + path("time.svg")).status, 0);
  EXPECT_EQ(tutti("draw reduce --ranks 6 --bytes 1KiB --timeline -o " + path("time.json")).status, 0);
  EXPECT_EQ(tutti("draw reduce --ranks 6 --bytes 1KiB --timeline -o " + path("time.html")).status, 0);
  EXPECT_EQ(tutti("draw --trace " + path("time.json") + " -o " + path("trace.svg")).status, 0);
}

// The algorithm that a title names: "all-reduce over 8 ranks of 1MiB by ring on ring:8, …".
std::string algorithm_titled(const std::string& text) {
  const std::size_t by = text.find(" by ");
  return by == std::string::npos ? text : text.substr(by + 4, text.find(" on ", by) - by - 4);
}

TEST_F(Draw, DrawsATimelineOfTheAlgorithmThatIsSimulated) {
  for (const char* network :
       {"ring:9", "ring:9 --skew 3:50us", "torus:4x4 --routing valiant:1", "clos:4x4x2 --routing ecmp:1",
        "fat-tree:4x2 --background 8", "ring:8 --eager 64KiB", "torus:3x3 --embedding line"}) {
    for (const char* collective : {"broadcast", "all-reduce", "all-gather"}) {
      const std::string asked = std::string(collective) + " --bytes 64KiB --topology " + network;
      const Ran simulated = tutti("simulate " + asked);
      const Ran drawn = tutti("draw " + asked + " --timeline -o " + path("timeline.svg"));
      ASSERT_EQ(simulated.status, 0) << asked << simulated.err;
      ASSERT_EQ(drawn.status, 0) << asked << drawn.err;
      EXPECT_EQ(algorithm_titled(drawn.out), algorithm_titled(simulated.out)) << asked;
    }
  }
}

struct Mistake {
  const char* line;  // FOLDER stands for the test's own
  const char* answer;
};

TEST_F(Draw, RefusesBadInputInOneLineAndWritesNothing) {
  for (const Mistake& mistake : {
           Mistake{"draw broadcast", "-o out.svg"},
           Mistake{"draw -o FOLDER/out.svg", "draw needs a collective"},
           Mistake{"draw broadcast --steps 9..3 -o FOLDER/out.svg", "the range of steps 9..3 is empty"},
           Mistake{"draw broadcast --steps 1..65 -o FOLDER/out.svg", "64 steps at most, not 65"},
           Mistake{"draw broadcast --steps 9 -o FOLDER/out.svg", "so no step 9"},
           Mistake{"draw broadcast --columns 0 -o FOLDER/out.svg", "a number of columns"},
           Mistake{"draw broadcast --columns 2 -o FOLDER/out.html", "leave --columns out"},
           Mistake{"draw broadcast --steps 2 --timeline -o FOLDER/out.svg", "--timeline"},
           Mistake{"draw broadcast -o FOLDER/none/out.svg", "no folder"},
           Mistake{"draw broadcast -o FOLDER/out.gif", "should end with .svg, .html, .pdf, .png or .tex"},
           Mistake{"draw broadcast -o FOLDER/out", "should end with .svg, .html, .pdf, .png or .tex"},
           Mistake{"draw broadcast -o FOLDER/out.json", "should end with .svg, .html, .pdf, .png or .tex"},
           Mistake{"draw broadcast --style block -o FOLDER/out.svg", "a style is steps or book, not 'block'"},
           Mistake{"draw broadcast --style book -o FOLDER/out.html", "the style book is printed"},
           Mistake{"draw broadcast --dual -o FOLDER/out.svg", "--dual requires --style"},
           Mistake{"draw shift --distance 1..7 -o FOLDER/out.svg", "add --style book"},
           Mistake{"draw shift --distance 1..7 --algorithm ring --style book -o FOLDER/out.svg",
                   "leave --algorithm out"},
           Mistake{"draw shift --distance 1..70 --style book -o FOLDER/out.svg", "64 distances at most, not 70"},
           Mistake{"draw broadcast --distance 1..3 --style book -o FOLDER/out.svg", "broadcast has no distance"},
           Mistake{"draw scan --style book --dual -o FOLDER/out.svg", "scan has no dual; leave --dual out"},
           Mistake{"draw --figure matrix-vectr -o FOLDER/out.svg", "the nearest is 'matrix-vector'"},
           Mistake{"draw broadcast --figure transpose -o FOLDER/out.svg", "leave broadcast out"},
           Mistake{"draw broadcast --ranks 1048576 -o FOLDER/out.svg", "1048576 ranks is too large to draw"},
           Mistake{"draw broadcast --topology full:1048576 -o FOLDER/out.html", "too large to draw"},
           Mistake{"draw broadcast --ranks 4..8 -o FOLDER/out.svg", "not a range"},
           Mistake{"draw broadcast --algorithm binomal -o FOLDER/out.svg", "the nearest is 'binomial'"},
           Mistake{"draw broadcast --topology rong:8 -o FOLDER/out.svg", "the nearest is 'ring'"},
           Mistake{"draw scan --root 1 -o FOLDER/out.svg", "scan has no root"},
           Mistake{"draw broadcast --ts 1us -o FOLDER/out.svg",
                   "--ts requires --timeline; add --timeline, or leave --ts out"},
           Mistake{"draw broadcast --routing valiant -o FOLDER/out.svg", "--routing requires --timeline"},
           Mistake{"draw broadcast --background 4 -o FOLDER/out.svg", "--background requires --timeline"},
           Mistake{"draw broadcast --injection 1ns -o FOLDER/out.svg", "--injection requires --timeline"},
           Mistake{"draw broadcast --eager 1KiB -o FOLDER/out.svg", "--eager requires --timeline"},
           Mistake{"draw --trace FOLDER/none.json -o FOLDER/out.svg", "cannot be read"},
           Mistake{"draw broadcast --trace FOLDER/none.json -o FOLDER/out.svg", "leave broadcast out"},
           Mistake{"draw broadcast --timeline --trace x.json -o FOLDER/out.svg", "excludes"},
           Mistake{"textbook --figures FOLDER/none", "no folder"},
       }) {
    std::string line = mistake.line;
    for (std::size_t at; (at = line.find("FOLDER")) != std::string::npos;) line.replace(at, 6, path(""));
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ": " << ran.err;
    EXPECT_THAT(ran.err, testing::HasSubstr(mistake.answer)) << line;
    EXPECT_TRUE(empty()) << line;
  }
}

TEST_F(Draw, NoHalfFileReplacesAWholeOne) {
  const std::string file = path("out.svg");
  std::ofstream(file) << "whole";
  const Ran ran = run_command(
      "/bin/bash", {"-c", "trap '' XFSZ; ulimit -f 1; exec " TUTTI_COMMAND " draw broadcast --ranks 64 -o " + file});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "tutti: the file '" + file + "' cannot be written: File too large; name another\n");
  EXPECT_EQ(content_of(file), "whole");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), fs::directory_iterator()), 1) << "nothing beside it";
}

// By structure and by texts: the last digit of a coordinate is the machine's own.
TEST_F(Draw, ThePlotOfTheReadmeIsUpToDate) {
  EXPECT_EQ(tutti("price all-reduce --ranks 64 --bytes 8..64MiB --plot " + path("plot.svg")).status, 0);
  EXPECT_EQ(texts_in(content_of(path("plot.svg"))),
            texts_in(content_of(TUTTI_PROJECT_DIR "/docs/plots/all-reduce.svg")))
      << "make figures";
}

std::vector<double> corners_of_lines(const std::string& file) {
  std::vector<double> corners;
  for (const Element& element : elements_of(file)) {
    if (element.name != "polyline") continue;
    std::string points = element.attributes.at("points");
    std::replace(points.begin(), points.end(), ',', ' ');
    std::istringstream numbers(points);
    for (double number = 0; numbers >> number;) corners.push_back(number);
  }
  return corners;
}

TEST_F(Draw, ThePlotOfOptimalityIsUpToDate) {
  EXPECT_EQ(tutti("list --optimality --plot " + path("plot.svg")).status, 0);
  const std::string drawn = content_of(path("plot.svg"));
  const std::string kept = content_of(TUTTI_PROJECT_DIR "/docs/plots/optimality.svg");
  EXPECT_EQ(texts_in(drawn), texts_in(kept)) << "make figures";
  const std::vector<double> corners = corners_of_lines(drawn);
  EXPECT_GT(corners.size(), 1000U);
  EXPECT_THAT(corners_of_lines(kept), testing::Pointwise(testing::DoubleNear(0.2), corners)) << "make figures";
}

TEST_F(Draw, FiguresOfTheDocumentationAreUpToDate) {
  EXPECT_EQ(tutti("textbook --figures " + path("")).status, 0);
  std::set<std::string> drawn;
  for (const auto& entry : fs::directory_iterator(path(""))) {
    const std::string name = entry.path().filename().string();
    drawn.insert(name);
    const std::vector<Seen> expected = seen_in(content_of(entry.path()));
    const std::vector<Seen> kept = seen_in(content_of(fs::path(TUTTI_PROJECT_DIR "/docs/figures") / name));
    ASSERT_EQ(kept.size(), expected.size()) << name << " is old: make figures";
    for (std::size_t k = 0; k < kept.size(); ++k) {
      EXPECT_EQ(kept[k].element.name, expected[k].element.name) << name;
      EXPECT_EQ(kept[k].element.text, expected[k].element.text) << name;
    }
  }
  EXPECT_EQ(drawn.size(), textbook::figures().size());
  EXPECT_EQ(files_in(TUTTI_PROJECT_DIR "/docs/figures"), drawn) << "docs/figures holds figures and nothing else";
}

// Every figure of the sources stands in the documentation with the command that draws it.
TEST_F(Draw, BookFiguresOfTheDocumentationAreUpToDate) {
  std::istringstream page(content_of(TUTTI_PROJECT_DIR "/docs/textbook.md"));
  const std::regex row(R"(\| `tutti ([^`]*)` \| .*?figures/book/([a-z0-9-]*?)(-1)?\.svg)");
  std::set<std::string> names;
  std::smatch found;
  for (std::string line; std::getline(page, line);) {
    if (!std::regex_search(line, found, row)) continue;
    EXPECT_TRUE(names.insert(found[2]).second) << found[2];
    const std::string file = path(found[2].str() + ".svg");
    std::string command = found[1].str();
    const std::size_t place = command.find("FILE.svg");
    place == std::string::npos ? command.append(" -o " + file) : command.replace(place, 8, file);
    EXPECT_EQ(tutti(command).status, 0) << line;
  }
  EXPECT_GE(names.size(), 20U);
  const std::set<std::string> drawn = files_in(path(""));
  EXPECT_EQ(files_in(TUTTI_PROJECT_DIR "/docs/figures/book"), drawn) << "make figures";
  for (const std::string& name : drawn)
    EXPECT_EQ(texts_in(content_of(path(name))),
              texts_in(content_of(fs::path(TUTTI_PROJECT_DIR "/docs/figures/book") / name)))
        << name << " is old: make figures";
}

// One panel a distance; where messages share links, arrows go straight, one a message.
TEST_F(Draw, DrawsSeveralDistancesSideBySide) {
  ASSERT_EQ(tutti("draw shift --distance 1..4 --topology ring:8 --style book -o " + path("shifts.svg")).status, 0);
  const std::string svg = content_of(path("shifts.svg"));
  EXPECT_THAT(texts_in(svg), testing::IsSupersetOf({"(a) 1-shift", "messages on a directed link"}));
  std::ptrdiff_t arrows = 0;
  for (std::size_t at = svg.find("class=\"arrow\""); at != std::string::npos; at = svg.find("class=\"arrow\"", at + 1))
    ++arrows;
  EXPECT_EQ(arrows, 4 * 8);
}

// PDF and PNG where rsvg-convert is installed, and one sentence where it is not; TikZ everywhere.
TEST_F(Draw, WritesOtherFormats) {
  const std::string ring = "draw all-gather --algorithm ring --ranks 16 --style book -o ";
  EXPECT_EQ(tutti(ring + path("ring.tex")).status, 0);
  EXPECT_THAT(content_of(path("ring-1.tex")), testing::HasSubstr("\\begin{tikzpicture}"));
  EXPECT_TRUE(fs::exists(path("ring-2.tex"))) << "16 networks have no room on a page";
  const bool is_installed = run_command("/bin/sh", {"-c", "command -v rsvg-convert"}).status == 0;
  for (const auto& [ending, magic] : {std::pair{"pdf", "%PDF"}, std::pair{"png", "\x89PNG"}}) {
    const std::string file = path(std::string("cube.") + ending);
    const Ran ran = tutti("draw broadcast --topology hypercube:3 --style book -o " + file);
    EXPECT_EQ(ran.status, is_installed ? 0 : 2) << ran.err;
    if (is_installed) {
      EXPECT_TRUE(content_of(file).starts_with(magic));
    }
  }
  const Ran without =
      run_command("/usr/bin/env", {"PATH=/none", TUTTI_COMMAND, "draw", "broadcast", "-o", path("x.pdf")});
  EXPECT_EQ(without.status, 2);
  EXPECT_EQ(without.err, "tutti: '" + path("x.pdf") +
                             "' needs rsvg-convert, which is not installed; install librsvg2-bin, or write " +
                             path("x.svg") + "\n");
}

// The rank that goes wrong has a frame about it in the last step, and a line below names the block.
TEST_F(Draw, TheGalleryMarksTheWrongBlock) {
  for (const auto& [name, line] :
       {std::pair{"bruck-as-printed", "In the broken frame, rank 0: output[1..2) is wrong"},
        std::pair{"ring-overwritten", "In the broken frame, rank 1: output[0..1) is wrong"}}) {
    EXPECT_EQ(tutti(std::string("gallery ") + name + " -o " + path("wrong.svg")).status, 0);
    EXPECT_THAT(texts_in(content_of(path("wrong.svg"))), testing::Contains(line));
    EXPECT_THAT(content_of(path("wrong.svg")), testing::HasSubstr("<g class=\"wrong\">"));
  }
}

// Panels of which two nearly fit a screen are made a little smaller: a column of them would be a scroll.
TEST_F(Draw, IsNoColumnOfPanels) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  for (const char* line :
       {"all-to-all --algorithm mesh --topology mesh:3x3", "all-to-all --algorithm tree --topology torus:4x4"}) {
    EXPECT_EQ(tutti(std::string("draw ") + line + " -o " + path("panels.svg")).status, 0);
    const Element frame = seen_in(content_of(path("panels.svg"))).front().element;
    EXPECT_LE(frame.number("height"), 2 * frame.number("width")) << line;
    expect_readable(content_of(path("panels.svg")));
  }
}

}  // namespace
}  // namespace tutti::test
