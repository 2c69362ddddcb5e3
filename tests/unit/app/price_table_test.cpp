/// @file
/// Short tables: a line for each size or distance of `tutti price`, and rows of `tutti textbook` by pattern.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(PriceTable, HasALineForEachSize) {
  const std::string range = "price all-reduce --ranks 16 --bytes 8..1MiB";
  const std::string text = tutti(range).out;
  EXPECT_THAT(text, testing::AllOf(HasSubstr("RUNNER-UP"), HasSubstr("\n1KiB "), HasSubstr("Fastest, by size:"),
                                   HasSubstr("By the formulas:")));
  EXPECT_LT(lines_of(text), 50U);
  const std::string full = tutti(range + " --full").out;
  EXPECT_GT(lines_of(full), 5 * lines_of(text));
  EXPECT_THAT(full, HasSubstr("1KiB: no algorithm takes less than"));
}

// Winner and runner-up are the first two of the full tables.
TEST(PriceTable, NamesTheFirstTwo) {
  const std::string range = "price broadcast --topology torus:4x4 --bytes 64..64KiB";
  const std::string text = tutti(range).out;
  const Json prices = json(range + " --json");
  ASSERT_EQ(prices["sizes"].size(), 11U);
  for (const Json& size : prices["sizes"]) {
    const std::string label =
        tutti("price broadcast --ranks 2 --bytes " + std::to_string(size["bytes"].get<int>())).out;
    const std::string named = label.substr(label.find('\n') + 2, label.find(": no") - label.find('\n') - 2);
    const std::size_t begin = text.find("\n" + named + " ");
    ASSERT_NE(begin, std::string::npos) << named << '\n' << text;
    const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
    const std::vector<std::string> words = words_of(line);
    ASSERT_GE(words.size(), 5U) << line;
    EXPECT_EQ(words[1], size["algorithms"][0]["algorithm"]) << line;
    EXPECT_EQ(words[3], size["algorithms"][1]["algorithm"]) << line;
  }
}

TEST(PriceTable, ComparesWhatIsNamed) {
  const std::string text =
      tutti("price reduce --ranks 16 --bytes 8..1MiB --algorithm binomial,reduce-scatter-gather").out;
  EXPECT_THAT(text, testing::AllOf(HasSubstr("SIZE"), HasSubstr("binomial  reduce-scatter-gather  FASTEST"),
                                   HasSubstr(" to 1MiB: reduce-scatter-gather")));
  EXPECT_THAT(text, Not(HasSubstr("linear")));
  const Json one = json("price reduce --ranks 16 --bytes 8 --algorithm binomial,linear --json");
  EXPECT_EQ(one["sizes"][0]["algorithms"].size(), 2U);
  EXPECT_THAT(tutti("price reduce --ranks 16 --bytes 8 --algorithm binomial,linaer").err, HasSubstr("linear"));
}

TEST(PriceTable, HasALineForEachDistance) {
  const std::string line = "price shift --topology ring:8 --switching store-and-forward --bytes 1KiB";
  const Json all = json(line + " --distance 1..7 --json")["distances"];
  ASSERT_EQ(all.size(), 7U);
  for (const Json& each : all) {
    const Json alone = json(line + " --distance " + std::to_string(each["distance"].get<int>()) + " --json");
    EXPECT_EQ(each["sizes"], alone["sizes"]) << each["distance"];
  }
  EXPECT_THAT(tutti(line + " --distance 1..7").out, testing::AllOf(HasSubstr("DISTANCE"), HasSubstr("\n7 ")));
  EXPECT_EQ(tutti(line + " --distance 7..1").status, 2);
  EXPECT_EQ(tutti("price shift --ranks 8 --bytes 8..64 --distance 1..7").status, 2);
}

TEST(PriceTable, KeepsTheTextbooksAlgorithms) {
  std::vector<std::string> names;
  const Json priced = json("price broadcast --ranks 16 --bytes 1KiB --textbook --json");
  for (const Json& each : priced["sizes"][0]["algorithms"]) names.push_back(each["algorithm"]);
  EXPECT_THAT(names, testing::UnorderedElementsAre("linear", "binomial", "ring", "mesh", "scatter-all-gather"));
  EXPECT_EQ(tutti("price broadcast --ranks 16 --bytes 8 --textbook --algorithm ring").status, 2);
}

TEST(TextbookRows, AreNamedByPatterns) {
  const Json rows = json("textbook --row broadcast.* --json");
  EXPECT_GT(rows.size(), 5U);
  for (const Json& row : rows) EXPECT_THAT(row["id"].get<std::string>(), testing::StartsWith("broadcast."));
  EXPECT_EQ(tutti("textbook --row nothing.*").status, 2);
}

// The formula is in every row of a screen of 80 columns.
TEST(TextbookRows, KeepTheirFormulasOnNarrowScreens) {
  setenv("COLUMNS", "80", 1);
  const std::string text = tutti("textbook --row all-gather.*").out;
  unsetenv("COLUMNS");
  EXPECT_THAT(text, testing::AllOf(HasSubstr("FORMULA"), HasSubstr("CLOSED FORM"), HasSubstr("AGREE")));
}

}  // namespace
}  // namespace tutti::test
