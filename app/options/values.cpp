#include "app/options/values.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::app {

int parse_small_integer(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most) {
  return static_cast<int>(parse_integer(text, what, least, most));
}

RankRange parse_ranks(std::string_view text) {
  const std::size_t dots = text.find("..");
  RankRange range;
  if (dots == std::string_view::npos) {
    range.first = parse_small_integer(text, "a number of ranks", 1, most_ranks_asked);
    range.last = range.first;
    return range;
  }
  range.first = parse_small_integer(text.substr(0, dots), "the first number of ranks", 1, most_ranks_asked);
  range.last = parse_small_integer(text.substr(dots + 2), "the last number of ranks", 1, most_ranks_asked);
  require(range.first <= range.last, "the range of ranks {} is empty; write the smaller number first", text);
  return range;
}

DistanceRange parse_distances(std::string_view text) {
  constexpr std::int64_t furthest = std::numeric_limits<int>::max();
  constexpr std::int64_t most_distances = 4096;
  const auto distance = [](std::string_view part) {
    return parse_small_integer(part, "a distance", -furthest, furthest);
  };
  const std::size_t dots = text.find("..");
  const int least = distance(text.substr(0, dots));
  const DistanceRange range{least, dots == std::string_view::npos ? least : distance(text.substr(dots + 2))};
  require(range.least <= range.most, "the range of distances {} is empty; write the smaller one first", text);
  require(std::int64_t{range.most} - range.least < most_distances, "the range {} has more than {} distances", text,
          most_distances);
  return range;
}

Shape parse_grid(std::string_view text) {
  std::vector<int> extents;
  std::int64_t size = 1;
  for (const std::string_view extent : split(text, 'x')) {
    extents.push_back(parse_small_integer(extent, "an extent of a grid such as 4x4", 1, most_ranks_asked));
    size *= extents.back();
    require(size <= most_ranks_asked, "the grid {} has more than {} ranks", text, most_ranks_asked);
  }
  return Shape(std::move(extents));
}

Collective parse_collective(std::string_view text) {
  if (const auto collective = collective_called(text)) return *collective;
  fail(ErrorCode::invalid_argument, "{}", no_collective(text));
}

SizeRange parse_sizes(std::string_view text) {
  const std::size_t dots = text.find("..");
  const Bytes least = parse_bytes(text.substr(0, dots));
  const Bytes most = dots == std::string_view::npos ? least : parse_bytes(text.substr(dots + 2));
  require(least <= most, "the range of sizes {} is empty; write the smaller size first", text);
  constexpr std::int64_t largest = std::int64_t{1} << 50;
  require(most.count <= largest, "sizes go up to 1PiB, not {}", text);
  return {least.count, most.count};
}

std::int64_t one_size(const SizeRange& range) {
  require(range.least == range.most, "one size is needed, not a range");
  return range.least;
}

std::vector<std::int64_t> sizes_in(const SizeRange& range) {
  std::vector<std::int64_t> sizes{range.least};
  for (std::int64_t size = 1; size < range.most; size *= 2) {
    if (size > range.least) sizes.push_back(size);
  }
  if (range.most > range.least) sizes.push_back(range.most);
  return sizes;
}

}  // namespace tutti::app
