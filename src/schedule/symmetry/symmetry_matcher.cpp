#include "schedule/symmetry/symmetry_matcher.hpp"

#include <algorithm>

#include "schedule/record/append.hpp"

namespace tutti {
namespace {

bool are_same(std::span<const Slice> due, const Program& program, std::span<const Slice> slices) {
  if (due.size() != slices.size()) return false;
  for (std::size_t k = 0; k < due.size(); ++k) {
    const auto& [buffer, first, count] = slices[k];
    if (due[k].first != first || due[k].count != count || due[k].buffer != buffer) return false;
    if (buffer == Buffer::scratch && first + count > program.scratch) return false;
  }
  return true;
}

}  // namespace

bool has_own_block(const Problem& problem, Buffer buffer) {
  return (problem.collective == Collective::all_gather && buffer == Buffer::input) ||
         (problem.collective == Collective::reduce_scatter && buffer == Buffer::output);
}

bool has_blocks_in_scratch(Collective collective) { return collective != Collective::all_to_all; }

Problem with_unit_blocks(const Problem& problem) {
  Problem unit = without_counts(problem);
  unit.extra = 0;
  if (problem.collective != Collective::barrier) unit.count = has_blocks(problem.collective) ? 1 : problem.ranks;
  return unit;
}

SymmetryMatcher::SymmetryMatcher(const RankSymmetry& turns, const Problem& problem, const Program& pattern,
                                 const BlockCache* known)
    : turns_(turns), pattern_(pattern), p_(problem.ranks), turns_scratch_(has_blocks_in_scratch(problem.collective)) {
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
    own_block_[static_cast<std::size_t>(buffer)] = has_own_block(problem, buffer);
  const int places = turns_scratch_ ? p_ : std::max(p_, static_cast<int>(pattern.scratch));
  blocks_ = turns_scratch_ ? all_blocks(problem, known) : Blocks::equal(problem.count, places);
  too_long_ = turns_scratch_ && turns.keeps_aligned_runs() && has_long_runs();
}

bool SymmetryMatcher::has_long_runs() const {
  return std::any_of(pattern_.ops.begin(), pattern_.ops.end(), [&](const Op& op) {
    return has_long_run(pattern_.slices(op)) || has_long_run(pattern_.operand(op)) || has_long_run(pattern_.second(op));
  });
}

bool SymmetryMatcher::has_long_run(std::span<const Slice> slices) const {
  for (std::size_t begin = 0; begin < slices.size(); begin = run_end(slices, begin)) {
    if (Slices(slices.subspan(begin, run_end(slices, begin) - begin)).elements() > p_) return true;
  }
  return false;
}

// The end of the slices whose blocks follow one another, block 0 the last one. Empty slices belong to any run.
std::size_t SymmetryMatcher::run_end(std::span<const Slice> slices, std::size_t begin) const {
  std::int64_t next = -1;
  for (std::size_t k = begin; k < slices.size(); ++k) {
    if (slices[k].count == 0) continue;
    if (next >= 0 && slices[k].first != next) return k;
    next = slices[k].end() % p_;
  }
  return slices.size();
}

// The elements of the blocks [block, end) in a buffer that has all blocks.
inline Slice SymmetryMatcher::elements(Buffer buffer, int block, int end) const {
  const std::int64_t first = blocks_.first(block);
  return {buffer, first, blocks_.first(end) - first};
}

void SymmetryMatcher::turn_slice(int rank, const Slice& slice) {
  const auto count = static_cast<int>(slice.count);
  const auto first = static_cast<int>(slice.first);
  if (is_own(slice.buffer)) return pieces_.push_back({slice.buffer, rank, rank + count});
  if (!turns(slice.buffer)) return pieces_.push_back({slice.buffer, first, first + count});
  turns_.turn_run(rank, first, count, [&](int begin, int end) { pieces_.push_back({slice.buffer, begin, end}); });
}

// Adds where the run of blocks lies: nowhere if they are empty.
void SymmetryMatcher::turn_run(int rank, std::span<const Slice> run) {
  pieces_.clear();
  if (turns_.mirrors(rank)) {
    for (auto slice = run.rbegin(); slice != run.rend(); ++slice) turn_slice(rank, *slice);
  } else {
    for (const Slice& slice : run) turn_slice(rank, slice);
  }
  if (turns_.keeps_aligned_runs())
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  for (const Piece& piece : pieces_) {
    Slice slice = elements(piece.buffer, piece.begin, piece.end);
    if (is_own(piece.buffer)) slice.first = 0;
    if (slice.count > 0) append(turned_, 0, slice);
  }
}

// Adds where blocks of one length lie, in the order of the slices.
void SymmetryMatcher::turn_each(int rank, const Slice& slice) {
  for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block) {
    const int place = turns(slice.buffer) ? turns_.block(rank, block) : block;
    const Slice there = elements(slice.buffer, place, place + 1);
    if (there.count > 0) append(turned_, 0, there);
  }
}

std::span<const Slice> SymmetryMatcher::turned(int rank, std::span<const Slice> slices) {
  if (slices.empty()) return {};
  const Slice& slice = slices.front();
  if (slices.size() == 1 && turns_.kind() == RankSymmetry::Kind::rotation && turns(slice.buffer)) {
    const int first = turns_(rank, static_cast<int>(slice.first));
    const int end = first + static_cast<int>(slice.count);
    if (end <= p_) {  // the usual case, without a list
      one_ = elements(slice.buffer, first, end);
      return {&one_, one_.count > 0 ? std::size_t{1} : std::size_t{0}};
    }
  }
  turned_.clear();
  if (!turns_scratch_) {
    for (const Slice& each : slices) turn_each(rank, each);
    return turned_;
  }
  for (std::size_t begin = 0; begin < slices.size();) {
    const std::size_t end = run_end(slices, begin);
    turn_run(rank, slices.subspan(begin, end - begin));
    begin = end;
  }
  return turned_;
}

inline bool SymmetryMatcher::is_turned(int rank, std::span<const Slice> runs, const Program& program,
                                       std::span<const Slice> slices) {
  return are_same(turned(rank, runs), program, slices);
}

bool SymmetryMatcher::is_program_of(int rank, const Program& program) {
  if (too_long_) return false;
  const Op* next = program.ops.data();
  const Op* const end = next + program.ops.size();
  bool in_step = false;   // an operation of the step at hand is not left out
  bool in_chain = false;  // an operation of the chain at hand is not left out
  for (const Op& op : pattern_.ops) {
    in_chain = in_chain && op.chained;
    const std::span<const Slice> slices = turned(rank, pattern_.slices(op));
    if (op.slices == 0 || !slices.empty()) {
      if (in_step && next[-1].ends_step) return false;
      if (next == end || next->chained != in_chain || !are_same(slices, program, program.slices(*next))) return false;
      if (!is_alike(rank, op, program, *next)) return false;
      ++next;
      in_step = in_chain = true;
    }
    if (!op.ends_step) continue;
    if (in_step && !next[-1].ends_step) return false;
    in_step = false;
  }
  return next == end;
}

// Whether `other` is `op` but for the slices that are sent or written.
inline bool SymmetryMatcher::is_alike(int rank, const Op& op, const Program& program, const Op& other) {
  if (op.kind != other.kind || (op.communicates() && other.peer != turns_(rank, op.peer))) return false;
  return is_turned(rank, pattern_.operand(op), program, program.operand(other)) &&
         is_turned(rank, pattern_.second(op), program, program.second(other));
}

}  // namespace tutti
