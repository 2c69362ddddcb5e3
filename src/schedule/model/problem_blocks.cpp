#include "schedule/model/problem_blocks.hpp"

#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "base/integers.hpp"

namespace tutti {
namespace {

// In one piece of memory with its counter, where the library can do that.
std::shared_ptr<std::int64_t[]> shared_numbers(std::size_t size) {
#ifdef __cpp_lib_smart_ptr_for_overwrite
  return std::make_shared_for_overwrite<std::int64_t[]>(size);
#else
  return std::shared_ptr<std::int64_t[]>(new std::int64_t[size]);
#endif
}

Blocks own_block(const Problem& problem, int rank) { return Blocks::equal(problem.block_count(rank), 1); }

Blocks parts(const Problem& problem) { return Blocks::parts_of(problem.count, problem.ranks); }

Blocks pair_blocks(const Problem& problem, int rank, bool by_origin) {
  if (problem.counts.empty()) return Blocks::equal(problem.count, problem.ranks);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(problem.ranks));
  for (int peer = 0; peer < problem.ranks; ++peer) {
    counts[static_cast<std::size_t>(peer)] =
        by_origin ? problem.pair_count(peer, rank) : problem.pair_count(rank, peer);
  }
  return Blocks::sized(counts);
}

Blocks blocks_given(const Problem& problem, const BlockCache* known) {
  if (problem.counts.empty()) return Blocks::equal(problem.count, problem.ranks, problem.extra);
  const Blocks* const summed = known != nullptr ? known->of(problem) : nullptr;
  return summed != nullptr ? *summed : Blocks::sized(problem.counts);
}

}  // namespace

BlockCache::BlockCache(const Problem& problem) : problem_(&problem) {
  // An all-to-all has other blocks on every rank.
  if (problem.collective != Collective::all_to_all) blocks_ = Blocks::sized(problem.counts);
}

Blocks all_blocks(const Problem& problem, const BlockCache* known) {
  if (problem.collective == Collective::all_to_all) return {};
  return has_blocks(problem.collective) ? blocks_given(problem, known) : parts(problem);
}

Problem related(const Problem& problem, Collective collective, const BlockCache* known) {
  Problem result = problem;
  result.collective = collective;
  result.in_place = false;
  if (has_blocks(problem.collective) == has_blocks(collective)) return result;
  result.counts.clear();
  if (has_blocks(collective)) {
    result.count = problem.count / problem.ranks;
    result.extra = problem.count % problem.ranks;
  } else {
    result.count = all_blocks(problem, known).total();
    result.extra = 0;
  }
  return result;
}

Blocks input_blocks(const Problem& problem, int rank, const BlockCache* known) {
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::barrier:
      return {};
    case Collective::reduce:
    case Collective::all_reduce:
    case Collective::scan:
    case Collective::exclusive_scan:
      return parts(problem);
    case Collective::scatter:
      return rank == problem.root ? blocks_given(problem, known) : Blocks{};
    case Collective::gather:
    case Collective::all_gather:
    case Collective::shift:
      return own_block(problem, rank);
    case Collective::reduce_scatter:
      return blocks_given(problem, known);
    case Collective::all_to_all:
      return pair_blocks(problem, rank, false);
  }
  return {};
}

Blocks output_blocks(const Problem& problem, int rank, const BlockCache* known) {
  switch (problem.collective) {
    case Collective::barrier:
      return {};
    case Collective::broadcast:
    case Collective::all_reduce:
    case Collective::scan:
    case Collective::exclusive_scan:
      return parts(problem);
    case Collective::reduce:
      return rank == problem.root ? parts(problem) : Blocks{};
    case Collective::gather:
      return rank == problem.root ? blocks_given(problem, known) : Blocks{};
    case Collective::scatter:
    case Collective::reduce_scatter:
      return own_block(problem, rank);
    case Collective::all_gather:
      return blocks_given(problem, known);
    case Collective::all_to_all:
      return pair_blocks(problem, rank, true);
    case Collective::shift:
      return own_block(problem,
                       static_cast<int>(modulo<std::int64_t>(std::int64_t{rank} - problem.distance, problem.ranks)));
  }
  return {};
}

Blocks Blocks::parts_of(std::int64_t total, int parts) { return equal(total / parts, parts, total % parts); }

Blocks Blocks::equal(std::int64_t each, int n, std::int64_t larger) {
  Blocks blocks;
  blocks.each_ = each;
  blocks.larger_ = larger;
  blocks.size_ = n;
  return blocks;
}

Blocks Blocks::sized(std::span<const std::int64_t> counts) {
  Blocks blocks;
  blocks.size_ = static_cast<int>(counts.size());
  const auto firsts = shared_numbers(counts.size() + 1);
  firsts[0] = 0;
  std::partial_sum(counts.begin(), counts.end(), &firsts[1]);
  blocks.firsts_ = firsts;
  return blocks;
}

}  // namespace tutti
