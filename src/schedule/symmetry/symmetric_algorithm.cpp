#include "schedule/symmetry/symmetric_algorithm.hpp"

#include <utility>

#include "base/check.hpp"
#include "schedule/record/recording_context.hpp"
#include "schedule/symmetry/symmetry_matcher.hpp"

namespace tutti {
namespace {

/// Records operations of the pattern at one rank.
class SymmetricRecorder {
 public:
  SymmetricRecorder(Script& me, const RankSymmetry& turns, const Problem& problem, const Program& pattern)
      : me_(me), turns_(turns), pattern_(pattern), turning_(turns, problem, pattern, me.context().blocks()) {}

  void record() {
    auto phase = pattern_.phases.begin();
    for (std::size_t begin = 0; begin < pattern_.ops.size();) {
      for (; phase != pattern_.phases.end() && phase->op <= begin; ++phase) me_.phase(phase->name);
      const std::size_t end = pattern_.chain_end(begin);
      me_.chain([&] {
        for (; begin < end; ++begin) record(pattern_.ops[begin]);
      });
      if (pattern_.ops[end - 1].ends_step) me_.wait();
    }
  }

 private:
  void record(const Op& op) {
    const int peer = op.communicates() ? turns_(me_.rank(), op.peer) : -1;
    switch (op.kind) {
      case OpKind::send:
        return op.slices == 0 ? me_.signal(peer) : me_.send(turned(pattern_.slices(op)), peer);
      case OpKind::receive:
        return op.slices == 0 ? me_.await(peer) : me_.receive(turned(pattern_.slices(op)), peer);
      case OpKind::receive_reduce:
        keep(slices_, pattern_.slices(op));
        return me_.receive_reduce(slices_, turned(pattern_.operand(op)), peer, op.side);
      case OpKind::copy:
        keep(slices_, pattern_.slices(op));
        return me_.copy(slices_, turned(pattern_.operand(op)));
      case OpKind::reduce:
        keep(slices_, pattern_.slices(op));
        keep(operand_, pattern_.operand(op));
        return me_.reduce(slices_, operand_, turned(pattern_.second(op)));
    }
  }

  /// Until the next call.
  std::span<const Slice> turned(std::span<const Slice> slices) {
    const std::span<const Slice> found = turning_.turned(me_.rank(), slices);
    for (const Slice& slice : found) {
      if (slice.buffer == Buffer::scratch) me_.scratch(slice.first, slice.count);
    }
    return found;
  }
  void keep(Message& places, std::span<const Slice> slices) {
    const std::span<const Slice> found = turned(slices);
    places.assign(found.begin(), found.end());
  }

  Script& me_;
  const RankSymmetry& turns_;
  const Program& pattern_;
  SymmetryMatcher turning_;
  Message slices_;   // slices of the operation at hand
  Message operand_;  // operand of the operation at hand
};

/// Records the messages of the pattern at one rank alone, where every block has `elements` elements.
void record_messages(Script& me, const RankSymmetry& turns, const Program& pattern, std::int64_t elements) {
  for (const Op& op : pattern.ops) {
    if (op.communicates()) {
      const int peer = turns(me.rank(), op.peer);
      const Slice message{Buffer::scratch, 0, elements * Slices(pattern.slices(op)).elements()};
      if (op.slices == 0) {
        op.receives() ? me.await(peer) : me.signal(peer);
      } else {
        op.receives() ? me.receive(message, peer) : me.send(message, peer);
      }
    }
    if (op.ends_step) me.wait();
  }
}

void record_turned(Script& me, const RankSymmetry& turns, const Problem& problem, const Program& pattern) {
  if (me.detail() != Detail::messages || !has_equal_blocks(problem))
    return SymmetricRecorder(me, turns, problem, pattern).record();
  record_messages(me, turns, pattern, me.all_blocks().count(0));
}

Program pattern_of(const SymmetricAlgorithm& algorithm, const Script& me, const Problem& unit) {
  return record_rank(me.context(), algorithm.text, unit, 0, me.parameters());
}

/// Returns the pattern that is kept, or keeps it. Where it was kept, what the text looked at counts as looked at again.
const Program& kept_pattern(PatternCache& patterns, const SymmetricAlgorithm& algorithm, const Script& me,
                            const Problem& unit) {
  ParameterAccess& access = me.context().access();
  if (const PatternCache::Pattern* found = patterns.find(algorithm, unit, me.parameters())) {
    access += found->access;
    return found->program;
  }
  const ParameterAccess before = access;
  Program program = pattern_of(algorithm, me, unit);
  return patterns.keep({&algorithm, unit, me.parameters(), access - before, std::move(program)}).program;
}

}  // namespace

void SymmetricAlgorithm::operator()(Script& me, const Problem& problem) const {
  const bool is_of_pairs = problem.collective == Collective::all_to_all;
  if (is_of_pairs && (!has_equal_blocks(problem) || me.detail() == Detail::messages)) return text(me, problem);
  if (problem.ranks > 1 && !RankSymmetry::fit(kind, problem.ranks))
    fail(ErrorCode::internal, "{} ranks cannot be alike by these turns", problem.ranks);
  const RankSymmetry turns(kind, problem.ranks);
  const Problem unit = with_unit_blocks(problem);
  if (PatternCache* const patterns = me.context().patterns()) {
    record_turned(me, turns, problem, kept_pattern(*patterns, *this, me, unit));
  } else {
    record_turned(me, turns, problem, pattern_of(*this, me, unit));
  }
}

const SymmetricAlgorithm* symmetric_algorithm_of(const Algorithm& algorithm) {
  return algorithm.record.target<SymmetricAlgorithm>();
}

}  // namespace tutti
