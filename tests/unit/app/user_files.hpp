/// @file
/// Messages, programs and schedules of one's own, as files of a test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/command_json.hpp"

namespace tutti::test {

/// Fixture: a folder for files of one's own, and lines of the command that name them.
class UserFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string program(const std::string& text) const {
    std::ofstream(path("program.txt")) << text;
    return "program " + path("program.txt");
  }
  std::string content_of(const std::string& name) const {
    std::ifstream stream(path(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// The command refuses that line in one line, which has `answer` in it.
  static void refuses(const std::string& line, const std::string& answer) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_THAT(ran.err, testing::HasSubstr(answer)) << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line;
  }

 private:
  static std::filesystem::path folder() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    return std::filesystem::temp_directory_path() /
           ("tutti_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + test.test_suite_name() +
            test.name());
  }

  std::filesystem::path folder_ = folder();
};

}  // namespace tutti::test
