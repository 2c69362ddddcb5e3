#include "support/elements.hpp"

#include "base/integers.hpp"

namespace tutti::testing {
namespace {

// Ranks [first, end) folded from the left.
Element folded(const Problem& problem, int first, int end, std::int64_t position) {
  Element total = contribution(first, position);
  for (int rank = first + 1; rank < end; ++rank)
    total = combined(total, contribution(rank, position), problem.commutative);
  return total;
}

void append(std::vector<Cell>& cells, int rank, std::int64_t first, std::int64_t count) {
  for (std::int64_t k = first; k < first + count; ++k) cells.emplace_back(contribution(rank, k));
}

// The elements before the block of `rank` in a buffer that holds the blocks of all ranks.
std::int64_t elements_before(const Problem& problem, int rank) {
  std::int64_t before = 0;
  for (int other = 0; other < rank; ++other) before += problem.block_count(other);
  return before;
}

std::vector<Cell> whole_message(const Problem& problem, int first, int end) {
  std::vector<Cell> cells;
  for (std::int64_t k = 0; k < problem.count; ++k) cells.emplace_back(folded(problem, first, end, k));
  return cells;
}

std::vector<Cell> exchanged(const Problem& problem, int rank) {
  std::vector<Cell> cells;
  for (int origin = 0; origin < problem.ranks; ++origin) {
    std::int64_t before = 0;
    for (int other = 0; other < rank; ++other) before += problem.pair_count(origin, other);
    append(cells, origin, before, problem.pair_count(origin, rank));
  }
  return cells;
}

}  // namespace

std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

Element contribution(int rank, std::int64_t position) {
  Element element;
  std::uint64_t state =
      scrambled(static_cast<std::uint64_t>(rank)) ^ static_cast<std::uint64_t>(position) * 0x632be59bd9b4e019ULL;
  for (std::uint64_t& number : element.value) number = state = scrambled(state);
  element.bits = scrambled(state);
  return element;
}

Element combined(const Element& left, const Element& right, bool commutative) {
  const auto& a = left.value;
  const auto& b = right.value;
  if (commutative) {
    return {{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}, scrambled(left.bits) + scrambled(right.bits)};
  }
  return {{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]},
          scrambled(left.bits * 3 + scrambled(right.bits))};
}

std::vector<Cell> expected_output(const Problem& problem, int rank) {
  const int p = problem.ranks;
  std::vector<Cell> cells;
  switch (problem.collective) {
    case Collective::broadcast:
      return whole_message(problem, problem.root, problem.root + 1);
    case Collective::reduce:
      if (rank == problem.root) return whole_message(problem, 0, p);
      return problem.in_place ? whole_message(problem, rank, rank + 1) : cells;
    case Collective::all_reduce:
      return whole_message(problem, 0, p);
    case Collective::scan:
      return whole_message(problem, 0, rank + 1);
    case Collective::exclusive_scan:
      if (rank > 0) return whole_message(problem, 0, rank);
      return problem.in_place ? whole_message(problem, 0, 1)
                              : std::vector<Cell>(static_cast<std::size_t>(problem.count));
    case Collective::scatter:
      append(cells, problem.root, elements_before(problem, rank), problem.block_count(rank));
      return cells;
    case Collective::gather:
    case Collective::all_gather:
      for (int origin = 0; origin < p; ++origin) {
        const bool holds = problem.collective == Collective::all_gather || rank == problem.root;
        if (holds) append(cells, origin, 0, problem.block_count(origin));
      }
      return cells;
    case Collective::reduce_scatter:
      for (std::int64_t k = 0; k < problem.block_count(rank); ++k) {
        cells.emplace_back(folded(problem, 0, p, elements_before(problem, rank) + k));
      }
      return cells;
    case Collective::all_to_all:
      return exchanged(problem, rank);
    case Collective::shift: {
      const int origin = modulo(rank - problem.distance, p);
      append(cells, origin, 0, problem.block_count(origin));
      return cells;
    }
    case Collective::barrier:
      return cells;
  }
  return cells;
}

}  // namespace tutti::testing
