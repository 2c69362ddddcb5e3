/// @file
/// Values that options share: numbers of ranks, grids, collectives, ranges of sizes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cost/crossing.hpp"
#include "schedule/model/problem.hpp"
#include "topology/families/families.hpp"

namespace tutti::app {

/// An inclusive range of numbers of ranks.
struct RankRange {
  int first = 1;
  int last = 1;

  friend bool operator==(const RankRange&, const RankRange&) = default;
};

/// Ranks that explain and draw show by default: few enough to follow, and enough for every algorithm's needs.
inline constexpr RankRange few_ranks{8, 8};

constexpr std::int64_t most_ranks_asked = std::int64_t{1} << 24;

/// "8", or "1..64". Throws `Error` unless 1 <= first <= last <= 2^24.
RankRange parse_ranks(std::string_view text);

/// An inclusive range of distances of shifts.
struct DistanceRange {
  int least = 0;
  int most = 0;
};

/// "5", "-3" or "1..7". Throws `Error` for what is no distance, an empty range, and more than 4096 distances.
DistanceRange parse_distances(std::string_view text);

/// "4x4" or "2x3x4", and "16" for one dimension. Throws `Error` for anything else.
Shape parse_grid(std::string_view text);

/// The collective of that name or alias, in letters of either case, with dashes or underscores; throws `Error` naming
/// the nearest otherwise, or all where none is near.
Collective parse_collective(std::string_view text);

/// The whole number in the text; `what` names it in the error of one that is none, or not between these two.
int parse_small_integer(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most);

/// "64KiB", or "8..16MiB". Throws `Error` for what is no size, an empty range, and sizes above 1PiB.
SizeRange parse_sizes(std::string_view text);

/// The only size of a range. Throws `Error` where it has several.
std::int64_t one_size(const SizeRange& range);

/// The sizes to show of a range: its ends and the powers of two in between.
std::vector<std::int64_t> sizes_in(const SizeRange& range);

}  // namespace tutti::app
