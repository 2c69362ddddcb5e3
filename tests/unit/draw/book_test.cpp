/// @file
/// Figures for print: in pages, every message with the number of its step, and what textbooks write beside ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "draw/book/book.hpp"
#include "draw/book/gray_code_table.hpp"
#include "draw/book/matrix_vector.hpp"
#include "draw/steps/frames.hpp"
#include "draw/tikz.hpp"
#include "support/drawing.hpp"
#include "textbook/figures.hpp"
#include "topology/formats/named.hpp"
#include "tutti/error.hpp"

namespace tutti::draw {
namespace {

using test::Seen;
using ::testing::Contains;
using ::testing::IsSupersetOf;

std::vector<std::string> pages_of_figure(const textbook::Figure& figure, Paging paging = Paging::pages) {
  const BookSubject subject{.title = std::string(figure.caption),
                            .schedule = record(figure.choice, figure.problem),
                            .topology = *figure.topology};
  return pages_of(book_figure_of(subject), paging);
}

const textbook::Figure& figure_named(std::string_view name) {
  const auto all = textbook::figures();
  return *std::find_if(all.begin(), all.end(), [&](const textbook::Figure& figure) { return figure.name == name; });
}

std::vector<std::string> texts_in(const std::vector<std::string>& pages) {
  std::vector<std::string> texts;
  for (const std::string& page : pages) {
    for (const Seen& seen : test::seen_in(page)) {
      if (seen.element.name == "text") texts.push_back(seen.element.text);
    }
  }
  return texts;
}

// The least letters of the page in points, where a pixel is 1/96 inch, as far as they are made smaller.
double least_letters(const std::string& page) {
  double scale = 1;
  for (std::size_t at = page.find("scale("); at != std::string::npos; at = page.find("scale(", at + 1))
    scale = std::min(scale, std::stod(page.substr(at + 6)));
  double least = 100;
  for (const Seen& seen : test::seen_in(page)) {
    if (seen.element.name == "text") least = std::min(least, 0.75 * scale * seen.element.number("font-size"));
  }
  return least;
}

std::int64_t groups_in(const std::vector<std::string>& pages, const std::string& kind) {
  std::int64_t found = 0;
  for (const std::string& page : pages) {
    for (const Seen& seen : test::seen_in(page)) {
      const auto its = seen.element.attributes.find("class");
      if (its != seen.element.attributes.end() && its->second == kind) ++found;
    }
  }
  return found;
}

std::int64_t messages_of(const textbook::Figure& figure) { return figure.choice.claims(figure.problem, {}).messages; }

TEST(Book, FiguresOfTheTextbookFitPagesAndAreReadable) {
  for (const textbook::Figure& figure : textbook::figures()) {
    SCOPED_TRACE(figure.name);
    for (const std::string& page : pages_of_figure(figure)) {
      const auto frame = test::seen_in(page).front().element;
      EXPECT_LE(frame.number("width"), page_area.width);
      EXPECT_LE(frame.number("height"), page_area.height);
      test::expect_readable(page);
      EXPECT_GE(least_letters(page), 8);
    }
    EXPECT_EQ(pages_of_figure(figure), pages_of_figure(figure));
    EXPECT_EQ(pages_of_figure(figure, Paging::whole).size(), 1U);
  }
}

// One network has all messages, each with the number of its step.
TEST(Book, NumbersStepsInOneNetworkWhereACollectiveHasARoot) {
  for (const char* name : {"broadcast-ring", "broadcast-ring-doubling", "broadcast-mesh", "broadcast-mesh-doubling",
                           "broadcast-hypercube", "reduce-ring", "reduce-ring-doubling", "scatter-hypercube"}) {
    SCOPED_TRACE(name);
    const textbook::Figure& figure = figure_named(name);
    const std::vector<std::string> pages = pages_of_figure(figure);
    ASSERT_EQ(pages.size(), 1U);
    EXPECT_EQ(groups_in(pages, "part"), 1);
    EXPECT_EQ(groups_in(pages, "root"), 1);
    EXPECT_EQ(groups_in(pages, "arrow"), messages_of(figure));
    const std::vector<std::string> texts = texts_in(pages);
    const std::int64_t steps = figure.choice.claims(figure.problem, {}).rounds;
    const ScheduleFrames frames = frames_of(record(figure.choice, figure.problem), *figure.topology);
    ASSERT_EQ(frames.steps, steps);
    for (int step = 1; step <= steps; ++step) {
      const auto messages = static_cast<std::ptrdiff_t>(frames.shown[static_cast<std::size_t>(step) - 1].arrows.size());
      EXPECT_EQ(std::count(texts.begin(), texts.end(), std::to_string(step)), 1 + messages) << "a rank, and messages";
    }
  }
}

// Messages of a reduction in one network have no names, so that a note on names would speak of nothing.
TEST(Book, HasNotesOnWhatItShows) {
  EXPECT_THAT(texts_in(pages_of_figure(figure_named("reduce-ring"))),
              ::testing::Not(Contains(::testing::HasSubstr("contribution"))));
  EXPECT_THAT(texts_in(pages_of_figure(figure_named("all-reduce-ring"))),
              Contains(::testing::HasSubstr("contribution")));
}

TEST(Book, IsBlackOnWhiteButForTheNetwork) {
  for (const textbook::Figure& figure : textbook::figures()) {
    for (const std::string& page : pages_of_figure(figure)) {
      for (const char* color : {"#0072b2", "#d55e00", "#009e73"})
        EXPECT_EQ(page.substr(page.find("</style>")).find(color), std::string::npos) << figure.name;
    }
  }
}

TEST(Book, PrefixSumsHaveBracketsParenthesesAndAllMessages) {
  const std::vector<std::string> pages = pages_of_figure(figure_named("scan-hypercube"));
  EXPECT_EQ(groups_in(pages, "part"), 4);
  EXPECT_EQ(groups_in(pages, "arrow"), 3 * 8);
  const std::vector<std::string> texts = texts_in(pages);
  EXPECT_THAT(texts, IsSupersetOf({"[0]", "(0)", "[0,1]", "(0,1)", "[4..6]", "(4..7)", "[0..7]", "[0..4]"}));
}

TEST(Book, MatricesTellTheBlocksOfEachRank) {
  const std::vector<std::string> pages = pages_of_figure(figure_named("all-to-all-mesh"));
  const std::vector<std::string> texts = texts_in(pages);
  // At the start, after the rows and after the columns, 81 blocks each.
  constexpr int matrices = 3;
  for (const char* block : {"0,0", "8,0", "3,7"}) EXPECT_EQ(std::count(texts.begin(), texts.end(), block), matrices);
  EXPECT_THAT(texts, IsSupersetOf({"rank 0", "rank 8"}));
}

TEST(Book, TheGrayCodeTableIsReflected) {
  const std::vector<std::string> texts = texts_in(pages_of({"", {gray_code_table(3)}, {}}));
  EXPECT_THAT(texts,
              IsSupersetOf({"0", "1", "00", "01", "11", "10", "000", "001", "011", "010", "110", "111", "101", "100"}));
  EXPECT_THROW(gray_code_table(6), Error);
}

TEST(Book, DualsStandSideBySide) {
  const textbook::Figure& first = figure_named("broadcast-ring-doubling");
  const textbook::Figure& second = figure_named("reduce-ring-doubling");
  const auto subject = [](const textbook::Figure& figure, std::string title) {
    return BookSubject{
        .title = std::move(title), .schedule = record(figure.choice, figure.problem), .topology = *figure.topology};
  };
  const auto pages = pages_of(dual_figure_of(subject(first, "one"), subject(second, "other")));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(groups_in(pages, "part"), 2);
  EXPECT_THAT(texts_in(pages), IsSupersetOf({"(a) one", "(b) other"}));
  // In one row: the captions are at one height.
  double heights[2] = {0, 0};
  for (const Seen& seen : test::seen_in(pages.front())) {
    if (seen.element.text == "(a) one") heights[0] = seen.top;
    if (seen.element.text == "(b) other") heights[1] = seen.top;
  }
  EXPECT_EQ(heights[0], heights[1]);
}

TEST(Book, MatrixVectorBroadcastsDownAndSumsAlong) {
  const std::vector<std::string> pages = pages_of(matrix_vector_figure(4));
  EXPECT_THAT(texts_in(pages), IsSupersetOf({"a00, x0", "a33", "a12 x2", "x3", "y0", "y3"}));
  EXPECT_EQ(groups_in(pages, "arrow"), 2 * 4 * 3);
  EXPECT_THROW(matrix_vector_figure(3), Error);
}

// A figure that does not fit a page is cut into several; asked for whole, it is one.
TEST(Book, LargeFiguresHavePages) {
  const TopologyPtr ring = topology_named("ring:16");
  const Problem problem{.collective = Collective::all_gather, .ranks = 16, .count = 1};
  const BookSubject subject{.title = "large",
                            .schedule = record(Choice(*algorithms::find(Collective::all_gather, "ring"), {}), problem),
                            .topology = *ring};
  const BookFigure figure = book_figure_of(subject);
  const std::vector<std::string> pages = pages_of(figure);
  EXPECT_GT(pages.size(), 1U);
  EXPECT_EQ(groups_in(pages, "part"), 16);
  EXPECT_EQ(groups_in(pages_of(figure, Paging::whole), "part"), 16);
}

std::int64_t count_of(const std::string& text, std::string_view part) {
  std::int64_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Tikz, HasEveryTextAndClosesEveryScope) {
  for (const textbook::Figure& figure : textbook::figures()) {
    for (const std::string& page : pages_of_figure(figure)) {
      const std::string tikz = tikz_of(page);
      EXPECT_EQ(count_of(tikz, "\\node["), count_of(page, "<text ")) << figure.name;
      EXPECT_EQ(count_of(tikz, "\\begin{scope}"), count_of(tikz, "\\end{scope}")) << figure.name;
      EXPECT_EQ(count_of(tikz, "\n\\path["), count_of(page, "<rect ") + count_of(page, "<line ") +
                                                 count_of(page, "<path ") + count_of(page, "<poly"))
          << figure.name;
    }
  }
}

TEST(Tikz, KeepsPlacesColorsAndReservedLetters) {
  Svg svg(100, 50, "t");
  svg.line({1, 2}, {3, 4.5}, {.color = "#0072b2", .width = 2, .dashes = "4 2"});
  svg.text({5, 6}, "{0..3} → 5 & 100%", {.size = 12, .anchor = Anchor::middle, .bold = true});
  const std::string tikz = tikz_of(svg.str());
  EXPECT_THAT(tikz, testing::HasSubstr("\\definecolor{tutti0072b2}{HTML}{0072B2}"));
  EXPECT_THAT(tikz, testing::HasSubstr("draw=tutti0072b2,line width=1.50bp,dash pattern=on 3.00bp off 1.50bp"));
  EXPECT_THAT(tikz, testing::HasSubstr("(1.00,2.00) -- (3.00,4.50)"));
  EXPECT_THAT(tikz, testing::HasSubstr("{\\{0..3\\} $\\rightarrow$ 5 \\& 100\\%}"));
}

}  // namespace
}  // namespace tutti::draw
