/// @file
/// The first run on a machine, where its look at the machine cannot be had.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/command.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

// Without /proc the look does not find the command that it is to start.
TEST(FirstUse, StartsEachRankOnceWhereTheLookFails) {
  if (addresses_are_reserved) GTEST_SKIP() << "a sanitizer reads /proc";
  constexpr const char* without = "umount -l /proc && ";
  if (run_command("/usr/bin/env", {"unshare", "-m", "sh", "-c", std::string(without) + "true"}).status != 0)
    GTEST_SKIP() << "the system permits no such namespaces";
  const fs::path folder = fs::path(testing::TempDir()) / ("tutti-first-use-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string starts = (folder / "starts").string();
  const std::string run = std::string(without) + "exec env -u TUTTI_PROFILE XDG_CONFIG_HOME=" + folder.string() +
                          " " TUTTI_COMMAND " run -n 2 sh -c 'echo started >> " + starts + "'";
  EXPECT_EQ(run_command("/usr/bin/env", {"unshare", "-m", "sh", "-c", run}).status, 0);
  std::ifstream stream(starts);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'), 2);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tutti::test
