#include "verify/turning.hpp"

#include <algorithm>

#include "schedule/append.hpp"

namespace tutti::proof {
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

Turning::Turning(const Problem& problem, const Program& pattern) : pattern_(pattern), p_(problem.ranks) {
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
    own_block_[static_cast<std::size_t>(buffer)] = has_own_block(problem, buffer);
  const Blocks blocks = all_blocks(problem);
  for (int block = 0; block <= p_; ++block) firsts_.push_back(blocks.first(block));
}

// The elements of the blocks [block, end) in a buffer that has all blocks.
inline Slice Turning::elements(Buffer buffer, int block, int end) const {
  const std::int64_t first = firsts_[static_cast<std::size_t>(block)];
  return {buffer, first, firsts_[static_cast<std::size_t>(end)] - first};
}

// Adds where the run of blocks lies: nowhere if they are empty, in one slice, or in two around the end of the ranks.
void Turning::turn(int rank, const Slice& run) {
  const auto add = [&](const Slice& slice) {
    if (slice.count > 0) append(turned_, 0, slice);
  };
  const auto count = static_cast<int>(run.count);
  if (is_own(run.buffer)) return add({run.buffer, 0, elements(run.buffer, rank, rank + count).count});
  const int first = turned(rank, static_cast<int>(run.first));
  const int end = first + count;
  add(elements(run.buffer, first, std::min(end, p_)));
  if (end > p_) add(elements(run.buffer, 0, end - p_));
}

// Where the runs of blocks lie at that rank, until the next call.
inline std::span<const Slice> Turning::turned(int rank, std::span<const Slice> runs) {
  if (runs.empty()) return {};
  const Slice& run = runs.front();
  const int first = turned(rank, static_cast<int>(run.first));
  const int end = first + static_cast<int>(run.count);
  if (runs.size() == 1 && end <= p_ && !is_own(run.buffer)) {  // the usual case, without a list
    one_ = elements(run.buffer, first, end);
    return {&one_, one_.count > 0 ? std::size_t{1} : std::size_t{0}};
  }
  turned_.clear();
  for (const Slice& each : runs) turn(rank, each);
  return turned_;
}

inline bool Turning::is_turned(int rank, std::span<const Slice> runs, const Program& program,
                               std::span<const Slice> slices) {
  return are_same(turned(rank, runs), program, slices);
}

bool Turning::is_program_of(int rank, const Program& program) {
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
inline bool Turning::is_alike(int rank, const Op& op, const Program& program, const Op& other) {
  if (op.kind != other.kind || (op.communicates() && other.peer != turned(rank, op.peer))) return false;
  return is_turned(rank, pattern_.operand(op), program, program.operand(other)) &&
         is_turned(rank, pattern_.second(op), program, program.second(other));
}

}  // namespace tutti::proof
