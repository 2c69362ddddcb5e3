#include "layers/includes.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace tutti::layers {
namespace {

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

bool within(std::string_view path, std::string_view prefix) { return path.starts_with(prefix); }

}  // namespace

std::vector<Room> rooms_of(std::string_view markdown) {
  static const std::regex quoted("`([^`]+)`");
  std::istringstream lines{std::string(markdown)};
  std::vector<Room> rooms;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "| room | holds | may know |") inside = true;
    if (!line.starts_with('|')) inside = false;
    if (!inside || !line.starts_with("| `")) continue;
    const std::size_t last_cell = line.rfind('|', line.size() - 2);
    rooms.push_back({matches(line, quoted).front(), matches(line.substr(last_cell), quoted)});
  }
  return rooms;
}

std::vector<Room> linked_rooms_of(std::string_view cmake) {
  static const std::regex call("tutti_room\\((\\w+)((?: KNOWS(?: [a-z_]+)+)?)");
  static const std::regex word("([a-z_]+)");
  const std::string text(cmake);
  std::vector<Room> rooms;
  for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match) {
    Room room{"src/" + (*match)[1].str() + "/", {}};
    for (const std::string& name : matches((*match)[2].str(), word)) room.knows.push_back("src/" + name + "/");
    rooms.push_back(room);
  }
  return rooms;
}

Source source_of(std::string path, std::string_view text) {
  static const std::regex quoted("(?:^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"");
  static const std::regex angled("(?:^|\n)[ \t]*#[ \t]*include[ \t]*<([^>]+)>");
  const std::string copy(text);
  return {std::move(path), matches(copy, quoted), matches(copy, angled)};
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Source> sources_below(const std::filesystem::path& project, const std::vector<std::string>& folders) {
  std::vector<Source> sources;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder)) {
      const auto extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
      sources.push_back(
          source_of(std::filesystem::relative(entry.path(), project).string(), contents_of(entry.path())));
    }
  }
  return sources;
}

const Room* room_of(const std::vector<Room>& rooms, std::string_view path) {
  const Room* best = nullptr;
  for (const Room& room : rooms) {
    if (within(path, room.path) && (!best || room.path.size() > best->path.size())) best = &room;
  }
  return best;
}

std::string target_of(const std::vector<Room>& rooms, std::string_view quoted) {
  for (const std::string_view root : {"include/", "src/", ""}) {
    const std::string path = std::string(root) + std::string(quoted);
    if (room_of(rooms, path)) return path;
  }
  return {};
}

std::vector<std::string> violations(const std::vector<Room>& rooms, const Source& source) {
  const Room* room = room_of(rooms, source.path);
  if (!room) return {source.path + " lies in no room of the table"};
  std::vector<std::string> found;
  for (const std::string& quoted : source.quoted) {
    const std::string target = target_of(rooms, quoted);
    const auto allows = [&](const std::string& known) { return within(target, known); };
    const bool own = room_of(rooms, target) == room;
    if (target.empty()) {
      found.push_back(source.path + " includes \"" + quoted + "\", which is no file of a room");
    } else if (!own && std::none_of(room->knows.begin(), room->knows.end(), allows)) {
      found.push_back(source.path + " includes \"" + quoted + "\", but " + room->path + " may not know it");
    }
  }
  return found;
}

std::vector<std::string> unused(const std::vector<Room>& rooms, const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const Room& room : rooms) {
    for (const std::string& known : room.knows) {
      const bool is_used = std::any_of(sources.begin(), sources.end(), [&](const Source& source) {
        return room_of(rooms, source.path) == &room &&
               std::any_of(source.quoted.begin(), source.quoted.end(),
                           [&](const std::string& quoted) { return within(target_of(rooms, quoted), known); });
      });
      if (!is_used) found.push_back(room.path + " may know " + known + ", but no file there includes it");
    }
  }
  return found;
}

}  // namespace tutti::layers
