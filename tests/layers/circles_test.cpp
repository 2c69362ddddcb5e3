/// @file
/// Circles of includes, and folders with too many files: a reader can take no part of a circle by itself, and finds
/// nothing in a long list.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

constexpr std::size_t most_files = 32;  // files of one folder, a header and its source counted apart

/// Returns a file's unit: a header and its source are one.
std::string unit_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

/// The units that each unit includes, other than itself. Only files among `sources` count.
std::map<std::string, std::set<std::string>> units_of(const std::vector<Source>& sources) {
  std::set<std::string> paths;
  for (const Source& source : sources) paths.insert(source.path);
  std::map<std::string, std::set<std::string>> included;
  for (const Source& source : sources) {
    std::set<std::string>& units = included[unit_of(source.path)];
    for (const std::string& quoted : source.quoted) {
      for (const std::string root : {"include/", "src/", "", "examples/"}) {
        const std::string target = root + quoted;
        if (paths.contains(target) && unit_of(target) != unit_of(source.path)) units.insert(unit_of(target));
      }
    }
  }
  return included;
}

/// One line for each circle of units: its members, in alphabetical order. Two units are in one circle if each reaches
/// the other.
std::vector<std::string> circles_among(const std::vector<Source>& sources) {
  const std::map<std::string, std::set<std::string>> included = units_of(sources);
  std::map<std::string, std::set<std::string>> reached;
  for (const auto& [unit, direct] : included) {
    std::vector<std::string> open{unit};
    std::set<std::string>& found = reached[unit];
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      for (const std::string& each : included.at(next)) {
        if (found.insert(each).second) open.push_back(each);
      }
    }
  }
  std::set<std::string> lines;
  for (const auto& [unit, found] : reached) {
    if (!found.contains(unit)) continue;
    std::string line;
    for (const std::string& other : found) {
      if (reached.at(other).contains(unit)) line += (line.empty() ? "" : ", ") + other;
    }
    lines.insert(line);
  }
  return {lines.begin(), lines.end()};
}

TEST(Circles, NoFilesIncludeOneAnother) {
  EXPECT_THAT(circles_among(sources_below(TUTTI_PROJECT_DIR, {"include", "src", "app", "examples", "bindings", "web"})),
              testing::IsEmpty());
}

TEST(Circles, AreFoundThroughHeadersAndSources) {
  const std::vector<Source> sources = {source_of("src/a/one.hpp", "#include \"a/two.hpp\"\n"),
                                       source_of("src/a/two.hpp", "#include <vector>\n"),
                                       source_of("src/a/two.cpp", "#include \"a/two.hpp\"\n#include \"a/three.hpp\"\n"),
                                       source_of("src/a/three.hpp", "#include \"a/one.hpp\"\n"),
                                       source_of("src/a/four.hpp", "#include \"a/one.hpp\"\n")};
  EXPECT_THAT(circles_among(sources), testing::ElementsAre("src/a/one, src/a/three, src/a/two"));
}

TEST(Folders, HaveFewFiles) {
  std::map<std::string, std::size_t> files;
  for (const Source& source : sources_below(TUTTI_PROJECT_DIR, {"include", "src", "app"}))
    ++files[source.path.substr(0, source.path.rfind('/'))];
  ASSERT_GE(files.size(), 40U);
  for (const auto& [folder, number] : files) EXPECT_LE(number, most_files) << folder;
}

}  // namespace
}  // namespace tutti::layers
