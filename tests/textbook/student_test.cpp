/// @file
/// Statements of the sources, each shown by a command: the rows of student.tsv, whose head describes its columns.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

// One statement, and what shows it.
struct Statement {
  std::string number;
  std::string words;
  std::string verdict;
  std::string command;
  std::vector<std::string> expected;
  std::string reason;
};

std::vector<std::string> cut(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(mark); end != std::string::npos; end = text.find(mark, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + mark.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Statement statement_in(const std::string& line) {
  std::vector<std::string> cells = cut(line, "\t");
  EXPECT_GE(cells.size(), 5U) << "columns: number, statement, verdict, command, output, and the reason: " << line;
  cells.resize(6);
  return {cells[0], cells[1], cells[2], cells[3], cut(cells[4], " ;; "), cells[5]};
}

// The rows, and the number of open ones that the head allows.
struct Table {
  std::vector<Statement> statements;
  std::ptrdiff_t most_open = 0;
};

Table table() {
  static const std::string most_open = "# open: ";
  Table all;
  std::ifstream file(TUTTI_PROJECT_DIR "/tests/textbook/student.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(most_open)) all.most_open = std::stol(line.substr(most_open.size()));
    if (!line.empty() && line.front() != '#') all.statements.push_back(statement_in(line));
  }
  return all;
}

std::string single_spaced(const std::string& text) {
  std::string line;
  for (const std::string& word : words_of(text)) line += (line.empty() ? "" : " ") + word;
  return line;
}

bool holds(const std::string& output, std::string_view expected) {
  const bool denied = expected.starts_with('!');
  if (denied) expected.remove_prefix(1);
  const bool is_pattern = expected.size() > 2 && expected.front() == '/' && expected.back() == '/';
  const bool found = is_pattern
                         ? std::regex_search(output, std::regex(std::string(expected.substr(1, expected.size() - 2))))
                         : output.find(expected) != std::string::npos;
  return found != denied;
}

// A folder for what commands write, gone with the test.
class Folder {
 public:
  Folder() : path_(fs::path(testing::TempDir()) / ("tutti-student-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

Ran run_statement(const std::string& command, const Folder& folder) {
  const std::string path = "PATH=" + fs::path(TUTTI_COMMAND).parent_path().string() +
                           ":" TUTTI_STATEMENTS ":" TUTTI_EXAMPLES ":/usr/bin:/bin";
  return run_command("/usr/bin/env",
                     {"-u", "COLUMNS", "-u", "TUTTI_PROFILE", "TUTTI_PROFILE=built-in", path, "TMP=" + folder.path(),
                      "LC_ALL=C.UTF-8", "sh", "-c", "cd '" TUTTI_PROJECT_DIR "' && " + command});
}

void expect_shown(const Statement& statement, const Folder& folder) {
  const Ran ran = run_statement(statement.command, folder);
  const std::string output = single_spaced(ran.out + ' ' + ran.err);
  const std::string row = statement.number + ", " + statement.words + "\n$ " + statement.command + '\n';
  int status = 0;
  for (const std::string& expected : statement.expected) {
    if (expected.starts_with("status ")) {
      status = std::stoi(expected.substr(7));
    } else {
      EXPECT_TRUE(holds(output, expected)) << row << "lacks: " << expected << '\n' << output.substr(0, 4000);
    }
  }
  EXPECT_EQ(ran.status, status) << row << ran.err;
}

void expect_all_shown(std::string_view source) {
  const Folder folder;
  for (const Statement& statement : table().statements) {
    if (statement.number.starts_with(source) && statement.verdict == "W") expect_shown(statement, folder);
  }
}

TEST(Statements, OfBasicCommunicationOperationsAreShown) { expect_all_shown("000"); }
TEST(Statements, OfStoreAndForwardAndCutThroughAreShown) { expect_all_shown("001"); }
TEST(Statements, OfTheHypercubeTemplateAreShown) { expect_all_shown("002"); }
TEST(Statements, OfAllToAllAreShown) { expect_all_shown("003"); }
TEST(Statements, OfDistributedMemoryAreShown) { expect_all_shown("004"); }

TEST(Statements, AreAllThere) {
  std::vector<int> of_source(5);
  std::set<std::string> numbers;
  for (const Statement& statement : table().statements) {
    EXPECT_TRUE(numbers.insert(statement.number).second) << statement.number << " stands twice";
    ++of_source.at(static_cast<std::size_t>(std::stoi(statement.number)));
  }
  EXPECT_EQ(of_source, (std::vector<int>{66, 17, 5, 13, 37}));
}

TEST(Statements, AreOpenForAReasonAndSeldom) {
  const Table all = table();
  const auto open = std::count_if(all.statements.begin(), all.statements.end(), [](const Statement& statement) {
    EXPECT_TRUE(statement.verdict == "W" || statement.verdict == "open") << statement.number;
    EXPECT_EQ(statement.reason.empty(), statement.verdict == "W") << statement.number << ": only open rows say why";
    return statement.verdict != "W";
  });
  EXPECT_LE(open, all.most_open);
}

}  // namespace
}  // namespace tutti::test
