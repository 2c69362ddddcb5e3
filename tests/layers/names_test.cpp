/// @file
/// The one-definition rule, of which neither the compiler nor the linker tells: a type that is not in an unnamed
/// namespace has its name alone, or functions of the one are called for the other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

/// Types of one name in different rooms: each is local to its files, and its rooms have no better word.
const std::set<std::string> in_several_rooms = {};

/// The types that a text defines for other files to see, "tutti::draw::Plot", as far as they begin a line: those within
/// others are indented. Namespaces end with a comment that says so.
std::set<std::string> types_in(const std::string& text) {
  static const std::regex opening("(?:inline )?namespace ([\\w:]*) ?\\{.*");
  static const std::regex type("(?:template <.*> ?)?(?:struct|class|enum class) (\\w+)( final)?( : [^:].*)? \\{.*");
  std::set<std::string> found;
  std::vector<std::string> spaces;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, opening)) {
      spaces.push_back(match[1]);
    } else if (line.starts_with("}  // namespace") && !spaces.empty()) {
      spaces.pop_back();
    } else if (std::regex_match(line, match, type)) {
      std::string name;
      bool is_seen = true;
      for (const std::string& space : spaces) {
        is_seen = is_seen && !space.empty();
        name += space + "::";
      }
      if (is_seen) found.insert(name + match[1].str());
    }
  }
  return found;
}

TEST(Names, ATypeIsDefinedOnce) {
  std::map<std::string, std::set<std::string>> homes;
  for (const Source& source : sources_below(TUTTI_PROJECT_DIR, {"src", "include", "app"})) {
    for (const std::string& type : types_in(contents_of(std::filesystem::path(TUTTI_PROJECT_DIR) / source.path)))
      homes[type].insert(source.path);
  }
  EXPECT_GT(homes.size(), 500U);
  for (const auto& [type, files] : homes)
    EXPECT_EQ(files.size(), 1U) << type << " in " << testing::PrintToString(files);
}

/// Rooms in which each type name is defined at the beginning of a line, in an unnamed namespace, too.
std::map<std::string, std::set<std::string>> rooms_of_types() {
  static const std::regex type(
      "(?:^|\n)(?:template <[^\n]*> ?)?(?:struct|class|enum class|enum) (?:alignas\\([^)]*\\) )?(\\w+)(?: final)?"
      "(?: : [^:\n][^\n]*)? \\{");
  std::map<std::string, std::set<std::string>> rooms;
  for (const Source& source : sources_below(TUTTI_PROJECT_DIR, {"src"})) {
    const std::string text = contents_of(std::filesystem::path(TUTTI_PROJECT_DIR) / source.path);
    const std::string room = source.path.substr(4, source.path.find('/', 4) - 4);
    for (std::sregex_iterator each(text.begin(), text.end(), type), end; each != end; ++each)
      rooms[(*each)[1]].insert(room);
  }
  return rooms;
}

TEST(Names, OfATypeHaveOneMeaning) {
  for (const auto& [type, rooms] : rooms_of_types()) {
    if (in_several_rooms.contains(type)) continue;
    EXPECT_EQ(rooms.size(), 1U) << type << " in " << testing::PrintToString(rooms);
  }
}

TEST(Names, InSeveralRoomsAreStillThere) {
  const auto rooms = rooms_of_types();
  for (const std::string& type : in_several_rooms)
    EXPECT_TRUE(rooms.contains(type) && rooms.at(type).size() > 1) << type << " needs no exception";
}

TEST(Names, AreThoseOfTheirNamespaces) {
  EXPECT_THAT(
      types_in("namespace a::b {\nstruct One {\n  int x;\n};\nnamespace {\nclass Hidden {};\n}  // namespace\n"
               "template <typename T>\nclass Two final : public One {\n};\n}  // namespace a::b\nstruct Three;\n"),
      testing::ElementsAre("a::b::One", "a::b::Two"));
}

}  // namespace
}  // namespace tutti::layers
