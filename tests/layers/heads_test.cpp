/// @file
/// The head comment of every algorithm: its tags, once each, in order, each at the start of a line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

constexpr std::array<std::string_view, 6> tags = {"Needs", "Buffers", "Traffic", "Time", "Optimal", "Source"};
constexpr std::size_t body_column = 10;  // column of a tag's text
constexpr std::size_t longest_line = 120;

/// The comment that a file begins with, without its slashes.
std::vector<std::string> head_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line) && line.starts_with("///");)
    lines.push_back(line.size() > 4 ? line.substr(4) : "");
  return lines;
}

/// Length in characters: a byte of UTF-8 that continues a character does not count.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view tag_at_start(std::string_view line) {
  for (const std::string_view tag : tags) {
    if (line.starts_with(tag) && line.substr(tag.size()).starts_with("  ")) return tag;
  }
  return {};
}

bool has_tag_inside(std::string_view line) {
  return std::any_of(tags.begin(), tags.end(), [&](std::string_view tag) {
    const std::size_t at = line.find(std::string(" ") + std::string(tag) + "  ");
    return at != std::string_view::npos;
  });
}

/// Returns the faults of a head; none if it is right.
std::vector<std::string> faults_of(const std::vector<std::string>& head) {
  std::vector<std::string> faults;
  std::vector<std::string_view> found;
  for (const std::string& line : head) {
    const std::string_view tag = tag_at_start(line);
    if (!tag.empty()) found.push_back(tag);
    if (!found.empty() && tag.empty() && line.find_first_not_of(' ') != body_column)
      faults.push_back("not in line with the tag's text: " + line);
    if (!found.empty() && has_tag_inside(line)) faults.push_back("a tag in the midst of a line: " + line);
    if (width_of(line) + 4 > longest_line) faults.push_back("too long: " + line);
    if ((tag == "Traffic" || tag == "Optimal") && line.find("elements") != std::string::npos)
      faults.push_back("elements where other heads say bytes: " + line);
  }
  if (!std::equal(found.begin(), found.end(), tags.begin(), tags.end()))
    faults.emplace_back("the tags are not Needs, Buffers, Traffic, Time, Optimal, Source, once each");
  return faults;
}

TEST(Heads, EveryAlgorithmSaysWhatItNeedsAndCosts) {
  int algorithms = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(TUTTI_PROJECT_DIR) / "src/algorithms")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = contents_of(entry.path());
    if (text.find("\nconst Algorithm ") == std::string::npos) continue;
    ++algorithms;
    EXPECT_THAT(faults_of(head_of(text)), testing::IsEmpty()) << entry.path();
  }
  EXPECT_GE(algorithms, 30);
}

TEST(Heads, FaultsAreFound) {
  const std::vector<std::string> good = {"@file",
                                         "Broadcast.",
                                         "",
                                         "Needs     any p.",
                                         "Buffers   `message`.",
                                         "Traffic   p messages,",
                                         "          p m bytes.",
                                         "Time      ts.",
                                         "Optimal   in bytes.",
                                         "Source    A. Author, 2003."};
  EXPECT_THAT(faults_of(good), testing::IsEmpty());
  for (std::size_t k = 3; k < good.size(); ++k) {
    if (k == 6) continue;
    std::vector<std::string> without = good;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_THAT(faults_of(without), testing::Not(testing::IsEmpty())) << "without " << good[k];
    std::vector<std::string> joined = good;
    joined[k - 1] += " " + good[k];
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_THAT(faults_of(joined), testing::Not(testing::IsEmpty())) << good[k] << " run into the line before";
  }
  std::vector<std::string> ragged = good;
  ragged[6] = "p m bytes.";
  EXPECT_THAT(faults_of(ragged), testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace tutti::layers
