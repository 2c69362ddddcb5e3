#include "base/system/control_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {
namespace {

namespace fs = std::filesystem;

enum class Version : std::uint8_t { one, two };

/// A tree of control groups that limit something, as it is mounted here.
struct GroupHierarchy {
  Version version;
  fs::path mounted;
  std::string top;  ///< the group that the mounted folder shows, as /proc/self/cgroup names it
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool has_item(const std::string& list, std::string_view item) {
  return fmt::format(",{},", list).find(fmt::format(",{},", item)) != std::string::npos;
}

// A line of mountinfo: id, parent, device, root, place, options, more of them up to "-", then type, source, options.
std::optional<GroupHierarchy> hierarchy_of(const std::vector<std::string>& words, std::string_view controller) {
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (words.size() < 6 || words.end() - dash < 4) return std::nullopt;
  const fs::path place = fs::path(words[4]).relative_path();
  if (dash[1] == "cgroup2") return GroupHierarchy{Version::two, place, words[3]};
  if (dash[1] == "cgroup" && has_item(dash[3], controller)) return GroupHierarchy{Version::one, place, words[3]};
  return std::nullopt;
}

std::vector<GroupHierarchy> hierarchies(const fs::path& root, std::string_view controller) {
  std::vector<GroupHierarchy> found;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (auto hierarchy = hierarchy_of(words_of(line), controller)) found.push_back(std::move(*hierarchy));
  }
  return found;
}

/// This process's group in such a tree: "/user.slice/session"; nothing where it has none. Lines are "id:list:group",
/// where the list of version 2 is empty.
std::optional<std::string> group_in(Version version, const fs::path& root, std::string_view controller) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string list = line.substr(first + 1, second - first - 1);
    if (version == Version::two ? list.empty() : has_item(list, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The group's place below the one that is mounted. A container may see its own group mounted, and be told the whole
/// path of it.
fs::path below(const std::string& top, const std::string& group) {
  const bool is_inside =
      top != "/" && group.starts_with(top) && (group.size() == top.size() || group[top.size()] == '/');
  return fs::path(is_inside ? group.substr(top.size()) : group).relative_path();
}

template <typename Number>
std::optional<Number> number_in(const fs::path& file) {
  std::ifstream in(file);
  Number number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

/// Returns what one group grants, by its own files.
std::optional<double> quota_of(Version version, const fs::path& group) {
  double quota = 0;
  double period = 0;
  if (version == Version::two) {
    std::ifstream in(group / "cpu.max");  // "max 100000", where there is no limit
    if (!(in >> quota >> period)) return std::nullopt;
  } else {
    quota = number_in<double>(group / "cpu.cfs_quota_us").value_or(-1);
    period = number_in<double>(group / "cpu.cfs_period_us").value_or(0);
  }
  if (quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<std::int64_t> memory_of(Version version, const fs::path& group) {
  return number_in<std::int64_t>(group / (version == Version::two ? "memory.max" : "memory.limit_in_bytes"));
}

/// Bytes of files that the group has read and not used of late, which it drops before it fails.
std::int64_t droppable_of(const fs::path& group) {
  std::ifstream lines(group / "memory.stat");
  std::string name;
  for (std::int64_t bytes = 0; lines >> name >> bytes;) {
    if (name == "inactive_file") return bytes;
  }
  return 0;
}

std::optional<std::int64_t> memory_left_of(Version version, const fs::path& group) {
  const auto limit = memory_of(version, group);
  const auto held =
      number_in<std::int64_t>(group / (version == Version::two ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !held) return std::nullopt;
  return std::max<std::int64_t>(*limit - std::max<std::int64_t>(*held - droppable_of(group), 0), 0);
}

/// The least that this process's group and those above it grant.
template <typename Grant>
auto least(const fs::path& root, std::string_view controller, const Grant& grant) {
  decltype(grant(Version::two, root)) found;
  for (const GroupHierarchy& hierarchy : hierarchies(root, controller)) {
    const auto group = group_in(hierarchy.version, root, controller);
    if (!group) continue;
    const fs::path top = root / hierarchy.mounted;
    fs::path at = below(hierarchy.top, *group);
    for (bool is_top = false; !is_top; at = at.parent_path()) {
      is_top = at.empty();
      const auto granted = grant(hierarchy.version, top / at);
      if (granted && (!found || *granted < *found)) found = granted;
    }
  }
  return found;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) { return least(root, "cpu", quota_of); }

std::optional<std::int64_t> memory_limit(const fs::path& root) { return least(root, "memory", memory_of); }

std::optional<std::int64_t> memory_left(const fs::path& root) { return least(root, "memory", memory_left_of); }

}  // namespace tutti
