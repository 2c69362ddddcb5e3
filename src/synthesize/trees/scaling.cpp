#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "synthesize/trees/forest.hpp"

namespace tutti::synthesize {
namespace {

Supplies times(Supplies supplies, std::int64_t factor) {
  for (std::int64_t& supply : supplies) supply *= factor;
  return supplies;
}

std::int64_t common_divisor(const Capacities& capacities, std::int64_t with) {
  for (int from = 0; from < capacities.nodes(); ++from) {
    for (int to = 0; to < capacities.nodes(); ++to) with = std::gcd(with, capacities.at(from, to));
  }
  return with;
}

// Factors are tried in steps of one of this many parts of the least possible one.
constexpr std::int64_t parts = 1 << 10;

// In which time a link carries what the scaled capacities ask of it, at most.
double part_time_of(const Capacities& capacities, const Capacities& scaled) {
  double longest = 0;
  for (int from = 0; from < capacities.nodes(); ++from) {
    for (int to = 0; to < capacities.nodes(); ++to) {
      if (capacities.at(from, to) == 0) continue;
      const auto capacity = static_cast<double>(capacities.at(from, to));
      longest = std::max(longest, static_cast<double>(scaled.at(from, to)) / capacity);
    }
  }
  return longest;
}

// The least factor above that of the narrowest cut with which rounding down leaves room for `each` trees. A rank with
// more links than trees leaves some of them unused: then it is many times as large.
std::optional<Scaled> rounded_down(const Capacities& capacities, const Supplies& supplies, const NarrowCut& narrowest,
                                   std::int64_t each) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  const auto scaled = [&](std::int64_t step) {
    return capacities.times(narrowest.supply * each * (parts + step), narrowest.capacity * parts);
  };
  const auto fits = [&](std::int64_t step) { return !cut_too_narrow(scaled(step), times(supplies, each)); };
  std::int64_t low = -1;
  std::int64_t high = parts;
  for (; !fits(high); high *= 2) {
    if (high >= most) return std::nullopt;
    low = high;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  Capacities found = scaled(high);
  const double part_time = part_time_of(capacities, found);
  return Scaled{std::move(found), each, part_time};
}

}  // namespace

Scaled scaled_to_trees(const Capacities& capacities, const Supplies& supplies, const NarrowCut& narrowest,
                       std::int64_t most_trees) {
  const std::int64_t common = std::gcd(narrowest.supply, narrowest.capacity);
  const std::int64_t supply = narrowest.supply / common;
  const std::int64_t capacity = narrowest.capacity / common;
  const std::int64_t divisor = common_divisor(capacities, capacity);
  const Scaled exact{capacities.times(supply, divisor), capacity / divisor,
                     static_cast<double>(supply) / static_cast<double>(divisor)};
  if (exact.each <= most_trees) return exact;
  constexpr double near = 1.01;
  std::optional<Scaled> best;
  for (std::int64_t each = 1; each <= most_trees && (!best || best->factor() > near * exact.factor()); ++each) {
    const auto found = rounded_down(capacities, supplies, narrowest, each);
    if (found && (!best || found->factor() < best->factor())) best = found;
  }
  require(best.has_value(), "no {} fit the links, the narrowest of which would carry none; allow more",
          counted(most_trees, "tree"));
  return *best;
}

}  // namespace tutti::synthesize
