/// @file
/// The first run on a machine, where its look at the machine cannot be had.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

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

// A program of its own with its folder of configuration, and PATH to find the command by.
class FirstRun : public testing::Test {
 protected:
  FirstRun() {
    if (std::thread::hardware_concurrency() < 2 || fs::exists("/usr/local/bin/tutti")) skipped_ = true;
  }
  ~FirstRun() override { fs::remove_all(folder_); }

  Ran run(const std::string& path, const std::string& variables) const {
    return run_command("/usr/bin/env", words_of("-u TUTTI_PROFILE TUTTI_EXPLAIN=1 XDG_CONFIG_HOME=" + folder_.string() +
                                                " PATH=" + path + " " + variables + " " TUTTI_FIRST_RUN));
  }
  // The profile, and a lock beside it.
  std::string kept() const {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "tutti", none)) {
      std::ifstream stream(entry.path());
      if (entry.path().extension() == ".json") return {std::istreambuf_iterator<char>(stream), {}};
    }
    return "";
  }

  const std::string commands_ = fs::path(TUTTI_COMMAND).parent_path().string();
  const fs::path folder_ = fs::path(testing::TempDir()) / ("tutti-first-run-" + std::to_string(getpid()));
  bool skipped_ = false;
};

TEST_F(FirstRun, LooksAtThreadsOnceByTheCommand) {
  if (skipped_) GTEST_SKIP() << "one core, or tutti is installed where programs find it";
  const Ran first = run("/nowhere::" + commands_, "");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, "4\n") << "what measures says nothing";
  const std::string profile = kept();
  EXPECT_THAT(profile, testing::HasSubstr("\"threads\"")) << "costs, or why there are none";
  EXPECT_THAT(profile, testing::Not(testing::HasSubstr("\"processes\"")));
  const Ran second = run(commands_, "");
  EXPECT_EQ(second.out, "4\n");
  EXPECT_EQ(kept(), profile) << "it is looked at once";
}

TEST_F(FirstRun, GoesWithoutACommandOrWhereItIsToldTo) {
  if (skipped_) GTEST_SKIP() << "one core, or tutti is installed where programs find it";
  EXPECT_EQ(run("/nowhere", "").out, "4\n");
  EXPECT_EQ(run(commands_, "TUTTI_PROFILE=built-in").out, "4\n");
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace tutti::test
