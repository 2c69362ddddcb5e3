#include "base/text/rank_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tutti {

std::string list_of(std::span<const int> ranks) {
  constexpr std::size_t most = 16;
  constexpr std::ptrdiff_t shortest_range = 4;
  std::vector<std::string> pieces;
  for (auto first = ranks.begin(); first != ranks.end();) {
    auto last = first;
    while (last + 1 != ranks.end() && *(last + 1) == *last + 1) ++last;
    if (last + 1 - first < shortest_range) last = first;
    pieces.push_back(first == last ? std::to_string(*first) : fmt::format("{}-{}", *first, *last));
    first = last + 1;
  }
  const std::string_view what = ranks.size() == 1 ? "rank" : "ranks";
  if (pieces.size() <= most) return fmt::format("{} {}", what, fmt::join(pieces, ", "));
  return fmt::format("{} {}, … ({} in all)", what, fmt::join(std::span(pieces).first(most), ", "), ranks.size());
}

std::vector<RankGroup> RankGroups::largest_first() const {
  std::vector<RankGroup> groups;
  for (const auto& [text, ranks] : ranks_) {
    groups.emplace_back(ranks, text);
    std::sort(groups.back().first.begin(), groups.back().first.end());
  }
  std::sort(groups.begin(), groups.end(), [](const RankGroup& a, const RankGroup& b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
  });
  return groups;
}

std::string RankGroups::odd_first() const {
  std::vector<RankGroup> groups = largest_first();
  std::reverse(groups.begin(), groups.end());
  std::string sentence;
  for (const auto& [ranks, text] : groups)
    sentence += fmt::format("{}{} {}", sentence.empty() ? "" : "; ", list_of(ranks), text);
  return sentence;
}

}  // namespace tutti
