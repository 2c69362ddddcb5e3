/// @file
/// `tutti list --optimality` and `tutti explain --order`: what they print, as text, as JSON and as a picture.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "schedule/model/problem.hpp"
#include "support/command_json.hpp"
#include "support/xml.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

TEST(ListOptimality, HasARowForEachCollectiveInEightyColumns) {
  setenv("COLUMNS", "80", 1);
  const Ran ran = tutti("list --optimality");
  unsetenv("COLUMNS");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::set<std::string> rows;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 82U) << line;  // a name with a letter of two bytes
    rows.insert(line.substr(0, line.find(' ')));
  }
  for (const Collective collective : all_collectives()) EXPECT_TRUE(rows.contains(std::string(name_of(collective))));
}

TEST(ListOptimality, SaysTheSameAsData) {
  const Json found = json("list all-reduce --optimality --json");
  const Json every = json("list all-reduce --optimality --every --json");
  EXPECT_EQ(every["points"].size(), 3U * 1023U);
  EXPECT_EQ(found["machine"]["ts"], 1e-6);
  ASSERT_FALSE(found["open"].empty());
  for (const Json& point : found["points"]) {
    for (const char* measure : {"rounds", "volume", "time"}) {
      const Json& standing = point[measure];
      EXPECT_DOUBLE_EQ(standing["factor"], standing["least"].get<double>() / standing["bound"].get<double>());
    }
    EXPECT_NE(std::find(every["points"].begin(), every["points"].end(), point), every["points"].end());
  }
}

TEST(ListOptimality, DrawsAPanelForEachCollective) {
  std::string folder = std::filesystem::temp_directory_path() / "tutti-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  EXPECT_EQ(tutti("list --optimality --plot " + folder + "/plot.svg").status, 0);
  std::ifstream file(folder + "/plot.svg");
  std::multiset<std::string> texts;
  for (const Element& element : elements_of(std::string{std::istreambuf_iterator<char>(file), {}})) {
    if (element.name == "text") texts.insert(element.text);
  }
  for (const Collective collective : all_collectives()) EXPECT_EQ(texts.count(std::string(name_of(collective))), 1U);
  EXPECT_EQ(texts.count("rounds"), 1U);
  std::filesystem::remove_all(folder);
}

TEST(ListOptimality, ChecksItsOptions) {
  EXPECT_EQ(tutti("list --every").status, 2);
  EXPECT_EQ(tutti("list --plot a.svg").status, 2);
  for (const char* other : {"--markdown", "--topologies", "--collectives"})
    EXPECT_EQ(tutti(std::string("list --optimality ") + other).status, 2) << other;
  EXPECT_EQ(tutti("list --optimality --plot plot.gif").status, 2);
}

TEST(ExplainOrder, PrintsEachOrderOnceAndWhereItChangesWithTheSize) {
  const Ran ran = tutti("explain all-reduce --algorithm ring --ranks 4 --order");
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* order : {"(0 + (1 + (2 + 3)))", "(((0 + 3) + 2) + 1)", "4 to 1048576  ring       4       3"})
    EXPECT_THAT(ran.out, HasSubstr(order));
  EXPECT_THAT(tutti("explain reduce --algorithm binomial --ranks 6 --order").out,
              HasSubstr("The order is the same for every size"));
}

// A scan's ranks are combined one after the other by either chain, in however many segments.
TEST(ExplainOrder, SaysWhereOrdersStayThoughTheChoiceChanges) {
  const std::string chosen = tutti("explain scan --order --ranks 3").out;
  EXPECT_THAT(chosen, HasSubstr("the orders stay as they are"));
  EXPECT_THAT(chosen, HasSubstr("to 1048576  chain-pipelined  3       2"));
  EXPECT_THAT(tutti("explain scan --order --ranks 3 --algorithm chain-pipelined").out,
              HasSubstr("The order is the same for every size"));
  for (const char* nothing : {"exclusive-scan --ranks 1", "all-reduce --ranks 3 --count 0"})
    EXPECT_THAT(tutti(std::string("explain --order ") + nothing).out, HasSubstr("No element is combined.")) << nothing;
}

TEST(ExplainOrder, HasTreesAsData) {
  const Json found = json("explain all-reduce --ranks 6 --order --json --count 6");
  ASSERT_EQ(found["results"].size(), 1U);
  EXPECT_EQ(found["results"][0]["tree"], Json::parse("[[[0,1],[2,3]],[4,5]]"));
  EXPECT_EQ(found["results"][0]["depth"], 3);
  EXPECT_EQ(found["results"][0]["ranks"], Json::parse("[0,1,2,3,4,5]"));
  EXPECT_EQ(found["results"][0]["elements"], Json::parse(R"([{"first":0,"count":6}])"));
  const Json& sizes = found["sizes"];
  ASSERT_GE(sizes.size(), 2U);  // short messages and long ones are not combined by the same algorithm
  EXPECT_NE(sizes.front()["algorithm"], sizes.back()["algorithm"]);
  EXPECT_EQ(sizes.front()["from_count"], 1);
  EXPECT_EQ(sizes.back()["to_count"], 1 << 20);
  // Up to the next power of two above 6 it is one order.
  ASSERT_GE(sizes.front()["to_count"], 8);
  EXPECT_EQ(sizes.front()["depth"], found["results"][0]["depth"]);
}

TEST(ExplainOrder, IsOfReductionsAlone) {
  const Ran ran = tutti("explain broadcast --order");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("broadcast combines nothing"));
}

}  // namespace
}  // namespace tutti::test
