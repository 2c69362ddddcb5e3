/// @file
/// Layers: the #include lines and the CMake libraries against the table of rooms in docs/architecture.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "layers/includes.hpp"

namespace tutti::layers {
namespace {

const std::filesystem::path project = TUTTI_PROJECT_DIR;

std::vector<Room> table() { return rooms_of(contents_of(project / "docs/architecture.md")); }

TEST(Layers, TheTableNamesFoldersThatExist) {
  const std::vector<Room> rooms = table();
  ASSERT_GE(rooms.size(), 8U);
  for (const Room& room : rooms) {
    EXPECT_TRUE(std::filesystem::is_directory(project / room.path)) << room.path;
    for (const std::string& known : room.knows) EXPECT_TRUE(std::filesystem::exists(project / known)) << known;
  }
}

TEST(Layers, TheWayOfAFirstCallNamesFilesThatExist) {
  const std::string page = contents_of(project / "docs/architecture.md");
  const std::size_t begin = page.find("## A first call");
  ASSERT_NE(begin, std::string::npos);
  const std::string way = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  static const std::regex line("\n +((?:src|include)/[^ ]+) ");
  int files = 0;
  for (std::sregex_iterator each(way.begin(), way.end(), line), end; each != end; ++each, ++files)
    EXPECT_TRUE(std::filesystem::exists(project / (*each)[1].str())) << (*each)[1];
  EXPECT_GE(files, 10);
}

TEST(Layers, EveryRoomHasTestsOfItsOwn) {
  for (const auto& room : std::filesystem::directory_iterator(project / "src")) {
    if (!room.is_directory()) continue;
    const std::string name = room.path().filename().string();
    EXPECT_TRUE(std::filesystem::exists(project / "tests/unit" / name / "CMakeLists.txt")) << name;
  }
}

TEST(Layers, ARoomKnowsOnlyRoomsAboveIt) {
  const std::vector<Room> rooms = table();
  for (std::size_t k = 0; k < rooms.size(); ++k) {
    const std::vector<Room> above(rooms.begin(), rooms.begin() + static_cast<std::ptrdiff_t>(k));
    for (const std::string& known : rooms[k].knows) {
      const bool listed = std::any_of(above.begin(), above.end(), [&](const Room& room) {
        return room.path.starts_with(known) || known.starts_with(room.path);
      });
      EXPECT_TRUE(listed) << rooms[k].path << " knows " << known;
    }
  }
}

TEST(Layers, EveryIncludeIsAllowed) {
  const std::vector<Room> rooms = table();
  const std::vector<Source> sources = sources_below(project, {"include", "src", "app", "examples", "bindings", "web"});
  ASSERT_GE(sources.size(), 50U);
  for (const Source& source : sources) EXPECT_THAT(violations(rooms, source), testing::IsEmpty());
}

TEST(Layers, EveryPermissionIsUsed) {
  EXPECT_THAT(unused(table(), sources_below(project, {"include", "src", "app", "examples", "bindings", "web"})),
              testing::IsEmpty());
}

TEST(Layers, TheLibrariesAreLinkedAsTheTableSays) {
  const std::vector<Room> rooms = table();
  const std::vector<Room> linked = linked_rooms_of(contents_of(project / "src/CMakeLists.txt"));
  ASSERT_GE(linked.size(), 6U);
  for (const Room& room : linked) {
    const Room* row = room_of(rooms, room.path);
    ASSERT_TRUE(row && row->path == room.path) << room.path << " is linked but not in the table";
    std::vector<std::string> known = row->knows;
    std::erase_if(known,
                  [&](const std::string& path) { return !path.starts_with("src/") || path.starts_with(room.path); });
    EXPECT_THAT(room.knows, testing::UnorderedElementsAreArray(known)) << room.path;
  }
}

TEST(Layers, PublicHeadersKnowOnlyPublicHeadersAndTheStandardLibrary) {
  const std::vector<Source> headers = sources_below(project, {"include"});
  ASSERT_FALSE(headers.empty());
  for (const Source& header : headers) {
    for (const std::string& quoted : header.quoted)
      EXPECT_TRUE(quoted.starts_with("tutti/")) << header.path << ": " << quoted;
    for (const std::string& angled : header.angled) {
      // One header is for programs that have MPI, and no other includes it.
      if (header.path.ends_with("tutti_mpi.hpp") && angled == "mpi.h") continue;
      EXPECT_EQ(angled.find_first_of("./"), std::string::npos) << header.path << ": " << angled;
    }
  }
}

// Rooms of a build with -DTUTTI_BUILD_RUNTIME=OFF: those that src/CMakeLists.txt has before it asks for the runtime,
// and the commands over them.
TEST(Layers, WhatNeedsNoRuntimeAsksNothingOfTheSystem) {
  const std::string rooms = contents_of(project / "src/CMakeLists.txt");
  const std::string commands = contents_of(project / "app/CMakeLists.txt");
  static const std::regex pure(R"(set\(pure_folders ([^)]+)\))");
  std::smatch listed;
  ASSERT_TRUE(std::regex_search(commands, listed, pure));
  std::istringstream names(listed[1].str());
  std::set<std::string> pure_folders;
  for (std::string name; names >> name;) pure_folders.insert("app/" + name);
  ASSERT_GE(pure_folders.size(), 4U);
  std::vector<std::string> folders;
  for (const Room& room : linked_rooms_of(rooms.substr(0, rooms.find("NOT TUTTI_BUILD_RUNTIME")))) {
    folders.push_back(room.path);
  }
  ASSERT_GE(folders.size(), 10U);
  const std::set<std::string> threads = {"thread", "mutex",   "shared_mutex", "condition_variable", "future",
                                         "latch",  "barrier", "semaphore",    "stop_token"};
  std::vector<Source> sources = sources_below(project, folders);
  for (const Source& source : sources_below(project, {"app"})) {
    if (pure_folders.contains(source.path.substr(0, source.path.rfind('/')))) sources.push_back(source);
  }
  ASSERT_GE(sources.size(), 100U);
  for (const Source& source : sources) {
    for (const std::string& angled : source.angled) {
      const bool is_standard = angled.find_first_of("./") == std::string::npos && !threads.contains(angled);
      const bool is_library = angled.starts_with("fmt/") || angled.starts_with("nlohmann/") ||
                              angled.starts_with("CLI/") ||
                              (angled.starts_with("toml++/") && source.path == "app/command_line/user_settings.cpp") ||
                              (angled.starts_with("boost/") && source.path == "src/topology/cuts/integer_flow.cpp") ||
                              (angled.starts_with("coin/") && source.path == "src/synthesize/pairs/linear_program.cpp");
      EXPECT_TRUE(is_standard || is_library) << source.path << " includes <" << angled << ">";
    }
  }
}

// Recording, proving and pricing are functions of what they are given.
TEST(Layers, RoomsThatOnlyComputeKeepNothingForAThread) {
  const std::vector<Source> sources =
      sources_below(project, {"src/schedule", "src/algorithms", "src/verify", "src/cost", "src/simulate", "src/pricing",
                              "src/predict", "src/plan"});
  ASSERT_GE(sources.size(), 100U);
  for (const Source& source : sources)
    EXPECT_THAT(contents_of(project / source.path), testing::Not(testing::HasSubstr("thread_local"))) << source.path;
}

TEST(Layers, OneFunctionReadsTheEnvironment) {
  for (const char* const room : {"include", "src", "app"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(project / room)) {
      if (!file.is_regular_file() || file.path() == project / "src/base/system/environment.hpp") continue;
      EXPECT_THAT(contents_of(file.path()), testing::Not(testing::HasSubstr("getenv("))) << file.path();
    }
  }
}

TEST(Layers, ABrokenWallIsFound) {
  const std::vector<Room> rooms = rooms_of(
      "| room | holds | may know |\n|---|---|---|\n| `include/tutti/` | public | |\n| `src/base/` | checks | "
      "`include/tutti/error.hpp` |\n"
      "| `src/schedule/` | data | `src/base/` |\n| `src/schedule/deep/` | less | |\n\n| `no` | `room` | `here` |\n");
  ASSERT_EQ(rooms.size(), 4U);
  const auto sentences = [&](std::string path, std::string_view text) {
    return violations(rooms, source_of(std::move(path), text));
  };
  EXPECT_THAT(
      sentences("src/schedule/a.cpp", "#include <vector>\n#include \"schedule/a.hpp\"\n#include \"base/b.hpp\"\n"),
      testing::IsEmpty());
  EXPECT_THAT(sentences("src/base/b.cpp", "#include \"tutti/error.hpp\"\n"), testing::IsEmpty());
  EXPECT_THAT(sentences("src/base/b.cpp", "#include \"schedule/a.hpp\"\n"),
              testing::ElementsAre("src/base/b.cpp includes \"schedule/a.hpp\", but src/base/ may not know it"));
  EXPECT_THAT(sentences("src/base/b.cpp", "  # include \"tutti/run.hpp\"\n"), testing::SizeIs(1));
  EXPECT_THAT(sentences("src/schedule/deep/a.cpp", "#include \"base/b.hpp\"\n"), testing::SizeIs(1));
  EXPECT_THAT(sentences("src/schedule/a.cpp", "#include \"fmt/format.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(sentences("src/other/a.cpp", ""), testing::SizeIs(1));
  const Source user = source_of("src/schedule/a.cpp", "#include \"base/b.hpp\"\n");
  EXPECT_THAT(unused(rooms, {user}), testing::ElementsAre("src/base/ may know include/tutti/error.hpp, but no file "
                                                          "there includes it"));
}

}  // namespace
}  // namespace tutti::layers
