/// @file
/// Hints in errors: a command that a hint prints, and that a user runs as it stands, writes over no file at hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

/// Lines in whose texts between quotes a name that is filled in stands where a command writes: "lstopo {}", "-o {}",
/// "> {}".
std::vector<std::string> hints_that_write(const std::string& source) {
  static const std::regex hint(R"re("[^"]*(lstopo|[ :'](-o|--output|--plot|--timeline|>|>>|tee|mv|cp)) \{)re");
  std::vector<std::string> found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const bool may_be = line.find(" {") != std::string::npos && line.find('"') < line.find(" {");
    if (may_be && std::regex_search(line, hint)) found.push_back(line);
  }
  return found;
}

TEST(Hints, NameNoFileToWriteTo) {
  int files = 0;
  for (const char* folder : {"app", "src", "examples"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(TUTTI_PROJECT_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      EXPECT_THAT(hints_that_write(contents_of(entry.path())), testing::IsEmpty()) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 500);
}

TEST(Hints, AreFoundWhereTheyWrite) {
  EXPECT_EQ(hints_that_write(R"(fail("{} is no XML; write it with: lstopo {}", name, name))").size(), 1U);
  EXPECT_EQ(hints_that_write(R"(fail("run: tutti draw x -o {}", name))").size(), 1U);
  EXPECT_EQ(hints_that_write(R"(fail("nvidia-smi topo -m > {}", name))").size(), 1U);
  EXPECT_EQ(hints_that_write(R"(fail("name another: -o FILE.json"); x -> {};)").size(), 0U);
}

}  // namespace
}  // namespace tutti::layers
