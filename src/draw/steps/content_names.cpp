#include "draw/steps/content_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "schedule/model/problem_blocks.hpp"

namespace tutti::draw {
namespace {

constexpr std::size_t longest_set = 12;

std::string braced(const std::vector<int>& set) { return fmt::format("{{{}}}", text_of_set(set)); }

// A set of one needs no braces.
std::string plain(const std::vector<int>& set) { return set.size() == 1 ? text_of_set(set) : braced(set); }

std::string sum_of(const std::vector<int>& ranks) {
  return fmt::format("{}{}", ranks.size() == 1 ? "x" : "Σ", text_of_set(ranks));
}

/// Returns the first block that ends behind the element; the number of blocks where none does.
int block_with(const Blocks& blocks, std::int64_t element) {
  int low = 0;
  for (int high = blocks.size(); low < high;) {
    const int middle = std::midpoint(low, high);
    if (blocks.first(middle + 1) <= element) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Adds the numbers of one ascending set to another.
void add_to(std::vector<int>& set, const std::vector<int>& more) {
  const auto middle = static_cast<std::ptrdiff_t>(set.size());
  const bool follow = set.empty() || more.empty() || set.back() < more.front();
  set.insert(set.end(), more.begin(), more.end());
  if (follow) return;
  std::inplace_merge(set.begin(), set.begin() + middle, set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

std::vector<std::string> in_few_lines(std::vector<std::string> lines) {
  if (lines.size() <= ContentNames::most_lines) return lines;
  const std::size_t more = lines.size() - (ContentNames::most_lines - 1);
  lines.resize(ContentNames::most_lines - 1);
  lines.push_back(fmt::format("and {} more", more));
  return lines;
}

}  // namespace

std::string text_of_set(const std::vector<int>& set) {
  std::string text;
  for (auto at = set.begin(); at != set.end();) {
    auto end = std::next(at);
    while (end != set.end() && *end == *std::prev(end) + 1) ++end;
    const int last = *std::prev(end);
    const bool range = last >= *at + 2;
    const std::string next = range ? fmt::format("{}..{}", *at, last) : fmt::format("{}", *at);
    if (!text.empty() && text.size() + next.size() >= longest_set) return fmt::format("{},… ({})", text, set.size());
    text += text.empty() ? next : "," + next;
    at = range ? end : std::next(at);
  }
  return text;
}

std::vector<SymbolicContent> contents_of(std::span<const proof::Piece> pieces, const proof::Expressions& expressions) {
  std::vector<SymbolicContent> contents;
  for (const proof::Piece& piece : pieces) {
    SymbolicContent content{.offset = piece.value.offset, .count = piece.count};
    for (const proof::RankRange& range : expressions.contributions(piece.value.expression)) {
      const std::size_t before = content.ranks.size();
      content.ranks.resize(before + static_cast<std::size_t>(range.end - range.first));
      std::iota(content.ranks.begin() + static_cast<std::ptrdiff_t>(before), content.ranks.end(), range.first);
    }
    contents.push_back(std::move(content));
  }
  return contents;
}

ContentNames::ContentNames(const Problem& problem) : problem_(problem), cut_(!has_blocks(problem.collective)) {
  if (!cut_) return;
  cuts_.push_back(0);
  if (problem.count > 0) cuts_.push_back(problem.count);
}

void ContentNames::add_cuts_of(std::span<const SymbolicContent> contents) {
  if (!cut_) return;
  for (const SymbolicContent& content : contents) {
    for (const std::int64_t cut : {content.offset, content.offset + content.count}) {
      const auto place = std::lower_bound(cuts_.begin(), cuts_.end(), cut);
      if (place == cuts_.end() || *place != cut) cuts_.insert(place, cut);
    }
  }
}

// The numbers of the blocks that the content touches.
ContentNames::Set ContentNames::parts_of(const SymbolicContent& content) const {
  Set parts;
  if (cut_) {
    const auto first = std::lower_bound(cuts_.begin(), cuts_.end(), content.offset);
    const auto last = std::lower_bound(first, cuts_.end(), content.offset + content.count);
    parts.resize(static_cast<std::size_t>(last - first));
    std::iota(parts.begin(), parts.end(), static_cast<int>(first - cuts_.begin()));
    return parts;
  }
  const Blocks blocks = input_blocks(problem_, content.ranks.front());
  int part = block_with(blocks, content.offset);
  for (; part < blocks.size() && blocks.first(part) < content.offset + content.count; ++part) {
    if (blocks.first(part + 1) > content.offset) parts.push_back(part);
  }
  return parts;
}

std::string ContentNames::line(const Set& ranks, const Set& parts) const {
  switch (problem_.collective) {
    case Collective::broadcast:
      return whole() ? "M" : braced(parts);
    case Collective::scatter:
      return braced(parts);
    case Collective::gather:
    case Collective::all_gather:
    case Collective::shift:
      return braced(ranks);
    case Collective::all_to_all:
      return fmt::format("{}→{}", plain(ranks), plain(parts));
    default:
      break;
  }
  const std::size_t all = cut_ ? cuts_.size() - 1 : static_cast<std::size_t>(problem_.ranks);
  return parts.size() == all ? sum_of(ranks) : fmt::format("{}: {}", plain(parts), sum_of(ranks));
}

std::vector<std::string> ContentNames::lines_for(std::span<const SymbolicContent> contents) const {
  // Most messages and ranks have one content.
  if (contents.size() == 1 && contents.front().count > 0)
    return {line(contents.front().ranks, parts_of(contents.front()))};
  std::map<Set, Set> parts_by_ranks;
  for (const SymbolicContent& content : contents) {
    if (content.count > 0) add_to(parts_by_ranks[content.ranks], parts_of(content));
  }
  // Moved blocks with the same parts belong together, sums do not.
  std::vector<std::pair<Set, Set>> groups;
  for (const auto& [ranks, parts] : parts_by_ranks) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&, &moved = parts](const auto& group) {
      return !reduces(problem_.collective) && group.second == moved;
    });
    if (same == groups.end()) {
      groups.emplace_back(ranks, parts);
    } else {
      add_to(same->first, ranks);
    }
  }
  // By parts, then by ranks.
  std::sort(groups.begin(), groups.end(),
            [](const auto& a, const auto& b) { return std::tie(a.second, a.first) < std::tie(b.second, b.first); });
  std::vector<std::string> lines;
  for (const auto& [ranks, parts] : groups) lines.push_back(line(ranks, parts));
  return in_few_lines(std::move(lines));
}

std::string ContentNames::legend() const {
  switch (problem_.collective) {
    case Collective::broadcast:
      return whole() ? "M is the message" : "{0,1} are parts 0 and 1 of the message";
    case Collective::scatter:
      return "{0,1} are the blocks for ranks 0 and 1";
    case Collective::gather:
    case Collective::all_gather:
    case Collective::shift:
      return "{0,1} are the blocks of ranks 0 and 1";
    case Collective::all_to_all:
      return "0→{1,2} are the blocks of rank 0 for ranks 1 and 2";
    case Collective::barrier:
      return "";
    default:
      break;
  }
  const std::string sums = "x0 is the contribution of rank 0, Σ0..3 the sum of those of ranks 0 to 3";
  const bool one = cut_ ? whole() : problem_.ranks == 1;
  return one ? sums : sums + "; 2: Σ0..3 is part 2 of that sum";
}

}  // namespace tutti::draw
