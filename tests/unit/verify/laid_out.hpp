/// @file
/// Programs of all ranks that are alike, by other code than the proof's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedule/model/problem_blocks.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/append.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti::testing {

/// A pattern, laid out for all ranks of a problem whatever its blocks: not by the code that the proof compares with.
class LaidOut {
 public:
  LaidOut(RankSymmetry::Kind kind, const Problem& problem, const Program& pattern)
      : kind_(kind), problem_(problem), pattern_(pattern) {}

  /// Nothing where a slice of the pattern lies outside of its buffer.
  std::optional<Schedule> schedule() const {
    const bool fits = std::all_of(pattern_.ops.begin(), pattern_.ops.end(), [&](const Op& op) {
      return fit(pattern_.slices(op)) && fit(pattern_.operand(op)) && fit(pattern_.second(op));
    });
    if (!fits) return std::nullopt;
    Schedule schedule{problem_, {}};
    for (int rank = 0; rank < problem_.ranks; ++rank) schedule.programs.push_back(program_of(rank));
    return schedule;
  }

 private:
  bool is_own(Buffer buffer) const {
    return (problem_.collective == Collective::all_gather && buffer == Buffer::input) ||
           (problem_.collective == Collective::reduce_scatter && buffer == Buffer::output);
  }

  bool fit(std::span<const Slice> runs) const {
    return std::all_of(runs.begin(), runs.end(), [&](const Slice& run) {
      return run.first >= 0 && run.count >= 0 && run.end() <= places_in(run.buffer);
    });
  }

  std::int64_t places_in(Buffer buffer) const {
    if (is_of_pairs() && buffer == Buffer::scratch) return pattern_.scratch;
    return is_own(buffer) ? 1 : problem_.ranks;
  }

  // An all-to-all's blocks are all as long as each other.
  bool is_of_pairs() const { return problem_.collective == Collective::all_to_all; }
  Slice elements(Buffer buffer, int block) const {
    if (is_of_pairs()) return {buffer, block * problem_.count, problem_.count};
    const Blocks blocks = all_blocks(problem_);
    return {buffer, is_own(buffer) ? 0 : blocks.first(block), blocks.count(block)};
  }

  Program program_of(int rank) const {
    Program program;
    if (pattern_.scratch > 0)
      program.scratch = is_of_pairs() ? pattern_.scratch * problem_.count : all_blocks(problem_).total();
    std::size_t step_begin = 0;  // the first operation of the step that is kept
    bool in_chain = false;       // an operation of the chain is kept
    for (const Op& op : pattern_.ops) {
      in_chain = in_chain && op.chained;
      if (add(program, rank, op)) {
        program.ops.back().chained = in_chain;
        in_chain = true;
      }
      if (!op.ends_step) continue;
      if (program.ops.size() > step_begin) program.ops.back().ends_step = true;
      step_begin = program.ops.size();
    }
    return program;
  }

  // False where the operation has none but empty blocks.
  bool add(Program& program, int rank, const Op& op) const {
    Op fresh = op;
    fresh.ends_step = false;
    fresh.at = static_cast<std::uint32_t>(program.pool.size());
    if (op.communicates()) fresh.peer = turned(rank, op.peer);
    fresh.slices = add(program, rank, pattern_.slices(op));
    if (op.slices > 0 && fresh.slices == 0) return false;
    fresh.operand = add(program, rank, pattern_.operand(op));
    fresh.second = add(program, rank, pattern_.second(op));
    program.ops.push_back(fresh);
    return true;
  }

  int turned(int rank, int n) const {
    const int p = problem_.ranks;
    if (kind_ == RankSymmetry::Kind::exchange) return rank ^ n;
    return kind_ != RankSymmetry::Kind::rotation && rank % 2 == 1 ? (rank - n + p) % p : (rank + n) % p;
  }

  int turned_block(int rank, int n) const {
    return kind_ == RankSymmetry::Kind::swing ? RankSymmetry(kind_, problem_.ranks).block(rank, n) : turned(rank, n);
  }

  struct Place {
    Buffer buffer;
    int block;
  };

  // Block by block; those that follow one another in the pattern do at the rank, but in an all-to-all.
  std::uint32_t add(Program& program, int rank, std::span<const Slice> slices) const {
    std::vector<std::vector<Place>> runs;
    int next = -1;
    for (const Slice& slice : slices) {
      for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block) {
        if (block != next) runs.emplace_back();
        const bool stays = is_of_pairs() && slice.buffer == Buffer::scratch;
        runs.back().push_back({slice.buffer, stays ? block : turned_block(rank, block)});
        next = (block + 1) % problem_.ranks;
      }
    }
    const std::size_t begin = program.pool.size();
    for (std::vector<Place>& run : runs) {
      if (!is_of_pairs() && (kind_ == RankSymmetry::Kind::exchange || kind_ == RankSymmetry::Kind::swing))
        std::sort(run.begin(), run.end(), [](const Place& a, const Place& b) { return a.block < b.block; });
      if (kind_ == RankSymmetry::Kind::reflection && rank % 2 == 1) std::reverse(run.begin(), run.end());
      for (const auto& [buffer, block] : run) {
        const Slice slice = elements(buffer, block);
        if (slice.count > 0) append(program.pool, begin, slice);
      }
    }
    return static_cast<std::uint32_t>(program.pool.size() - begin);
  }

  RankSymmetry::Kind kind_;
  const Problem& problem_;
  const Program& pattern_;
};

}  // namespace tutti::testing
