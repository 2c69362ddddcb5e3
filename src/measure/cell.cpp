#include "measure/cell.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/check.hpp"
#include "base/digest.hpp"
#include "base/units.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::measure {
namespace {

using enum Collective;

constexpr std::uint32_t mask = (1U << 24) - 1;

// Returns the first of a rank's values in a call; neighbours in rank and call get unrelated numbers.
std::uint32_t base_of(int rank, std::uint64_t call) {
  return static_cast<std::uint32_t>(mixed(spread(call), static_cast<std::uint64_t>(rank + 1)) >> 40);
}

double value(std::uint32_t base, std::uint32_t position) {
  return static_cast<double>(static_cast<std::int32_t>((base + position) & mask));
}

// Part of an output: the sum over ranks [first, last] of their values from `position` on.
struct RankSum {
  int first = 0;
  int last = 0;
  std::int64_t position = 0;
  std::int64_t count = 0;
};

std::vector<RankSum> parts_of(const Cell& cell, int rank) {
  const std::int64_t m = cell.count();
  const int everyone = cell.ranks - 1;
  switch (cell.collective) {
    case broadcast:
      return {{0, 0, 0, m}};
    case reduce:
    case all_reduce:
      return {{0, everyone, 0, m}};
    case scan:
      return {{0, rank, 0, m}};
    case scatter:
      return {{0, 0, rank * m, m}};
    case reduce_scatter:
      return {{0, everyone, rank * m, m}};
    default:
      break;
  }
  // gather, all-gather: block q is all that rank q has; all-to-all: the block that it has for this rank.
  std::vector<RankSum> parts;
  for (int q = 0; q < cell.ranks; ++q) parts.push_back({q, q, cell.collective == all_to_all ? rank * m : 0, m});
  return parts;
}

// The first position that differs; `output.size()` where none does.
std::size_t first_difference(const RankSum& part, std::uint64_t call, std::span<const double> output) {
  std::vector<std::uint32_t> bases;
  for (int r = part.first; r <= part.last; ++r) bases.push_back(base_of(r, call));
  constexpr std::size_t stretch = 1024;
  double expected[stretch];
  for (std::size_t begin = 0; begin < output.size(); begin += stretch) {
    const std::size_t length = std::min(stretch, output.size() - begin);
    const auto position = static_cast<std::uint32_t>(part.position + static_cast<std::int64_t>(begin));
    std::fill_n(expected, length, 0.0);
    for (const std::uint32_t base : bases) {
      for (std::size_t k = 0; k < length; ++k) expected[k] += value(base, position + static_cast<std::uint32_t>(k));
    }
    const auto [mine, theirs] =
        std::mismatch(expected, expected + length, output.begin() + static_cast<std::ptrdiff_t>(begin));
    if (mine != expected + length) return begin + static_cast<std::size_t>(mine - expected);
  }
  return output.size();
}

double expected_at(const RankSum& part, std::uint64_t call, std::size_t k) {
  double sum = 0;
  for (int r = part.first; r <= part.last; ++r)
    sum += value(base_of(r, call), static_cast<std::uint32_t>(part.position + static_cast<std::int64_t>(k)));
  return sum;
}

constexpr std::int64_t element = sizeof(double);

}  // namespace

std::int64_t Cell::count() const {
  if (collective == barrier) return 0;
  const std::int64_t share = has_blocks(collective) ? element * ranks : element;
  return std::max<std::int64_t>(1, bytes / share);
}

std::int64_t Cell::whole_bytes() const { return count() * element * (has_blocks(collective) ? ranks : 1); }

std::int64_t Cell::input_count(int rank) const {
  switch (collective) {
    case broadcast:
    case barrier:
      return 0;
    case scatter:
      return rank == 0 ? ranks * count() : 0;
    case reduce_scatter:
    case all_to_all:
      return ranks * count();
    default:
      return count();
  }
}

std::int64_t Cell::output_count(int rank) const {
  switch (collective) {
    case barrier:
      return 0;
    case reduce:
      return rank == 0 ? count() : 0;
    case gather:
      return rank == 0 ? ranks * count() : 0;
    case all_gather:
    case all_to_all:
      return ranks * count();
    default:
      return count();
  }
}

void check(const Cell& cell) {
  require(cell.ranks >= 1, "a benchmark needs at least one rank, not {}", cell.ranks);
  require(cell.bytes >= 0, "a size is not negative, as {} bytes would be", cell.bytes);
  require(cell.collective != exclusive_scan && cell.collective != shift,
          "{} is not measured; what is: broadcast, reduce, all-reduce, scan, scatter, gather, all-gather, "
          "reduce-scatter, all-to-all and barrier",
          name_of(cell.collective));
}

CellTraffic traffic_of(const Cell& cell) {
  const std::int64_t m = cell.whole_bytes();
  const std::int64_t p = cell.ranks;
  switch (cell.collective) {
    case broadcast:
      return {m, (p - 1) * m};
    case reduce:
    case reduce_scatter:
      return {p * m, m};
    case all_gather:
      return {m, p * m};
    case scatter:
    case gather:
      return {m, m};
    case all_reduce:
    case scan:
    case all_to_all:
      return {p * m, p * m};
    default:
      return {};
  }
}

double part_from_others(const Cell& cell, int n) {
  if (n < 2) return 0;
  const double others = n - 1;
  switch (cell.collective) {
    case broadcast:
    case all_gather:
      return 1;
    case scatter:
    case gather:
    case all_to_all:
      return others / n;
    default:
      return others / cell.ranks;
  }
}

bool is_mutual(Collective collective) {
  return collective == all_reduce || collective == all_gather || collective == reduce_scatter ||
         collective == all_to_all || collective == barrier;
}

double bus_bandwidth(const Cell& cell, double seconds) {
  const double p = cell.ranks;
  const double rate = static_cast<double>(cell.whole_bytes()) / seconds;
  switch (cell.collective) {
    case barrier:
      return 0;
    case broadcast:
    case reduce:
    case scan:
      return rate;
    case all_reduce:
      return rate * 2 * (p - 1) / p;
    default:
      return rate * (p - 1) / p;
  }
}

void contribute(int rank, std::uint64_t call, std::span<double> data) {
  const std::uint32_t base = base_of(rank, call);
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = value(base, static_cast<std::uint32_t>(k));
}

std::optional<std::string> find_flaw(const Cell& cell, int rank, std::uint64_t call, std::span<const double> output) {
  std::size_t begin = 0;
  if (output.empty()) return std::nullopt;
  for (const RankSum& part : parts_of(cell, rank)) {
    const auto block = output.subspan(begin, static_cast<std::size_t>(part.count));
    const std::size_t k = first_difference(part, call, block);
    if (k < block.size()) {
      return fmt::format("{} of {} over {}: call {} left {} in element {} of rank {}, not {}", name_of(cell.collective),
                         counted(cell.whole_bytes(), "byte"), counted(cell.ranks, "rank"), call, block[k], begin + k,
                         rank, expected_at(part, call, k));
    }
    begin += block.size();
  }
  return std::nullopt;
}

}  // namespace tutti::measure
