/// @file
/// The table of rooms in docs/architecture.md, and the #include lines that it governs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::layers {

/// A row of the table: a folder, and the paths that its files may include. Paths are relative to the project:
/// "src/base/".
struct Room {
  std::string path;
  std::vector<std::string> knows;
};

/// A file and what it includes.
struct Source {
  std::string path;
  std::vector<std::string> quoted;  ///< "schedule/record/script.hpp"
  std::vector<std::string> angled;  ///< <vector>
};

/// The rows of the table whose heading is "| room | holds | may know |".
std::vector<Room> rooms_of(std::string_view markdown);
/// The rooms of `src/` that CMake links, as rows with the same paths.
std::vector<Room> linked_rooms_of(std::string_view cmake);
/// The #include lines of a file's text.
Source source_of(std::string path, std::string_view text);
/// All C++ files below the given folders of the project.
std::vector<Source> sources_below(const std::filesystem::path& project, const std::vector<std::string>& folders);
std::string contents_of(const std::filesystem::path& file);

/// The row that governs a file: the longest path that fits. Null where none does.
const Room* room_of(const std::vector<Room>& rooms, std::string_view path);
/// Returns the file to which an #include of a project file leads, "src/schedule/record/script.hpp"; empty for other
/// libraries'
/// files.
std::string target_of(const std::vector<Room>& rooms, std::string_view quoted);
/// One sentence for each #include that the table does not allow.
std::vector<std::string> violations(const std::vector<Room>& rooms, const Source& source);
/// One sentence for each permission of the table that no #include uses.
std::vector<std::string> unused(const std::vector<Room>& rooms, const std::vector<Source>& sources);

}  // namespace tutti::layers
