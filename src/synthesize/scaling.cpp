#include <algorithm>
#include <numeric>

#include "synthesize/forest.hpp"

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

// The least factor above that of the narrowest cut with which rounding down leaves room for `each` trees, if it is
// below twice that.
std::optional<Scaled> rounded_down(const Capacities& capacities, const Supplies& supplies, const NarrowCut& narrowest,
                                   std::int64_t each) {
  const auto scaled = [&](std::int64_t step) {
    return capacities.times(narrowest.supply * each * (parts + step), narrowest.capacity * parts);
  };
  const auto fits = [&](std::int64_t step) { return !cut_too_narrow(scaled(step), times(supplies, each)); };
  std::int64_t low = -1;
  std::int64_t high = parts;
  if (!fits(high)) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  const double least = static_cast<double>(narrowest.supply * each) / static_cast<double>(narrowest.capacity);
  return Scaled{scaled(high), each, least * static_cast<double>(parts + high) / static_cast<double>(parts)};
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
  return best ? *best : exact;
}

}  // namespace tutti::synthesize
