/// @file
/// The proof has two parts. Neither relies on how the programs were made, but for texts that are made to be alike, in
/// the second.
///
/// 1. What the pattern means. Let every rank r do what rank 0 does in the pattern, with all ranks and all blocks turned
///    by r's turn (rank_symmetry.hpp). Then all ranks are alike at all times, seen from themselves, so that one of them
///    stands for all: each step of the pattern has a receive for each of its sends, in order, and in every rank's k-th step
///    the messages of all ranks' k-th steps pass. No rank waits for another step, whatever the transport: this is one
///    of the orders of execution, and verify.cpp says why one proves all. What rank 0 receives from rank f is what it
///    sends itself to the rank that f's turn takes to 0, with ranks and blocks turned by f's turn. `OneRank` runs that.
/// 2. That the programs are the pattern's. Each program is compared with it (symmetry_matcher.cpp), blocks having their
///    own lengths: operations on empty blocks alone, and steps without operations, are left out. That changes nothing for
///    other elements, because `OneRank` holds every value to the place of its own block: lists of slices correspond
///    block by block, and so have equal lengths whatever the blocks' lengths are. What is left out makes nobody wait:
///    an order of execution with those operations is one without them. A text that is run for rank 0 alone, and turned
///    to the others by what compares programs with the pattern (symmetric_algorithm.hpp), can say nothing else: of its
///    programs the first and the last are compared.
///
/// In an all-to-all a value is a block of one rank for another, both seen from the rank that holds it. All blocks have
/// one length there, so any place holds any of them, and lists of slices that correspond place by place have equal
/// lengths. So each place of a list is turned by itself. One in scratch means the same to all ranks, and is not turned.
///
/// Source    symmetry reduction: E. M. Clarke, T. Filkorn, S. Jha, Exploiting symmetry in temporal logic model
///           checking, CAV 1993.

#include "verify/symmetry.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "verify/combinations.hpp"
#include "verify/well_formed.hpp"

namespace tutti::proof {
namespace {

/// A value, and the block that it belongs to; in an all-to-all the rank that it is for.
struct PlacedValue {
  int block = 0;
  HeldExpression held = {};
};

/// Rank 0, for all. A slice of its program is a run of blocks, because blocks have one element.
class OneRank {
 public:
  OneRank(const RankSymmetry& turns, const Problem& problem, const Program& program,
          Combinations::Order order = Combinations::Order::any)
      : turns_(turns), problem_(problem), program_(program), p_(problem.ranks), combinations_(turns, order) {
    const auto places = static_cast<std::size_t>(std::max<std::int64_t>(p_, program.scratch));
    for (auto& buffer : memory_) buffer.resize(places);
    const Buffer source = problem.in_place ? Buffer::output : Buffer::input;
    for (int block = 0; block < (has_own_block(problem, source) ? 1 : p_); ++block)
      place(source, block) = {block, {HeldExpression::contribution, 0}};
    if (problem.collective != Collective::barrier) return;
    entered_.resize(static_cast<std::size_t>(p_));
    entered_.front() = true;
  }

  bool does_what_is_due() {
    for (std::size_t begin = 0; begin < program_.ops.size(); begin = program_.step_end(begin)) {
      if (!run_step(begin, program_.step_end(begin))) return false;
    }
    return holds_what_is_due();
  }

  Bracketing bracketing() {
    const HeldExpression result = held(Buffer::output, 0);
    return {combinations_.operands(), result.expression, result.first};
  }

 private:
  PlacedValue& place(Buffer buffer, int block) {
    return memory_[static_cast<std::size_t>(buffer)][static_cast<std::size_t>(block)];
  }
  HeldExpression held(Buffer buffer, int block) { return place(buffer, block).held; }

  // Sends hold what the rank has when the step begins.
  bool run_step(std::size_t begin, std::size_t end) {
    sent_.clear();
    for (std::size_t at = begin; at < end; ++at) {
      const Op& op = program_.ops[at];
      if (op.kind != OpKind::send) continue;
      std::vector<PlacedValue> message;
      if (!read(program_.slices(op), message)) return false;
      sent_[turns_.back(op.peer)].push_back(std::move(message));
    }
    std::map<int, std::size_t> taken;  // by peer
    const std::vector<bool> told = entered_;
    for (std::size_t at = begin; at < end; ++at) {
      const Op& op = program_.ops[at];
      if (op.kind == OpKind::send) continue;
      if (!(op.communicates() ? pass(op, taken[op.peer]++) : compute(op))) return false;
      if (op.communicates()) learn(told, op.peer);
    }
    return std::all_of(sent_.begin(), sent_.end(),
                       [&](const auto& each) { return taken[each.first] == each.second.size(); });
  }

  // The `n`-th message of the step from that peer.
  bool pass(const Op& op, std::size_t n) {
    const auto found = sent_.find(op.peer);
    if (found == sent_.end() || n >= found->second.size()) return false;
    std::vector<PlacedValue>& message = found->second[n];
    if (!turn(op.peer, message)) return false;
    return op.kind == OpKind::receive ? write(op, message) : combine(op, program_.operand(op), message);
  }

  // False where the runs of blocks are not those of the message as it was (symmetry_matcher.hpp).
  bool turn(int peer, std::vector<PlacedValue>& message) const {
    const std::vector<std::size_t> ends = ends_of_runs(message);
    for (PlacedValue& each : message)
      each = {turns_.block(peer, each.block), {each.held.expression, turns_(peer, each.held.first)}};
    if (turns_.kind() == RankSymmetry::Kind::rotation || is_of_pairs()) return true;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const auto run = std::span(message).subspan(begin, end - begin);
      if (turns_.mirrors(peer)) std::reverse(run.begin(), run.end());
      if (turns_.keeps_aligned_runs())
        std::sort(run.begin(), run.end(), [](const PlacedValue& a, const PlacedValue& b) { return a.block < b.block; });
      begin = end;
    }
    return ends_of_runs(message) == ends;
  }

  std::vector<std::size_t> ends_of_runs(const std::vector<PlacedValue>& message) const {
    std::vector<std::size_t> ends;
    for (std::size_t k = 1; k <= message.size(); ++k) {
      if (k == message.size() || message[k].block != (message[k - 1].block + 1) % p_) ends.push_back(k);
    }
    return ends;
  }

  // Adds the knowledge of a peer when its step began: the rank's own knowledge then, turned to the peer.
  void learn(const std::vector<bool>& told, int peer) {
    for (std::size_t k = 0; k < told.size(); ++k) {
      if (told[k]) entered_[static_cast<std::size_t>(turns_(peer, static_cast<int>(k)))] = true;
    }
  }

  bool compute(const Op& op) {
    std::vector<PlacedValue> values;
    if (!read(op.kind == OpKind::copy ? program_.operand(op) : program_.second(op), values)) return false;
    return op.kind == OpKind::copy ? write(op, values) : combine(op, program_.operand(op), values);
  }

  bool combine(const Op& op, std::span<const Slice> mine, const std::vector<PlacedValue>& others) {
    std::vector<PlacedValue> values;
    if (!read(mine, values) || values.size() != others.size()) return false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k].block != others[k].block) return false;
      values[k].held = combinations_.united(values[k].held, others[k].held);
      if (values[k].held.expression == HeldExpression::nothing) return false;
    }
    return write(op, values);
  }

  // Appends what lies in the slices; false where nothing was written.
  bool read(std::span<const Slice> slices, std::vector<PlacedValue>& values) {
    for (const Slice& slice : slices) {
      for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block) {
        values.push_back(place(slice.buffer, block));
        if (values.back().held.expression == HeldExpression::nothing) return false;
      }
    }
    return true;
  }

  // False where a value would lie at another block's place, but in an all-to-all.
  bool write(const Op& op, const std::vector<PlacedValue>& values) {
    std::size_t next = 0;
    for (const Slice& slice : program_.slices(op)) {
      for (auto block = static_cast<int>(slice.first); block < slice.end(); ++block, ++next) {
        if (next == values.size() || (!is_of_pairs() && values[next].block != block)) return false;
        place(slice.buffer, block) = values[next];
      }
    }
    return next == values.size();
  }

  bool holds_what_is_due() {
    if (problem_.collective == Collective::barrier)
      return std::find(entered_.begin(), entered_.end(), false) == entered_.end();
    if (problem_.collective == Collective::reduce_scatter)
      return combinations_.is_of_all_ranks(held(Buffer::output, 0));
    if (is_of_pairs()) return holds_its_blocks();
    const HeldExpression first = held(Buffer::output, 0);
    for (int block = 0; block < p_; ++block) {
      const HeldExpression other = held(Buffer::output, block);
      // So all ranks have the same bits.
      const bool shifted = other.first == turns_(turns_.owner(block), first.first);
      if (other.expression != first.expression || !shifted) return false;
    }
    return problem_.collective == Collective::all_gather
               ? first.expression == HeldExpression::contribution && first.first == 0
               : combinations_.is_of_all_ranks(first);
  }

  // In an all-to-all: from every rank the block that is for this one.
  bool holds_its_blocks() {
    for (int origin = 0; origin < p_; ++origin) {
      const auto& [destination, held] = place(Buffer::output, origin);
      if (held.expression != HeldExpression::contribution || held.first != origin || destination != 0) return false;
    }
    return true;
  }

  bool is_of_pairs() const { return problem_.collective == Collective::all_to_all; }

  const RankSymmetry& turns_;
  const Problem& problem_;
  const Program& program_;
  int p_;
  std::array<std::vector<PlacedValue>, 3> memory_;             // by buffer, by block from the rank's own on
  std::map<int, std::vector<std::vector<PlacedValue>>> sent_;  // in this step, by the peer that receives from as far
  Combinations combinations_;
  std::vector<bool> entered_;  // in a barrier: which ranks are known to have, from its own on
};

// The first part's questions about single ranks and steps, put to rank 0 among ranks that do nothing.
bool is_runnable(const Problem& unit, const Program& pattern) {
  // The messages of a barrier count for what they tell: none may be left out because its blocks are empty.
  if (unit.collective == Collective::barrier && !pattern.pool.empty()) return false;
  Schedule alone{unit, std::vector<Program>(static_cast<std::size_t>(unit.ranks))};
  alone.programs.front() = pattern;
  // Values on their way through an all-to-all, and those that arrive before as many have left, take two places a rank.
  const std::int64_t places = (has_blocks_in_scratch(unit.collective) ? 1 : 2) * std::int64_t{unit.ranks};
  return pattern.scratch <= places && !find_malformed(alone) && !find_conflict(alone);
}

// Whether the programs of every `stride`-th rank, and of the last one, are the pattern's.
bool all_turn(const RankSymmetry& turns, const Problem& problem, const Program& pattern, const ProgramOf& program_of,
              int stride = 1) {
  SymmetryMatcher matcher(turns, problem, pattern);
  Program program;
  const auto is_turned = [&](int rank) {
    program_of(rank, program);
    return matcher.is_program_of(rank, program);
  };
  for (int rank = 0; rank < problem.ranks - 1; rank += stride) {
    if (!is_turned(rank)) return false;
  }
  return is_turned(problem.ranks - 1);
}

bool does_what_is_due(const RankSymmetry& turns, const Problem& problem, const Program& pattern) {
  const Problem unit = with_unit_blocks(problem);
  return is_runnable(unit, pattern) && OneRank(turns, unit, pattern).does_what_is_due();
}

}  // namespace

bool may_be_alike(RankSymmetry::Kind kind, const Problem& problem) {
  if (!RankSymmetry::fit(kind, problem.ranks)) return false;
  switch (problem.collective) {
    case Collective::all_gather:
      return kind != RankSymmetry::Kind::swing;  // rank r's own block is r, and by swing another
    case Collective::reduce_scatter:
      return kind != RankSymmetry::Kind::swing && problem.commutative;
    case Collective::all_reduce:
      return problem.commutative;
    case Collective::barrier:
      return kind == RankSymmetry::Kind::rotation;
    case Collective::all_to_all:
      return (kind == RankSymmetry::Kind::rotation || kind == RankSymmetry::Kind::exchange) &&
             has_equal_blocks(problem);
    default:
      return false;
  }
}

bool is_proved_by_one_rank(RankSymmetry::Kind kind, const Problem& problem, const Program& pattern,
                           const ProgramOf& program_of) {
  const RankSymmetry turns(kind, problem.ranks);
  return does_what_is_due(turns, problem, pattern) && all_turn(turns, problem, pattern, program_of);
}

bool is_proved_by_making(RankSymmetry::Kind kind, const Problem& problem, const Program& pattern,
                         const ProgramOf& program_of) {
  const RankSymmetry turns(kind, problem.ranks);
  return does_what_is_due(turns, problem, pattern) && all_turn(turns, problem, pattern, program_of, problem.ranks);
}

std::optional<Bracketing> bracketing_by_rotation(const Problem& problem, const Program& pattern,
                                                 const ProgramOf& program_of) {
  const Problem unit = with_unit_blocks(problem);
  if (!is_runnable(unit, pattern)) return std::nullopt;
  const RankSymmetry turns(RankSymmetry::Kind::rotation, problem.ranks);
  OneRank rank(turns, unit, pattern, Combinations::Order::consecutive);
  if (!rank.does_what_is_due() || !all_turn(turns, problem, pattern, program_of)) return std::nullopt;
  return rank.bracketing();
}

}  // namespace tutti::proof
