#include "launch/endings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/signature.hpp"

namespace tutti::launch {

std::vector<std::string> Endings::lines() const {
  std::vector<std::pair<std::vector<int>, std::string>> groups;
  for (const auto& [how, ranks] : ranks_) {
    groups.emplace_back(ranks, how);
    std::sort(groups.back().first.begin(), groups.back().first.end());
  }
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
  });
  std::vector<std::string> lines;
  std::size_t left = 0;
  for (const auto& [ranks, how] : groups) {
    if (lines.size() == most_lines) {
      left += ranks.size();
    } else {
      lines.push_back(fmt::format("{} {}", runtime::list_of(ranks), how));
    }
  }
  if (left == 1) lines.push_back("1 more rank ended");
  if (left > 1) lines.push_back(fmt::format("{} more ranks ended, each in its own way", left));
  return lines;
}

}  // namespace tutti::launch
