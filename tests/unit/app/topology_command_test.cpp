/// @file
/// `tutti topology`: its JSON, its comparison and its picture.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

std::string topology_text(const std::string& line) {
  return run_command(TUTTI_COMMAND, words_of("topology " + line)).out;
}

TEST(TopologyCommand, HasTheFieldsThatTheDocumentationNames) {
  const Json cube = json("topology hypercube:4 --bytes 1KiB --json");
  EXPECT_EQ(cube["topology"], "hypercube:4");
  EXPECT_EQ(cube["ranks"], 16);
  EXPECT_EQ(cube["switches"], 0);
  EXPECT_EQ(cube["links"], 64);
  EXPECT_EQ(cube["cables"], 32);
  EXPECT_EQ(cube["lanes"], 32);
  EXPECT_EQ(cube["least_degree"], 4);
  EXPECT_EQ(cube["degree"], 4);
  EXPECT_TRUE(cube["switch_degree"].is_null());
  EXPECT_EQ(cube["diameter"], 4);
  EXPECT_EQ(cube["mean_distance_with_self"], 2);
  EXPECT_EQ(cube["bisection"], 8);
  EXPECT_EQ(cube["bytes"], 1024);
  ASSERT_EQ(cube["lower_bounds"].size(), 12u);
  for (const Json& bound : cube["lower_bounds"]) {
    const std::string collective = bound["collective"];
    const std::string size = collective == "barrier" ? "" : " --bytes 1KiB";
    EXPECT_EQ(bound["seconds"],
              json("simulate " + collective + " --topology hypercube:4 --json" + size)["bound_seconds"])
        << collective;
  }
}

TEST(TopologyCommand, ComparesNetworksInARowEach) {
  const std::string table = topology_text("--compare ring:64 mesh:8x8 hypercube:6");
  EXPECT_THAT(table, HasSubstr("\nring:64 "));
  EXPECT_THAT(table, HasSubstr("\nmesh:8x8 "));
  EXPECT_THAT(table, HasSubstr("\nhypercube:6 "));
  EXPECT_EQ(topology_text("ring:64 mesh:8x8 hypercube:6"), table);
  const Json all = json("topology ring:8 torus:2x4 --json");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1], json("topology torus:2x4 --json"));
  EXPECT_EQ(json("topology --compare ring:8 --json").size(), 1u);
}

// A network's usual time a byte holds for it alone, unless another is asked for.
TEST(TopologyCommand, PricesEachNetworkByItsOwnMachine) {
  const auto bound = [](const std::string& line) { return json("topology " + line + " --json")["lower_bounds"][0]; };
  EXPECT_GT(bound("ring:8 --tw 2ns")["seconds"], bound("ring:8")["seconds"]);
  const Json beside = json("topology ring:8 ring:8 --tw 2ns --json");
  EXPECT_EQ(beside[0]["lower_bounds"][0], bound("ring:8 --tw 2ns"));
}

TEST(TopologyCommand, TakesItsSizeFromRanks) {
  EXPECT_EQ(topology_text("hypercube --ranks 8"), topology_text("hypercube:3"));
  EXPECT_EQ(topology_text("ring mesh:4x4 hypercube -p 16"), topology_text("ring:16 mesh:4x4 hypercube:4"));
}

TEST(TopologyCommand, DrawsTheNetwork) {
  const auto file = std::filesystem::temp_directory_path() / "tutti_topology_command_test.svg";
  EXPECT_THAT(topology_text("fat-tree:2x3 -o " + file.string()), HasSubstr("7 switches"));
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(svg, HasSubstr("fat-tree:2x3"));
  EXPECT_THAT(svg, HasSubstr("a switch"));
  std::filesystem::remove(file);
}

TEST(TopologyCommand, LeavesOutBoundsOfMoreThanCanBeMoved) {
  EXPECT_THAT(topology_text("ring:1048576"), HasSubstr("more than 2^62 bytes would move"));
}

}  // namespace
}  // namespace tutti::test
