/// @file
/// The proof has two parts, and neither relies on how the programs were made.
///
/// 1. What the pattern means. Let every rank r do what rank 0 does in the pattern, with r added to all ranks and all
///    blocks, modulo p. Then all ranks are alike at all times, seen from themselves, so that one of them stands for
///    all: each step of the pattern has a receive for each of its sends, in order, and in every rank's k-th step the
///    messages of all ranks' k-th steps pass. No rank waits for another step, whatever the transport: this is one of
///    the orders of execution, and verify.cpp says why one proves all. What rank 0 receives from rank f is what it
///    sends itself to rank -f, with f added to ranks and blocks. `OneRank` runs that.
/// 2. That the programs are the pattern's. Each program is compared with it, blocks having their own lengths:
/// operations
///    on empty blocks alone, and steps without operations, are left out. That changes nothing for other elements,
///    because `OneRank` holds every value to the place of its own block: lists of slices correspond block by block, and
///    so have equal lengths whatever the blocks' lengths are. What is left out makes nobody wait: an order of execution
///    with those operations is one without them.
///
/// Source    symmetry reduction: E. M. Clarke, T. Filkorn, S. Jha, Exploiting symmetry in temporal logic model
///           checking, CAV 1993.

#include "verify/rotation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "verify/well_formed.hpp"

namespace tutti::proof {
namespace {

// Whether the buffer has a rank's own block alone, rather than those of all ranks.
bool has_own_block(const Problem& problem, Buffer buffer) {
  return (problem.collective == Collective::all_gather && buffer == Buffer::input) ||
         (problem.collective == Collective::reduce_scatter && buffer == Buffer::output);
}

/// An expression over the contributions of consecutive ranks from `first` on, all relative to the rank that holds it.
struct Held {
  int expression = nothing;
  int first = 0;

  static constexpr int nothing = -1;
  static constexpr int contribution = 0;
};

/// A value, and the block that it belongs to.
struct Placed {
  int block;
  Held held;
};

/// Rank 0, for all. A slice of its program is a run of blocks, because blocks have one element.
class OneRank {
 public:
  OneRank(const Problem& problem, const Program& program) : problem_(problem), program_(program), p_(problem.ranks) {
    for (auto& buffer : memory_) buffer.resize(static_cast<std::size_t>(p_));
    const Buffer source = problem.in_place ? Buffer::output : Buffer::input;
    for (int block = 0; block < (has_own_block(problem, source) ? 1 : p_); ++block)
      place(source, block) = {Held::contribution, 0};
  }

  bool does_what_is_due() {
    for (std::size_t begin = 0; begin < program_.ops.size(); begin = program_.step_end(begin)) {
      if (!run_step(begin, program_.step_end(begin))) return false;
    }
    return holds_what_is_due();
  }

 private:
  Held& place(Buffer buffer, int block) {
    return memory_[static_cast<std::size_t>(buffer)][static_cast<std::size_t>(block)];
  }
  int added(int a, int b) const { return a + b < p_ ? a + b : a + b - p_; }

  // Sends hold what the rank has when the step begins.
  bool run_step(std::size_t begin, std::size_t end) {
    sent_.clear();
    for (std::size_t at = begin; at < end; ++at) {
      const Op& op = program_.ops[at];
      if (op.kind != OpKind::send) continue;
      std::vector<Placed> message;
      if (!read(program_.slices(op), message)) return false;
      sent_[p_ - op.peer].push_back(std::move(message));
    }
    std::map<int, std::size_t> taken;  // by peer
    for (std::size_t at = begin; at < end; ++at) {
      const Op& op = program_.ops[at];
      if (op.kind == OpKind::send) continue;
      if (!(op.communicates() ? pass(op, taken[op.peer]++) : compute(op))) return false;
    }
    return std::all_of(sent_.begin(), sent_.end(),
                       [&](const auto& each) { return taken[each.first] == each.second.size(); });
  }

  // The `n`-th message of the step from that peer.
  bool pass(const Op& op, std::size_t n) {
    const auto found = sent_.find(op.peer);
    if (found == sent_.end() || n >= found->second.size()) return false;
    std::vector<Placed>& message = found->second[n];
    for (Placed& each : message)
      each = {added(each.block, op.peer), {each.held.expression, added(each.held.first, op.peer)}};
    return op.kind == OpKind::receive ? write(op, message) : combine(op, program_.operand(op), message);
  }

  bool compute(const Op& op) {
    std::vector<Placed> values;
    if (!read(op.kind == OpKind::copy ? program_.operand(op) : program_.second(op), values)) return false;
    return op.kind == OpKind::copy ? write(op, values) : combine(op, program_.operand(op), values);
  }

  bool combine(const Op& op, std::span<const Slice> mine, const std::vector<Placed>& others) {
    std::vector<Placed> values;
    if (!read(mine, values) || values.size() != others.size()) return false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k].block != others[k].block) return false;
      values[k].held = united(values[k].held, others[k].held);
      if (values[k].held.expression == Held::nothing) return false;
    }
    return write(op, values);
  }

  // Appends what lies in the slices; false where nothing was written.
  bool read(std::span<const Slice> slices, std::vector<Placed>& values) {
    for (const Slice& slice : slices) {
      for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block) {
        values.push_back({block, place(slice.buffer, block)});
        if (values.back().held.expression == Held::nothing) return false;
      }
    }
    return true;
  }

  // False where a value would lie at another block's place.
  bool write(const Op& op, const std::vector<Placed>& values) {
    std::size_t next = 0;
    for (const Slice& slice : program_.slices(op)) {
      for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block, ++next) {
        if (next == values.size() || values[next].block != block) return false;
        place(slice.buffer, block) = values[next].held;
      }
    }
    return next == values.size();
  }

  // The two combined, if the ranks of one follow those of the other; nothing otherwise. The operator commutes, so the
  // ranks that come first may stand on the left; where each follows the other, the expressions' numbers decide.
  Held united(Held a, Held b) {
    const int ranks_of_a = ranks_[static_cast<std::size_t>(a.expression)];
    const int ranks_of_b = ranks_[static_cast<std::size_t>(b.expression)];
    if (ranks_of_a + ranks_of_b > p_) return {};
    const bool b_follows = added(a.first, ranks_of_a) == b.first;
    const bool a_follows = added(b.first, ranks_of_b) == a.first;
    if (!a_follows && !b_follows) return {};
    if (!b_follows || (a_follows && b.expression < a.expression)) std::swap(a, b);
    const auto [known, fresh] = expressions_.try_emplace({a.expression, b.expression}, static_cast<int>(ranks_.size()));
    if (fresh) ranks_.push_back(ranks_of_a + ranks_of_b);
    return {known->second, a.first};
  }

  bool holds_what_is_due() {
    if (problem_.collective == Collective::reduce_scatter) return is_result(place(Buffer::output, 0));
    const Held first = place(Buffer::output, 0);
    for (int block = 0; block < p_; ++block) {
      const Held held = place(Buffer::output, block);
      const bool shifted = held.first == added(first.first, block);  // so that all ranks have the same bits
      if (held.expression != first.expression || !shifted) return false;
    }
    return problem_.collective == Collective::all_gather ? first.expression == Held::contribution && first.first == 0
                                                         : is_result(first);
  }

  bool is_result(Held held) const {
    return held.expression != Held::nothing && ranks_[static_cast<std::size_t>(held.expression)] == p_;
  }

  const Problem& problem_;
  const Program& program_;
  int p_;
  std::array<std::vector<Held>, 3> memory_;               // by buffer, by block from the rank's own on
  std::map<int, std::vector<std::vector<Placed>>> sent_;  // in this step, by the peer that receives from as far
  std::vector<int> ranks_{1};                             // by expression: how many contribute
  std::map<std::pair<int, int>, int> expressions_;        // by operands
};

/// Compares programs with the pattern.
class Comparison {
 public:
  Comparison(const Problem& problem, const Program& pattern)
      : problem_(problem), pattern_(pattern), blocks_(all_blocks(problem)) {}

  bool is_program_of(int rank, const Program& program) const {
    std::size_t next = 0;
    bool in_step = false;   // an operation of the step at hand is not left out
    bool in_chain = false;  // an operation of the chain at hand is not left out
    for (const Op& op : pattern_.ops) {
      in_chain = in_chain && op.chained;
      if (op.slices == 0 || has_elements(rank, pattern_.slices(op))) {
        if (in_step && program.ops[next - 1].ends_step) return false;
        if (next == program.ops.size() || !is_alike(rank, op, program, program.ops[next], in_chain)) return false;
        ++next;
        in_step = in_chain = true;
      }
      if (!op.ends_step) continue;
      if (in_step && !program.ops[next - 1].ends_step) return false;
      in_step = false;
    }
    return next == program.ops.size();
  }

 private:
  bool is_alike(int rank, const Op& op, const Program& program, const Op& other, bool chained) const {
    const auto peer = [&] { return (op.peer + rank) % problem_.ranks; };
    if (op.kind != other.kind || other.chained != chained) return false;  // sides are free: the operator commutes
    if (op.communicates() && other.peer != peer()) return false;
    return lies_in(rank, pattern_.slices(op), program.slices(other), program.scratch) &&
           lies_in(rank, pattern_.operand(op), program.operand(other), program.scratch) &&
           lies_in(rank, pattern_.second(op), program.second(other), program.scratch);
  }

  // Calls `see` for the elements of the run of blocks at that rank: once, or twice around the end of the ranks.
  template <typename See>
  void for_each_part(int rank, const Slice& run, const See& see) const {
    const auto part = [&](int first, int end) {
      const std::int64_t at = blocks_.first(first);
      if (blocks_.first(end) > at) see(Slice{run.buffer, at, blocks_.first(end) - at});
    };
    if (has_own_block(problem_, run.buffer)) {
      if (blocks_.count(rank) > 0) see(Slice{run.buffer, 0, blocks_.count(rank)});
      return;
    }
    const int p = problem_.ranks;
    const int first = static_cast<int>((run.first + rank) % p);
    const int end = first + static_cast<int>(run.count);
    part(first, std::min(end, p));
    if (end > p) part(0, end - p);
  }

  bool has_elements(int rank, std::span<const Slice> runs) const {
    bool any = false;
    for (const Slice& run : runs) for_each_part(rank, run, [&](const Slice&) { any = true; });
    return any;
  }

  // Whether the slices are those of the runs at that rank, adjacent ones joined.
  bool lies_in(int rank, std::span<const Slice> runs, std::span<const Slice> slices, std::int64_t scratch) const {
    std::size_t next = 0;
    std::int64_t used = 0;  // elements of slices[next] that are found already
    bool same = true;
    const auto compare = [&](const Slice& part) {
      if (!same || next == slices.size() || part.count > slices[next].count - used) return void(same = false);
      const Slice& slice = slices[next];
      same = part.buffer == slice.buffer && part.first == slice.first + used &&
             (part.buffer != Buffer::scratch || part.end() <= scratch);
      used += part.count;
      if (used == slice.count) ++next, used = 0;
    };
    for (const Slice& run : runs) for_each_part(rank, run, compare);
    return same && next == slices.size();
  }

  const Problem& problem_;
  const Program& pattern_;
  Blocks blocks_;
};

}  // namespace

bool can_rotate(const Problem& problem) {
  switch (problem.collective) {
    case Collective::all_gather:
      return true;
    case Collective::reduce_scatter:
    case Collective::all_reduce:
      return problem.commutative;
    default:
      return false;
  }
}

Problem with_unit_blocks(const Problem& problem) {
  Problem unit = problem;
  unit.counts.clear();
  unit.extra = 0;
  unit.count = has_blocks(problem.collective) ? 1 : problem.ranks;
  return unit;
}

bool is_proved_by_rotation(const Problem& problem, const Program& pattern, const ProgramOf& program_of) {
  // The questions about single ranks and steps, put to rank 0 among ranks that do nothing.
  Schedule alone{with_unit_blocks(problem), std::vector<Program>(static_cast<std::size_t>(problem.ranks))};
  alone.programs.front() = pattern;
  if (pattern.scratch > problem.ranks || find_malformed(alone) || find_conflict(alone)) return false;
  if (!OneRank(alone.problem, pattern).does_what_is_due()) return false;
  const Comparison comparison(problem, pattern);
  Program program;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    program_of(rank, program);
    if (!comparison.is_program_of(rank, program)) return false;
  }
  return true;
}

}  // namespace tutti::proof
