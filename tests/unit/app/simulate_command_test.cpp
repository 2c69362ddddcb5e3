/// @file
/// `tutti simulate`: its JSON, its timeline file and its options.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

Json simulated(const std::string& line) { return json("simulate " + line + " --json"); }

double seconds(const std::string& line) { return simulated(line)["seconds"].get<double>(); }

// A network of switches where none is named; what goes between nodes is the same on any.
TEST(Simulate, PlacesRanksOnNodes) {
  const std::string ring = "all-gather --algorithm ring --bytes 100 --nodes 3+5+1";
  const Json nodes = simulated(ring);
  EXPECT_EQ(nodes["topology"], "nodes:3+5+1");
  EXPECT_EQ(nodes["ranks"], 9);
  ASSERT_EQ(nodes["nodes"].size(), 3u);
  EXPECT_EQ(nodes["nodes"][1]["ranks"], Json({3, 4, 5, 6, 7}));
  for (const Json& node : nodes["nodes"]) {
    EXPECT_EQ(node["sent"], Json({{"messages", 8}, {"bytes", 800}}));  // from the last rank to the next node's first
    EXPECT_EQ(node["received"], node["sent"]);
  }
  EXPECT_EQ(nodes["nodes"][0]["within"], Json({{"messages", 16}, {"bytes", 1600}}));
  EXPECT_EQ(nodes["nodes"][2]["within"], Json({{"messages", 0}, {"bytes", 0}}));
  const Json full = simulated(ring + " --topology full:9");
  EXPECT_EQ(full["topology"], "full:9");
  EXPECT_EQ(full["nodes"], nodes["nodes"]);
  EXPECT_FALSE(simulated("all-gather --ranks 9").contains("nodes"));
  // Each node's cable carries what all of its ranks exchange with others: the more of them, the longer it takes.
  EXPECT_LT(simulated("all-to-all --algorithm linear --bytes 1MiB --nodes 8")["seconds"].get<double>(),
            simulated("all-to-all --algorithm linear --bytes 1MiB --nodes 4+4")["seconds"].get<double>());
  const Ran text = run_command(TUTTI_COMMAND, words_of("simulate " + ring));
  EXPECT_THAT(text.out,
              testing::HasSubstr("3 + 5 + 1 ranks on 3 nodes: of 72 messages, 24 go between nodes, 2400B of"));
}

TEST(Simulate, PrintsTheThreeNumbersAndWhatTheNetworkCarried) {
  const Json result = simulated(
      "all-reduce --algorithm ring --topology ring:8 --bytes 8KiB --switching store-and-forward --ts 2us --tw 1ns");
  EXPECT_EQ(result["algorithm"], "ring");
  EXPECT_EQ(result["topology"], "ring:8");
  EXPECT_EQ(result["messages"], 2 * 7 * 8);
  EXPECT_EQ(result["bytes_sent"], 2 * 7 * 8192);
  EXPECT_EQ(result["rounds"], 14);
  EXPECT_EQ(result["most_shared"], 1);
  EXPECT_NEAR(result["seconds"].get<double>(), 14 * (2e-6 + 1024e-9), 1e-15);
  EXPECT_NEAR(result["closed_form_seconds"].get<double>(), result["seconds"].get<double>(), 1e-15);
  EXPECT_LE(result["bound_seconds"].get<double>(), result["seconds"].get<double>());
  EXPECT_EQ(result["busiest_link"]["bytes"], 7 * 1024);  // sums go one way round, results the other
}

// The first line of `tutti price` for the same call on the same network, and so no slower than any that is named.
TEST(Simulate, TakesTheCheapestAlgorithmWhereNoneIsNamed) {
  for (const std::string call : {"broadcast --ranks 64 --bytes 1MiB", "broadcast --ranks 64 --bytes 8",
                                 "all-reduce --topology ring:8 --bytes 64KiB", "scan --topology mesh:3x3 --bytes 1K",
                                 "all-to-all --topology tree:8 --bytes 1000 --switching cut-through --th 1us",
                                 "all-gather --nodes 3+5+1 --bytes 1KB", "barrier --ranks 12"}) {
    const Json result = simulated(call);
    const Json ranked = json("price " + call + " --json")["sizes"][0]["algorithms"];
    EXPECT_EQ(result["algorithm"], ranked[0]["algorithm"]) << call;
    EXPECT_EQ(result["algorithm_by"], "price");
    EXPECT_NEAR(result["seconds"].get<double>(), ranked[0]["seconds"].get<double>(),
                1e-9 * result["seconds"].get<double>())
        << call;
    EXPECT_EQ(result["segments"], ranked[0]["segments"]) << call;
    // The algorithm and the segments that are told make the same run.
    const std::string named = call + " --algorithm " + result["algorithm"].get<std::string>();
    const Json cut = result["segments"];
    Json again = simulated(cut.is_null() ? named : fmt::format("{} --segments {}", named, cut.get<int>()));
    again["algorithm_by"] = "price";
    EXPECT_EQ(again, result) << call;
  }
  EXPECT_EQ(simulated("broadcast --algorithm linear --ranks 8")["algorithm_by"], "request");
  const Ran text = run_command(TUTTI_COMMAND, words_of("simulate total-exchange --ranks 8 --bytes 1MiB"));
  EXPECT_THAT(text.out, testing::HasSubstr(" is the cheapest of "));
  const Ran steps = run_command(TUTTI_COMMAND, words_of("explain Allreduce --ranks 8 --count 8 --steps"));
  EXPECT_THAT(steps.out, testing::HasSubstr(" is the cheapest of "));
}

TEST(Simulate, TellsTheUsualSegmentsBesideTheBest) {
  const std::string chain = "simulate broadcast --ranks 16 --bytes 1MiB --algorithm chain";
  const std::string best = "8, the usual number; with --segments 128 it would take 1.305ms";
  EXPECT_THAT(tutti(chain).out, testing::HasSubstr(best));
  EXPECT_EQ(
      json("price broadcast --ranks 16 --bytes 1MiB --algorithm chain --json")["sizes"][0]["algorithms"][0]["segments"],
      128);
  EXPECT_THAT(tutti(chain + " --segments 128").out,
              testing::AllOf(testing::HasSubstr("1.305ms"), testing::Not(testing::HasSubstr("Segments"))));
  EXPECT_THAT(tutti("simulate broadcast --ranks 16 --algorithm binomial").out,
              testing::Not(testing::HasSubstr("Segments")));
}

TEST(Simulate, TakesSegmentsCountsAndTheOrderOfRanks) {
  const std::string chain = "broadcast --algorithm chain --ranks 8 --bytes 1MiB --segments ";
  for (const int segments : {1, 4, 64}) {
    const double each = 1e-6 + 1048576e-9 / segments;
    EXPECT_NEAR(seconds(chain + std::to_string(segments)), (8 + segments - 2) * each, 1e-12);
    EXPECT_EQ(simulated(chain + std::to_string(segments))["messages"], 7 * segments);
  }
  const Json gather = simulated("gather --algorithm linear --ranks 4 --counts 7,100,0,300");
  EXPECT_EQ(gather["bytes_sent"], 400);
  EXPECT_EQ(gather["messages"], 2) << "an empty block is not sent";
  EXPECT_EQ(simulated("all-to-all --ranks 2 --counts 5,6,7,8")["bytes_sent"], 13);
  EXPECT_EQ(tutti("simulate all-reduce --algorithm ring --ranks 4").status, 0);
  const Ran ordered = tutti("simulate all-reduce --algorithm ring --ranks 4 --non-commutative");
  EXPECT_THAT(ordered.err, testing::HasSubstr("commut"));
  EXPECT_EQ(tutti("simulate all-reduce --ranks 4 --non-commutative").status, 0) << "one that keeps the order is taken";
}

TEST(Simulate, SaysNullWhereNoClosedFormIsKnown) {
  EXPECT_TRUE(simulated("all-to-all --algorithm linear --topology dragonfly:1x3x1 --bytes 64")["closed_form_seconds"]
                  .is_null());
}

TEST(Simulate, HasTheClosedFormOfEveryRoot) {
  for (const char* root : {"0", "3", "15"}) {
    const Json result = simulated(std::string("reduce --algorithm binomial --bytes 1000 --topology hypercube:4 "
                                              "--switching store-and-forward --ts 0.7us --tw 10ns --root ") +
                                  root);
    EXPECT_NEAR(result["seconds"].get<double>(), 42.8e-6, 1e-15) << root;
    EXPECT_NEAR(result["closed_form_seconds"].get<double>(), 42.8e-6, 1e-15) << root;
    EXPECT_EQ(result["closed_form_exact"], true);
  }
}

TEST(Simulate, SaysWhereAClosedFormIsAnUpperBoundOrDoesNotHold) {
  const std::string direct = "all-reduce --algorithm direct --ranks 19 --bytes ";
  EXPECT_TRUE(simulated(direct + "20")["closed_form_seconds"].is_null());
  EXPECT_TRUE(simulated(direct + "20")["closed_form_exact"].is_null());
  EXPECT_EQ(simulated(direct + "38")["closed_form_exact"], true);
  const Json few = simulated("broadcast --algorithm scatter-all-gather --ranks 19 --bytes 3");
  EXPECT_EQ(few["closed_form_exact"], false);
  EXPECT_LT(few["seconds"].get<double>(), few["closed_form_seconds"].get<double>());
}

TEST(Simulate, TakesEnginesRoutingPortsAndSkew) {
  EXPECT_EQ(simulated("shift --ranks 4 --engine rounds")["engine"], "rounds");
  EXPECT_LT(seconds("all-gather --algorithm linear --ranks 8 --ports multiple"),
            seconds("all-gather --algorithm linear --ranks 8"));
  EXPECT_NEAR(seconds("broadcast --algorithm binomial --ranks 2 --bytes 0 --skew 1:5us"), 0, 1e-5);
  EXPECT_NEAR(seconds("broadcast --algorithm binomial --ranks 2 --bytes 1 --skew 1:5us --ts 1us --tw 0s"), 6e-6, 1e-15);
  EXPECT_LE(seconds("all-to-all --algorithm pairwise --topology torus:4x4 --bytes 1KiB --routing minimal-adaptive"),
            seconds("all-to-all --algorithm pairwise --topology torus:4x4 --bytes 1KiB"));
}

TEST(Simulate, TakesAsManyTimesAsLongWhereAllTimesAre) {
  const std::string line =
      "all-to-all --algorithm linear --topology linear:20 --switching store-and-forward --bytes 5000";
  const double once = seconds(line + " --ts 1us --tw 1ns");
  EXPECT_NEAR(once, 1.3291248691702808e-3, 1e-17);  // by rational numbers
  EXPECT_NEAR(seconds(line + " --ts 5us --tw 5ns"), 5 * once, 1e-17);
  EXPECT_NEAR(seconds(line + " --ts 0.1us --tw 0.1ns"), once / 10, 1e-18);
}

TEST(Simulate, HasNoClosedFormOfRanksThatAreNotAlike) {
  const std::string line = "reduce --algorithm binomial --ranks 4 --bytes 1KiB --tc 1ns";
  for (const char* skew : {" --skew 3:5us", " --skew 0:0s:x2", " --skew 1:0s,2:5us:x0.5"}) {
    const Json late = simulated(line + skew);
    EXPECT_TRUE(late["closed_form_seconds"].is_null()) << skew;
    EXPECT_TRUE(late["closed_form_exact"].is_null()) << skew;
    EXPECT_LE(late["bound_seconds"].get<double>(), late["seconds"].get<double>()) << skew;
    const Ran text = run_command(TUTTI_COMMAND, words_of("simulate " + line + skew));
    EXPECT_THAT(text.out, ::testing::HasSubstr("Closed form    none holds with --skew")) << skew;
    EXPECT_THAT(text.out, ::testing::HasSubstr("begin together")) << skew;
  }
  EXPECT_EQ(simulated(line)["closed_form_exact"], true);
  EXPECT_EQ(simulated(line + " --skew 2:0s:x1")["closed_form_exact"], true);
}

// The algorithm that is fastest with that skew is taken if none is named.
TEST(Simulate, TakesTheAlgorithmThatIsBestForRanksThatComeUnevenly) {
  const std::string line = "all-gather --ranks 6 --bytes 64KiB --skew 4:1ms";
  const Json best = simulated(line);
  EXPECT_EQ(best["algorithm_by"], "simulation");
  for (const char* algorithm : {"linear", "ring", "bruck", "neighbour-exchange", "mesh", "gather-broadcast"})
    EXPECT_LE(best["seconds"].get<double>(),
              simulated(line + " --algorithm " + algorithm)["seconds"].get<double>() * (1 + 1e-12));
  const Ran text = run_command(TUTTI_COMMAND, words_of("simulate " + line));
  EXPECT_THAT(text.out,
              ::testing::ContainsRegex("is the fastest of [0-9]+ that were simulated with that skew; "
                                       "(if all ranks came together, [a-z-]+ would be|as it would be if all ranks came "
                                       "together); --algorithm"));
}

TEST(Simulate, RefusesLateRanksInRounds) {
  const Ran ran = run_command(TUTTI_COMMAND, words_of("simulate barrier --ranks 5 --engine rounds --skew 0:1us"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("'flows'"));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
}

TEST(Simulate, EmbedsRanks) {
  // A ring in a hypercube: neighbours stay neighbours, so that the ring's all-gather shares no link.
  const std::string gray =
      "all-gather --algorithm ring --topology hypercube:4 --bytes 1KiB --embedding gray --switching store-and-forward";
  EXPECT_NEAR(seconds(gray), 15 * (1e-6 + 1024e-9), 1e-15);
  EXPECT_GT(seconds("all-gather --algorithm ring --topology hypercube:4 --bytes 1KiB --switching store-and-forward"),
            seconds(gray));
  EXPECT_EQ(simulated("shift --topology mesh:3x3 --embedding line")["most_shared"], 1);
  EXPECT_EQ(simulated("shift --topology ring:4 --embedding 0,2,1,3")["ranks"], 4);
}

class TemporaryFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "tutti-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
};

TEST_F(TemporaryFolder, HoldsTheTimelineOfEveryMessage) {
  const std::string file = folder / "timeline.json";
  simulated("broadcast --algorithm binomial --ranks 4 --bytes 100 --timeline " + file);
  std::ifstream stream(file);
  const Json timeline = Json::parse(stream);
  ASSERT_EQ(timeline["messages"].size(), 3u);
  EXPECT_EQ(timeline["messages"][0]["from"], 0);
  EXPECT_EQ(timeline["messages"][0]["to"], 2);
  for (const Json& message : timeline["messages"]) {
    EXPECT_LE(message["send_posted"], message["begin"]);
    EXPECT_LE(message["receive_posted"], message["begin"]);
    EXPECT_LT(message["begin"], message["end"]);
  }
  EXPECT_EQ(timeline["finished"].size(), 4u);
  // 1 and 3 wait for what 0 and 2 send in the second round; each pair's link carried the message once.
  ASSERT_EQ(timeline["waits"].size(), 2u);
  EXPECT_EQ(timeline["waits"][0]["rank"], 1);
  EXPECT_EQ(timeline["waits"][0]["for"], 0);
  EXPECT_EQ(timeline["waits"][1]["rank"], 3);
  EXPECT_EQ(timeline["waits"][1]["for"], 2);
  ASSERT_EQ(timeline["links"].size(), 3u);
  for (const Json& link : timeline["links"]) EXPECT_EQ(link["bytes"], 100);
}

TEST_F(TemporaryFolder, TheEndingOfATimelineChoosesItsForm) {
  const std::string drawn = folder / "timeline.svg";
  simulated("broadcast --algorithm binomial --ranks 4 --bytes 100 --timeline " + drawn);
  std::ifstream stream(drawn);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(svg, testing::HasSubstr("<svg "));
  const Ran refused =
      run_command(TUTTI_COMMAND, words_of("simulate broadcast --ranks 4 --timeline " + (folder / "t.txt").string()));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("should end with .svg, .json, .pdf, .png or .tex"));
}

TEST_F(TemporaryFolder, KeepsNoHalfFileAfterBadInput) {
  const std::string file = folder / "timeline.json";
  EXPECT_EQ(run_command(TUTTI_COMMAND, words_of("simulate broadcast --ranks 4 --root 9 --timeline " + file)).status, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

// The network of docs/reference/files.md.
TEST_F(TemporaryFolder, ReadsTheNetworkThatTheDocumentationShows) {
  std::ifstream text(std::filesystem::path(TUTTI_PROJECT_DIR) / "docs/reference/files.md");
  std::string network;
  for (std::string line; std::getline(text, line);) {
    const bool begins = line.starts_with("    {\"ranks\": 3");
    if (begins || !network.empty()) network += line;
    if (!network.empty() && line.ends_with("]}")) break;
  }
  const std::string net = folder / "shown.json";
  std::ofstream(net) << network;
  EXPECT_GT(seconds("broadcast --bytes 1KiB --topology " + net), 0) << network;
}

TEST_F(TemporaryFolder, BringsNetworksOfItsOwn) {
  const std::string net = folder / "net.json";
  std::ofstream(net)
      << R"({"ranks": 2, "switches": 1, "links": [{"from": 0, "to": 2}, {"from": 2, "to": 1, "tw": 1e-6}]})";
  EXPECT_NEAR(seconds("broadcast --algorithm binomial --bytes 10 --ts 0s --tw 1ns --topology " + net), 10e-6, 1e-15);
  const std::string matrix = folder / "topo.txt";
  std::ofstream(matrix) << "\tGPU0\tGPU1\tCPU\nGPU0\tX\tNV2\t0-3\nGPU1\tNV2\tX\t0-3\n";
  EXPECT_NEAR(seconds("broadcast --algorithm binomial --bytes 10 --ts 0s --tw 1ns --topology " + matrix), 5e-9, 1e-18);
  // Without --tw a lane is an NVLink: two of them carry 50 GB/s.
  EXPECT_NEAR(seconds("broadcast --algorithm binomial --bytes 10 --ts 0s --topology " + matrix), 2e-10, 1e-19);
}

}  // namespace
}  // namespace tutti::test
