/// @file
/// Output of the command if lines have 80 or 100 letters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "support/command_json.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

std::size_t letters_in(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string longest_line(const std::string& text) {
  std::string longest;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const bool has_comment = line.starts_with("  tutti ") && line.find('#') != std::string::npos;
    if (!has_comment && letters_in(line) > letters_in(longest)) longest = line;
  }
  return longest;
}

// Folded, the same words: only at 60 letters and of commands without names that are longer.
TEST(NarrowScreen, FitsItsLines) {
  for (const char* command :
       {"list --optimality",
        "verify program procedure-5 --ranks 8",
        "price all-reduce --ranks 8 --bytes 1KiB",
        "price all-reduce --ranks 8 --bytes 1KiB --search",
        "topology mesh:3x4",
        "topology --compare ring:64 mesh:8x8 hypercube:6",
        "list",
        "list --collectives",
        "verify --ranks 1..3",
        "explain procedures",
        "explain procedure-5",
        "explain reduce-scatter",
        "textbook --ranks 16",
        "explain all-reduce --algorithm leaders --nodes 4+4 --steps",
        "explain all-to-all --algorithm mesh --ranks 16 --steps",
        "gallery own-contribution-first",
        "plan all-reduce --nodes 16x8 --bytes 8..64KiB",
        "explain all-reduce --algorithm rabenseifner --ranks 7 --order",
        "plan --help",
        "simulate messages 0-11:4KiB --topology linear:12 --switching store-and-forward --packet 512"}) {
    setenv("COLUMNS", "60", 1);
    const Ran ran = tutti(command);
    EXPECT_NE(ran.status, 2) << ran.err;
    EXPECT_LE(letters_in(longest_line(ran.out)), 60u) << command << ": " << longest_line(ran.out);
    unsetenv("COLUMNS");
  }
}

class Screen : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { unsetenv("COLUMNS"); }
};

// A sanitizer, with which each command takes ten times as long, looks for errors of memory: they are the same at all
// widths.
TEST_P(Screen, FitsItsLines) {
  const std::vector<int> widths = addresses_are_reserved ? std::vector{80} : std::vector{80, 100};
  const std::string wide = addresses_are_reserved ? "" : tutti(GetParam()).out;
  EXPECT_EQ(wide.find('\033'), std::string::npos) << "colors are for terminals";
  for (const int width : widths) {
    setenv("COLUMNS", std::to_string(width).c_str(), 1);
    const Ran ran = tutti(GetParam());
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_LE(letters_in(longest_line(ran.out)), static_cast<std::size_t>(width)) << longest_line(ran.out);
    unsetenv("COLUMNS");
  }
  if (!addresses_are_reserved) {
    EXPECT_EQ(tutti(GetParam()).out, wide);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Screen,
    testing::Values("list", "list all-to-all", "list --collectives", "list --topologies", "explain all-reduce",
                    "explain broadcast", "explain broadcast --algorithm binomial --ranks 6",
                    "explain all-reduce --algorithm ring --ranks 4 --steps", "verify --ranks 1..3",
                    "price all-reduce --ranks 16 --bytes 1MiB",
                    "price all-to-all --topology torus:4x4 --bytes 1KiB --switching store-and-forward",
                    "simulate all-reduce --algorithm ring --topology ring:8 --bytes 1MiB",
                    "simulate messages 1-6 4-7 --topology linear:8", "topology torus:8x8",
                    "topology --compare ring:64 mesh:8x8 hypercube:6 dragonfly:2x4x2", "textbook --ranks 16",
                    "textbook --ranks 16 --sources", "explain all-reduce --algorithm ring --ranks 6",
                    "explain procedure-5", "explain procedure-9", "exercise", "exercise 4.9", "exercise 3.1 --solution",
                    "price all-reduce --topology torus:4x4 --bytes 8..1MiB", "plan all-reduce --ranks 4 --bytes 1MiB",
                    "plan all-reduce --ranks 4 --bytes 8..16MiB", "plan all-reduce --nodes 2x4 --bytes 8..16MiB",
                    "price all-to-all --topology clos:8x4x4 --bytes 64KiB --routing ecmp --background 8",
                    "price broadcast --topology torus:4x4 --switching cut-through --bytes 1MiB --search --bottleneck",
                    "simulate all-reduce --nodes 4+4+4 --bytes 1MiB",
                    "simulate all-reduce --topology rails:2x4 --bytes 1MiB --bottleneck",
                    "simulate messages 0-4:4KiB --topology linear:5 --switching store-and-forward --packet 512 "
                    "--packets -"));

INSTANTIATE_TEST_SUITE_P(Help, Screen,
                         testing::Values("--help", "list --help", "explain --help", "verify --help", "price --help",
                                         "simulate --help", "textbook --help", "draw --help", "topology --help",
                                         "exercise --help", "synthesize --help", "gallery --help", "plan --help",
                                         "tune --help", "bench --help", "run --help", "mpi --help"));

}  // namespace
}  // namespace tutti::test
