/// @file
/// --nodes: how it is read, and what `tutti explain` and `tutti verify` say of it.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "algorithms/catalogue.hpp"
#include "app/options/node_options.hpp"
#include "app/reports/proof_report.hpp"
#include "app/reports/proofs.hpp"
#include "support/command_json.hpp"

namespace tutti::test {
namespace {

// A text that is right where rank 1 shares rank 0's node.
void broken_between_nodes(Script& me, const Problem&) {
  if (me.rank() == 0) me.send(me.message(), 1);
  if (me.rank() == 1 && me.layout().node_of(0) == me.layout().node_of(1)) me.receive(me.message(), 0);
}

TEST(Verify, ProvesWithTheLayoutAndSaysWhoAsksForIt) {
  const Algorithm algorithm{.collective = Collective::broadcast,
                            .name = "broken",
                            .record = broken_between_nodes,
                            .claims = [](const Problem&) { return Claims(); }};
  const std::vector<app::Case> cases{{algorithm, {.collective = Collective::broadcast, .ranks = 2, .count = 2}},
                                     {*algorithms::find(Collective::broadcast, "ring"),
                                      {.collective = Collective::broadcast, .ranks = 2, .count = 2}}};
  for (const std::vector<int>& nodes : {std::vector<int>{2}, {1, 1}}) {
    const Layout layout = Layout::of_nodes(nodes);
    const auto verdicts = app::prove(cases, 2, {}, layout);
    ASSERT_EQ(verdicts.size(), 2u);
    EXPECT_EQ(verdicts[0].failed, nodes.size() == 1 ? 0 : 1);
    EXPECT_EQ(verdicts[1].failed, 0);
    EXPECT_TRUE(verdicts[0].asks_layout);
    EXPECT_FALSE(verdicts[1].asks_layout);
    const std::string text = app::report(verdicts, {2, 2}, false, layout).text;
    const Json fields = Json::parse(app::report(verdicts, {2, 2}, true, layout).text);
    EXPECT_THAT(text, testing::HasSubstr("asked for by broadcast by broken; the other proofs hold for every layout"));
    EXPECT_EQ(fields["layout"], Json({{"nodes", nodes}, {"asked_by", {"broadcast by broken"}}}));
  }
}

TEST(Verify, TakesNodes) {
  const Json fields = json("verify all-gather --nodes 3+5+1 --json");
  EXPECT_EQ(fields["failed"], 0);
  EXPECT_EQ(fields["layout"],
            Json({{"nodes", {3, 5, 1}}, {"asked_by", {"all-gather by leaders", "all-gather by multi-leader"}}}));
  EXPECT_THAT(tutti("verify all-gather --algorithm ring --nodes 3+5+1").out,
              testing::HasSubstr("3 + 5 + 1 ranks on 3 nodes: no algorithm asks where its ranks are"));
}

TEST(Nodes, AreReadAsTheyAreWritten) {
  for (const std::vector<int>& nodes : {std::vector<int>{1}, {3, 5, 1}, {16777215, 1}})
    EXPECT_EQ(app::parse_nodes(fmt::format("{}", fmt::join(nodes, "+"))), nodes);
}

TEST(Nodes, MayBeAlike) {
  EXPECT_EQ(app::parse_nodes("16x8"), std::vector<int>(16, 8));
  EXPECT_EQ(app::parse_nodes("2x4+1"), (std::vector<int>{4, 4, 1}));
  for (const char* text : {"16x", "x8", "0x8", "16x0", "2x3x4", "99999999x99999999"})
    EXPECT_EQ(tutti(std::string("explain all-gather --algorithm ring --nodes ") + text).status, 2) << text;
}

// Ranks of a node combine in 3 + 3 rounds of 1us, leaders in 4 of 100us; the ring goes 30 times over a link between.
TEST(Simulate, TakesCostsInsideAndOutsideOfNodes) {
  const std::string costs = " --nodes 16x8 --bytes 128 --tw 0ns --ts-inside 1us --ts-outside 100us --json";
  EXPECT_NEAR(json("simulate all-reduce --algorithm leaders" + costs)["seconds"], 406e-6, 1e-12);
  EXPECT_NEAR(json("simulate all-reduce --algorithm recursive-doubling" + costs)["seconds"], 403e-6, 1e-12);
  EXPECT_GE(json("simulate all-reduce --algorithm ring" + costs)["seconds"], 3000e-6);
  // All eight ranks of a node send over its link at a time.
  const std::string bytes = " --nodes 16x8 --bytes 128 --ts 0us --tw-inside 0ns --tw-outside 1us --json";
  EXPECT_NEAR(json("simulate all-reduce --algorithm leaders" + bytes)["seconds"], 4 * 128e-6, 1e-12);
  EXPECT_NEAR(json("simulate all-reduce --algorithm recursive-doubling" + bytes)["seconds"], 8 * 4 * 128e-6, 1e-12);
}

TEST(Simulate, RefusesCostsOfNodesWithoutNodes) {
  for (const char* rest : {"--ranks 8", "--nodes 4+4 --topology ring:8"}) {
    const auto said = tutti(std::string("simulate all-reduce --bytes 8 --ts-inside 1us ") + rest);
    EXPECT_EQ(said.status, 2);
    EXPECT_THAT(said.err, testing::HasSubstr("--ts-outside"));
  }
}

TEST(Price, SaysWhatMessagesCostInsideNodesAndBetween) {
  const Ran said = tutti("price all-reduce --nodes 4x4 --bytes 8 --ts-inside 1us --ts-outside 100us --tw 2ns");
  EXPECT_THAT(said.out, testing::StartsWith("all-reduce over nodes:4x4, alpha-beta; ts = 1us inside and 100us between "
                                            "nodes, tw = 2ns, th = 0s, tc = 0s\n"));
}

TEST(Price, RanksAlgorithmsOverNodes) {
  const Json fields = json("price all-reduce --nodes 4x4 --bytes 8 --ts-inside 1us --ts-outside 100us --tw 0ns --json");
  EXPECT_EQ(fields["topology"], "nodes:4x4");
  std::map<std::string, double> seconds;
  for (const Json& offer : fields["sizes"][0]["algorithms"]) seconds[offer["algorithm"]] = offer["seconds"];
  EXPECT_NEAR(seconds.at("leaders"), 204e-6, 1e-12);
  EXPECT_GT(seconds.at("reduce-broadcast"), seconds.at("leaders"));
}

// A schedule that needs consecutive ranks is proved where nodes have them.
TEST(Verify, ProvesHierarchiesOverUnevenNodes) {
  for (const char* nodes : {"3+5+1", "1+1+6", "7", "4x3"}) {
    const Json fields = json(std::string("verify --algorithm leaders --json --nodes ") + nodes);
    EXPECT_EQ(fields["failed"], 0);
    EXPECT_EQ(fields["algorithms"].size(), 10u);
  }
}

// In a ring each node sends to the next what its last rank sends, and everything else stays within.
TEST(Explain, SaysWhatGoesBetweenNodes) {
  const std::string line = "explain all-gather --algorithm ring --count 4 --nodes 3+5+1";
  const Json fields = json(line + " --json");
  EXPECT_EQ(fields["problem"]["ranks"], 9);
  ASSERT_EQ(fields["nodes"].size(), 3u);
  for (const Json& node : fields["nodes"]) EXPECT_EQ(node["sent"], Json({{"messages", 8}, {"elements", 32}}));
  const std::string text = tutti(line + " --steps").out;
  EXPECT_THAT(text, testing::HasSubstr("of 72 messages, 24 go between nodes, 96 elements of 288 elements"));
  EXPECT_THAT(text, testing::HasSubstr("1     ranks 3-7      32 messages, 128 elements  8 messages, 32 elements"));
  EXPECT_THAT(text, testing::HasSubstr("rank 2 on node 0\n"));
  EXPECT_THAT(text, testing::HasSubstr("send input[0..4) to 3, on node 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("receive output[28..32) from 7, of node 1\n"));
  EXPECT_THAT(tutti("explain all-gather --algorithm ring --ranks 9 --count 4 --steps").out,
              testing::Not(testing::HasSubstr("node")));
  const std::string chart = tutti("explain broadcast --algorithm binomial --nodes 2+2").out;
  EXPECT_THAT(chart, testing::HasSubstr("node"));
  EXPECT_THAT(chart, testing::HasSubstr("⇒2"));
  EXPECT_THAT(chart, testing::HasSubstr("→1"));
}

}  // namespace
}  // namespace tutti::test
