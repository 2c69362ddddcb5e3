/// @file
/// Routing and shared traffic: options of several commands, and keys of a network's file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/command_json.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

/// A network's file: two leaves of two ranks, two spines, and what is said of its traffic.
class TrafficFile : public ::testing::Test {
 protected:
  TrafficFile()
      : file_(std::filesystem::temp_directory_path() / ("tutti_traffic_" + std::to_string(getpid()) + ".json")) {}
  ~TrafficFile() override { std::filesystem::remove(file_); }

  std::string with(const std::string& traffic) const {
    std::ofstream stream(file_);
    stream << "{" << traffic << R"("ranks": 4, "switches": 4, "links": [{"from": 0, "to": 4}, {"from": 1, "to": 4},
      {"from": 2, "to": 5}, {"from": 3, "to": 5}, {"from": 4, "to": 6}, {"from": 4, "to": 7}, {"from": 5, "to": 6},
      {"from": 5, "to": 7}]})";
    return file_.string();
  }

  std::filesystem::path file_;
};

constexpr const char* all_keys = R"("routing": "valiant:3", "background": 2, "injection": "2ns", "eager": "1KiB", )";
constexpr const char* all_options = " --routing valiant:3 --background 2 --injection 2ns --eager 1KiB";

TEST_F(TrafficFile, SaysTheSameAsTheOptions) {
  for (const std::string command : {"simulate all-to-all --bytes 64KiB", "price all-to-all --bytes 64KiB",
                                    "plan all-to-all --bytes 64KiB", "plan all-to-all --bytes 64KiB --skew 1:5us"}) {
    const Json plain = json(command + " --json --topology " + with(""));
    const Json by_file = json(command + " --json --topology " + with(all_keys));
    EXPECT_EQ(by_file, json(command + " --json --topology " + with("") + all_options)) << command;
    EXPECT_NE(by_file, plain) << command;
  }
}

TEST_F(TrafficFile, IsWrittenWithItsNetwork) {
  const std::string copy = file_.string() + ".copy.json";
  for (const auto& [keys, options] : {std::pair(all_keys, ""), std::pair("", all_options), std::pair("", "")}) {
    const std::string line = "topology " + with(keys) + options;
    ASSERT_EQ(tutti(line + " -o " + copy).status, 0) << line;
    EXPECT_EQ(json("topology " + copy + " --json")["traffic"], json(line + " --json")["traffic"]) << line;
  }
  std::filesystem::remove(copy);
}

TEST(TrafficPlans, AreOfNetworksAlone) {
  const Ran ran = tutti("plan all-reduce --bytes 8 --routing ecmp");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "tutti: --routing is of a network; name it with --topology, or leave --routing out\n");
}

TEST_F(TrafficFile, GivesWayToOptions) {
  const std::string command = "simulate all-gather --algorithm ring --bytes 64KiB --json --topology ";
  EXPECT_EQ(json(command + with(R"("injection": "9ns", )") + " --injection 2ns"),
            json(command + with("") + " --injection 2ns"));
}

TEST_F(TrafficFile, IsRefusedByFileKeyValueAndRemedy) {
  for (const auto& [keys, words] : {std::pair{R"("routing": "ecpm", )", "the nearest is 'ecmp'"},
                                    {R"("background": -3, )", "from 0 to 65536, not '-3'"},
                                    {R"("injection": "fast", )", "'fast' is not a time; write"},
                                    {R"("eager": "8 furlongs", )", "'8 furlongs' is not a size; write"},
                                    {R"("routing": true, )", "must be a text such as --routing takes"}}) {
    for (const std::string command : {"simulate broadcast", "verify broadcast", "price broadcast --bytes 8"}) {
      const Ran ran = tutti(command + " --topology " + with(keys));
      EXPECT_EQ(ran.status, 2);
      EXPECT_THAT(ran.err, HasSubstr(file_.string() + ": \""));
      EXPECT_THAT(ran.err, HasSubstr(words));
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
  }
}

// Prices with options that no formula knows are simulated, and are those of simulate.
TEST(TrafficPrices, AreThoseOfSimulations) {
  const std::string where = " --topology clos:2x3x2 --bytes 8KiB --routing ecmp:1 --injection 3ns --json";
  const Json sizes = json("price all-gather" + where)["sizes"][0]["algorithms"];
  ASSERT_GT(sizes.size(), 3U);
  for (const Json& offer : sizes) {
    EXPECT_EQ(offer["basis"], "simulation");
    const std::string segments = offer["segments"].is_null() ? "" : " --segments " + offer["segments"].dump();
    const Json alone =
        json("simulate all-gather --algorithm " + offer["algorithm"].get<std::string>() + segments + where);
    EXPECT_EQ(alone["seconds"], offer["seconds"]) << offer["algorithm"];
  }
}

TEST(TrafficTopology, SaysHowFullLinksBecomeAndWhatInjectionAllows) {
  const Ran ran = tutti("topology clos:4x4x4 --routing ecmp --injection 5ns");
  EXPECT_THAT(ran.out, HasSubstr("of the ways between all pairs of ranks; the mean is 13.5"));
  EXPECT_THAT(ran.out, HasSubstr("its injection limit allows"));
  const auto least = [](const std::string& line) {
    return json("topology clos:4x4x4 --json" + line)["lower_bounds"][0]["seconds"].get<double>();
  };
  EXPECT_NEAR(least(" --injection 5ns"), 5 * least(""), 0.01 * least(""));
  EXPECT_EQ(least(" --injection 0.1ns"), least(""));
}

// A rank that gets 7 x 64 KiB at 9 ns a byte: links without that limit would allow a ninth of it.
TEST(TrafficBounds, KnowWhatInjectionAllows) {
  const std::string where = " --topology full:8 --bytes 64KiB --injection 9ns --json";
  constexpr double least = 7 * 65536 * 9e-9;
  const Json simulated = json("simulate all-gather" + where);
  EXPECT_EQ(simulated["bound"], "injection");
  EXPECT_GE(simulated["bound_seconds"], least);
  EXPECT_GE(simulated["seconds"], simulated["bound_seconds"]);
  const Json priced = json("price all-gather" + where)["sizes"][0];
  EXPECT_EQ(priced["lower_bound"]["name"], "injection");
  EXPECT_EQ(priced["lower_bound"]["seconds"], simulated["bound_seconds"]);
  for (const Json& offer : priced["algorithms"]) EXPECT_GE(offer["ratio"], 1) << offer["algorithm"];
}

// Each of the quick candidates would list millions of blocks.
TEST(DefaultAlgorithm, OfAVeryLargeScheduleComesFromClosedForms) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  EXPECT_THAT(tutti("simulate all-to-all --topology rails:512x8 --bytes 64KiB").out, HasSubstr("by closed forms"));
}

// Effort is known only when a simulation was tried: few messages that meet may take longer than many that do not.
TEST(DefaultAlgorithm, IsThatOfThePricesAlsoWhereRanksAreMany) {
  if (has_seen_enough) GTEST_SKIP() << learns_nothing_from_size;
  for (const auto& [call, best] :
       {std::pair("all-reduce --topology ring:128 --bytes 1MiB", "ring"),
        std::pair("all-reduce --topology torus:32x32 --bytes 1MiB", "mesh"),
        std::pair("broadcast --topology torus:16x16 --bytes 1MiB", "scatter-all-gather-mesh"),
        std::pair("all-to-all --topology rails:16x8 --bytes 64KiB", "hypercube")}) {
    EXPECT_EQ(json(std::string("simulate ") + call + " --json")["algorithm"], best) << call;
    EXPECT_EQ(json(std::string("price ") + call + " --json")["sizes"][0]["algorithms"][0]["algorithm"], best) << call;
    EXPECT_EQ(json(std::string("plan ") + call + " --json")["sizes"][0]["algorithms"][0]["algorithm"], best) << call;
  }
}

}  // namespace
}  // namespace tutti::test
