#include "transport/location.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/system/control_groups.hpp"
#include "base/system/environment.hpp"
#include "base/text/split.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

bool has(const UsableCores::Words& set, std::size_t core) { return (set[core / 64] >> core % 64 & 1) != 0; }

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The cores in a list such as "0-3,8", as the kernel writes it; nothing where it is none.
std::optional<UsableCores> cores_in(std::string_view list) {
  UsableCores cores;
  for (const std::string_view part : split(list, ',')) {
    const std::size_t dash = std::min(part.find('-'), part.size());
    const auto first = number_in(part.substr(0, dash));
    const auto last = dash == part.size() ? first : number_in(part.substr(dash + 1));
    if (!first || !last) return std::nullopt;
    for (std::size_t core = *first; core <= *last && core < UsableCores::most_cores; ++core) cores.allow(core);
  }
  return cores;
}

bool is_within(const UsableCores::Words& some, const UsableCores::Words& all) {
  return std::equal(some.begin(), some.end(), all.begin(),
                    [](std::uint64_t a, std::uint64_t b) { return (a & ~b) == 0; });
}

// The domain that has all of these cores; -1: none has. Domains are folders node0, node1, …; some may be missing.
int domain_of(const UsableCores::Words& allowed, const fs::path& root) {
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "sys/devices/system/node", unreadable)) {
    const std::string name = entry.path().filename().string();
    const auto number = name.starts_with("node") ? number_in(std::string_view(name).substr(4)) : std::nullopt;
    std::string list;
    std::ifstream file(entry.path() / "cpulist");
    if (!number || !std::getline(file, list) || list.empty()) continue;
    const auto cores = cores_in(list);
    if (cores && is_within(allowed, cores->allowed())) return static_cast<int>(*number);
  }
  return -1;
}

std::string name_of_node() {
  if (const char* const named = environment_variable("TUTTI_NODE"); named != nullptr && *named != '\0') return named;
  std::string name;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  if (std::getline(file, name) && !name.empty()) return name;
  return name_of_host();
}

}  // namespace

Location location_of(const UsableCores& cores, const fs::path& root) {
  int count = 0;
  for (const std::uint64_t word : cores.allowed()) count += std::popcount(word);
  if (count == 0) return {};
  Location location{.domain = domain_of(cores.allowed(), root)};
  for (std::size_t core = 0; count == 1 && core < UsableCores::most_cores; ++core) {
    if (has(cores.allowed(), core)) location.core = static_cast<int>(core);
  }
  return location;
}

std::uint64_t node_of_this_process() { return detail::hash_of(name_of_node()); }

ProcessPlace place_of_this_process(const UsableCores& cores) { return {node_of_this_process(), location_of(cores)}; }

Layout layout_of(std::span<const ProcessPlace> places) {
  std::map<std::uint64_t, int> numbers;
  std::vector<Location> locations;
  for (const ProcessPlace& place : places) {
    locations.push_back(place.location);
    locations.back().node = numbers.try_emplace(place.node, static_cast<int>(numbers.size())).first->second;
  }
  return Layout(std::move(locations));
}

UsableCores UsableCores::of_this_process() {
  UsableCores cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (std::size_t core = 0; core < std::min<std::size_t>(most_cores, CPU_SETSIZE); ++core) {
      if (CPU_ISSET(core, &set)) cores.allow(core);
    }
  } else {
    for (std::size_t core = 0; core < std::min<std::size_t>(most_cores, std::thread::hardware_concurrency()); ++core) {
      cores.allow(core);
    }
  }
  if (const auto quota = cpu_quota()) cores.limit(*quota);
  return cores;
}

void UsableCores::limit(double cores) {
  if (cores < quota_) quota_ = std::max(1, static_cast<int>(cores));
}

void UsableCores::add(const UsableCores& other) {
  for (std::size_t k = 0; k < allowed_.size(); ++k) allowed_[k] |= other.allowed_[k];
  quota_ = std::min(quota_, other.quota_);
}

int UsableCores::count() const {
  int cores = 0;
  for (const std::uint64_t word : allowed_) cores += std::popcount(word);
  return std::clamp(cores, 1, quota_);
}

}  // namespace tutti::runtime
