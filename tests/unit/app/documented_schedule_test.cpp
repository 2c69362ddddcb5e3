/// @file
/// Schedule files as docs/reference/files.md describes them: its example is proved, and its table has the words that
/// are read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> lines_of_documentation() {
  std::ifstream text(std::filesystem::path(TUTTI_PROJECT_DIR) / "docs/reference/files.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(DocumentedSchedule, IsProved) {
  std::string schedule;
  for (const std::string& line : lines_of_documentation()) {
    if (line.starts_with("    {\"tutti_schedule\"") || !schedule.empty()) schedule += line;
    if (!schedule.empty() && line.ends_with("]}")) break;
  }
  const std::string file =
      (std::filesystem::temp_directory_path() /
       ("tutti_documented_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + ".json"))
          .string();
  std::ofstream(file) << schedule;
  EXPECT_THAT(tutti("verify schedule " + file).out, HasSubstr("proved")) << schedule;
  std::filesystem::remove(file);
}

TEST(DocumentedSchedule, HasTheKindsThatAreRead) {
  std::string row;
  for (const std::string& line : lines_of_documentation()) {
    if (line.starts_with("| `kind`, `peer` |")) row = line;
  }
  for (const OpKind kind : {OpKind::send, OpKind::receive, OpKind::receive_reduce, OpKind::copy, OpKind::reduce})
    EXPECT_THAT(row, HasSubstr('`' + std::string(name_of(kind)) + '`'));
}

}  // namespace
}  // namespace tutti::test
