/// @file
/// Voice of comments: each begins with its subject or a verb, never with a pronoun or a word that opens a relative
/// clause, so that a reader who sees the comment alone knows what it is about.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

/// Part of a line behind its comment sign, and whether the comment has the line to itself.
struct Comment {
  std::string text;
  bool is_alone = false;
};

/// Sign that begins a comment in such a file; empty where it is no program.
std::string_view comment_sign_in(const std::filesystem::path& file) {
  static const std::set<std::string> like_c{".hpp", ".cpp", ".c", ".h", ".js", ".mjs", ".in"};
  static const std::set<std::string> like_shell{".py", ".cmake"};
  const std::string ending = file.extension();
  if (like_c.contains(ending)) return "//";
  const bool is_script = ending.empty() && file.parent_path().filename() == "scripts";
  return is_script || like_shell.contains(ending) || file.filename() == "CMakeLists.txt" ? "#" : "";
}

std::optional<Comment> comment_in(const std::string& line, std::string_view sign) {
  const std::size_t begin = line.find(sign);
  if (begin == std::string::npos || line.starts_with("#!")) return std::nullopt;
  const bool is_alone = line.find_first_not_of(' ') == begin;
  // A sign within a text, behind the colon of an address, or of a variable of the shell, begins no comment.
  if (!is_alone && (line[begin - 1] != ' ' || line.find('"', begin) != std::string::npos)) return std::nullopt;
  const std::size_t text = line.find_first_not_of("/#!< ", begin);
  return Comment{text == std::string::npos ? "" : line.substr(text), is_alone};
}

/// Beginnings of a text's comments: of each paragraph, which ends with an empty line of comment or a line of code.
std::vector<std::string> beginnings_in(const std::string& text, std::string_view sign) {
  std::vector<std::string> found;
  std::istringstream in(text);
  bool goes_on = false;
  for (std::string line; std::getline(in, line);) {
    const std::optional<Comment> comment = comment_in(line, sign);
    const bool is_text = comment && !comment->text.empty() && !comment->text.starts_with("@");
    if (is_text && !(goes_on && comment->is_alone)) found.push_back(comment->text);
    goes_on = is_text && comment->is_alone && line.find("///<") == std::string::npos;
  }
  return found;
}

bool is_without_subject(const std::string& comment) {
  static const std::set<std::string> openings{"those", "that", "of", "what", "which", "where",
                                              "how",   "who",  "as", "it",   "they",  "the same"};
  std::string first;
  for (const char c : comment.substr(0, std::string_view("the same ").size())) {
    if (!std::isalpha(static_cast<unsigned char>(c)) && !(c == ' ' && first == "the")) break;
    first += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return openings.contains(first);
}

/// All files of the project that have comments.
std::vector<std::filesystem::path> programs() {
  const std::filesystem::path project = TUTTI_PROJECT_DIR;
  std::vector<std::filesystem::path> found{project / "CMakeLists.txt"};
  for (const char* folder : {"src", "include", "app", "bench", "cmake", "examples", "scripts", "tests", "web"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder)) {
      if (entry.is_regular_file() && !comment_sign_in(entry.path()).empty()) found.push_back(entry.path());
    }
  }
  return found;
}

TEST(Voice, CommentsBeginWithTheirSubject) {
  int comments = 0;
  for (const std::filesystem::path& file : programs()) {
    for (const std::string& comment : beginnings_in(contents_of(file), comment_sign_in(file))) {
      ++comments;
      EXPECT_FALSE(is_without_subject(comment)) << file << ": " << comment;
    }
  }
  EXPECT_GT(comments, 5000);
}

/// Headers that the text names, as "rewrites.hpp" or "schedule/rewrite/rewrites.hpp".
std::vector<std::string> headers_in(const std::string& text) {
  static const std::regex header("[A-Za-z0-9_/-]+\\.hpp");
  return {std::sregex_token_iterator(text.begin(), text.end(), header), {}};
}

// A header that was renamed is looked for in vain.
TEST(Voice, CommentsNameHeadersThatAreThere) {
  std::vector<std::string> headers;
  std::vector<std::pair<std::string, std::string>> named;  // the file, and the header in its comment
  for (const std::filesystem::path& file : programs()) {
    headers.push_back("/" + std::filesystem::relative(file, TUTTI_PROJECT_DIR).string());
    std::istringstream in(contents_of(file));
    for (std::string line; std::getline(in, line);) {
      const std::optional<Comment> comment = comment_in(line, comment_sign_in(file));
      for (const std::string& header : headers_in(comment ? comment->text : "")) named.emplace_back(file, header);
    }
  }
  for (const auto& [file, header] : named) {
    const bool is_there = std::any_of(headers.begin(), headers.end(),
                                      [&](const std::string& path) { return path.ends_with("/" + header); });
    EXPECT_TRUE(is_there) << file << " names " << header;
  }
  EXPECT_GT(named.size(), 20u);
  EXPECT_THAT(headers_in("see a/b.hpp, and c.hpp."), testing::ElementsAre("a/b.hpp", "c.hpp"));
}

TEST(Voice, BeginningsAreFound) {
  EXPECT_THAT(
      beginnings_in("/// @file\n/// Cost model: predicts\n/// what a call takes.\n///\n/// Needs one.\nint x;  // as "
                    "it was\nint y;  ///< of these\n///< of those\nf(\"// no\");\n",
                    "//"),
      testing::ElementsAre("Cost model: predicts", "Needs one.", "as it was", "of these", "of those"));
  EXPECT_THAT(beginnings_in("#!/bin/sh\n# Ranks\n# that end.\nset -e  # what fails\n[ $# = 2 ] && x=${y#z}\n", "#"),
              testing::ElementsAre("Ranks", "what fails"));
  EXPECT_TRUE(is_without_subject("The same for all ranks."));
  EXPECT_TRUE(is_without_subject("of the ranks"));
  EXPECT_FALSE(is_without_subject("Italics are rare."));
}

}  // namespace
}  // namespace tutti::layers
