/// @file
/// The tree of folders in docs/architecture.md, compared with the folders themselves, and the files that its ways name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

namespace fs = std::filesystem;

bool holds_a_file(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) return true;
  }
  return false;
}

/// Names of the folders within a folder, "base/", but of those without a file: git knows none of these.
std::set<std::string> folders_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && holds_a_file(entry)) names.insert(entry.path().filename().string() + "/");
  }
  return names;
}

/// Returns the tree as the document has it: a line a folder, and behind it the folders within, in columns.
std::string tree_of(const fs::path& project) {
  constexpr std::size_t column = 18;
  std::string tree;
  for (const char* top : {"src", "app"}) {
    tree += std::string("    ") + top + "/\n";
    for (const std::string& name : folders_in(project / top)) {
      std::string line = "      " + name;
      for (const std::string& inner : folders_in(project / top / name))
        line += (line.size() < 6 + column ? std::string(6 + column - line.size(), ' ') : " ") + inner;
      tree += line + "\n";
    }
  }
  return tree;
}

/// The indented lines from "    src/" on.
std::string tree_in(const std::string& markdown) {
  std::istringstream lines(markdown);
  std::string tree;
  for (std::string line; std::getline(lines, line);) {
    if (tree.empty() && line != "    src/") continue;
    if (!line.starts_with("    ")) break;
    tree += line + "\n";
  }
  return tree;
}

/// Files of the project that stand at the beginning of indented lines: "src/plan/choice.cpp".
std::vector<std::string> files_in(const std::string& markdown) {
  static const std::regex file("(?:^|\n)    +((?:src|app|include)/[\\w/.-]+\\.\\w+)");
  std::vector<std::string> files;
  for (std::sregex_iterator each(markdown.begin(), markdown.end(), file), end; each != end; ++each)
    files.push_back((*each)[1]);
  return files;
}

TEST(Tree, OfTheDocumentIsThatOfTheFolders) {
  const fs::path project(TUTTI_PROJECT_DIR);
  const std::string tree = tree_of(project);
  EXPECT_EQ(tree_in(contents_of(project / "docs/architecture.md")), tree)
      << "docs/architecture.md has another tree than the folders; put this one there:\n"
      << tree;
}

TEST(Ways, OfTheDocumentPassFilesThatAreThere) {
  const fs::path project(TUTTI_PROJECT_DIR);
  const std::vector<std::string> files = files_in(contents_of(project / "docs/architecture.md"));
  EXPECT_GT(files.size(), 40U);
  for (const std::string& file : files) EXPECT_TRUE(fs::is_regular_file(project / file)) << file << " is not there";
}

TEST(Ways, AreFoundInADocument) {
  EXPECT_THAT(files_in("src/a.cpp\n\n    src/b/c-d.hpp  words\n        app/main.cpp\n    e.cpp\n"),
              testing::ElementsAre("src/b/c-d.hpp", "app/main.cpp"));
}

TEST(Tree, IsFoundInADocument) {
  EXPECT_EQ(tree_in("# A\n\n    b/\n\n    src/\n      base/  text/\n    app/\n\nEnd\n    c/\n"),
            "    src/\n      base/  text/\n    app/\n");
  EXPECT_EQ(tree_in("nothing"), "");
}

TEST(Tree, LeavesOutFoldersWithoutFiles) {
  const fs::path root = fs::path(testing::TempDir()) / "tree_test";
  fs::create_directories(root / "src/base/text");
  fs::create_directories(root / "src/empty/none");
  fs::create_directories(root / "app/commands");
  std::ofstream(root / "src/base/text/one.cpp") << "one\n";
  std::ofstream(root / "app/commands/two.cpp") << "two\n";
  EXPECT_EQ(tree_of(root), "    src/\n      base/             text/\n    app/\n      commands/\n");
  fs::remove_all(root);
}

}  // namespace
}  // namespace tutti::layers
