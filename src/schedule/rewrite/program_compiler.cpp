#include "schedule/rewrite/program_compiler.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "schedule/rewrite/rewrites.hpp"

namespace tutti {
namespace {

/// Makes sends and folds of operations.
class ProgramCompiler {
 public:
  ProgramCompiler(RecordingPool& pool, const Program& program, CompiledProgram& compiled)
      : program_(program), compiled_(compiled), counts_(pool) {
    counts_->sent.clear();
    counts_->received.clear();
  }

  void make() {
    compiled_.scratch = program_.scratch;
    make_room();
    for (std::size_t begin = 0; begin < program_.ops.size();) {
      const std::size_t end = program_.step_end(begin);
      open_step(begin);
      for (std::size_t k = begin; k < end; ++k) add(program_.ops[k]);
      begin = end;
    }
  }

 private:
  void make_room() {
    std::size_t steps = 0;
    std::size_t sends = 0;
    for (const Op& op : program_.ops) {
      steps += op.ends_step ? 1 : 0;
      sends += op.kind == OpKind::send ? 1 : 0;
    }
    compiled_.steps.reserve(steps);
    compiled_.sends.reserve(sends);
    compiled_.folds.reserve(program_.ops.size() - sends);
    compiled_.operands.reserve(2 * (program_.ops.size() - sends));
  }

  void open_step(std::size_t begin) {
    const auto step = static_cast<std::uint32_t>(compiled_.steps.size());
    for (; phase_ < program_.phases.size() && program_.phases[phase_].op <= begin; ++phase_)
      compiled_.phases.push_back({step, program_.phases[phase_].name});
    compiled_.steps.push_back(
        {static_cast<std::uint32_t>(compiled_.sends.size()), 0, static_cast<std::uint32_t>(compiled_.folds.size()), 0});
  }

  void add(const Op& op) {
    CompiledStep& step = compiled_.steps.back();
    const SliceRange target{op.at, op.slices};
    if (op.kind == OpKind::send) {
      compiled_.sends.push_back(
          {op.peer, next(counts_->sent, op.peer), target, Slices(program_.slices(op)).elements()});
      ++step.sends;
    } else if (op.chained && step.folds > 0 && continues(op)) {
      add_operand(op.communicates() ? received(op) : own(second(op)));
      ++compiled_.folds.back().operands;
    } else {
      begin_fold(op, target);
      ++step.folds;
    }
  }

  /// Whether the op appends one operand to the fold before it: into = into ∘ next.
  bool continues(const Op& op) const {
    const auto target = program_.slices(op);
    const auto same = [&](std::span<const Slice> slices) {
      return std::equal(slices.begin(), slices.end(), target.begin(), target.end());
    };
    const SliceRange& into = compiled_.folds.back().into;
    if (!same({program_.pool.data() + into.first, into.count}) || !same(program_.operand(op))) return false;
    return op.kind == OpKind::reduce || (op.kind == OpKind::receive_reduce && op.side == Side::mine_first);
  }

  void begin_fold(const Op& op, const SliceRange& into) {
    FoldStep fold{into, Slices(program_.slices(op)).elements(), static_cast<std::uint32_t>(compiled_.operands.size()),
                  0, op.chained};
    if (op.kind == OpKind::receive_reduce && op.side == Side::received_first) add_operand(received(op));
    if (op.operand > 0 || !op.communicates()) add_operand(own(operand(op)));
    if (op.kind == OpKind::reduce) add_operand(own(second(op)));
    if (op.communicates() && (op.kind == OpKind::receive || op.side == Side::mine_first)) add_operand(received(op));
    fold.operands = static_cast<std::uint32_t>(compiled_.operands.size()) - fold.first_operand;
    compiled_.folds.push_back(fold);
  }

  void add_operand(const FoldOperand& operand) { compiled_.operands.push_back(operand); }
  static FoldOperand own(const SliceRange& slices) { return {-1, 0, slices}; }
  FoldOperand received(const Op& op) { return {op.peer, next(counts_->received, op.peer), {}}; }
  static SliceRange operand(const Op& op) { return {op.at + op.slices, op.operand}; }
  static SliceRange second(const Op& op) { return {op.at + op.slices + op.operand, op.second}; }

  /// The number of the next message, by those that were counted of each peer.
  static std::uint32_t next(std::vector<std::uint32_t>& counts, int peer) {
    const auto at = static_cast<std::size_t>(peer);
    if (at >= counts.size()) counts.resize(std::max({at + 1, 2 * counts.size(), std::size_t{16}}), 0);
    const std::uint32_t index = counts[at]++;
    if (index < most_messages) return index;
    fail(ErrorCode::unsupported, "the algorithm sends rank {} more than {} messages: use fewer segments", peer,
         most_messages);
  }

  /// Messages, by peer.
  struct Counts {
    std::vector<std::uint32_t> sent;
    std::vector<std::uint32_t> received;
  };

  const Program& program_;
  CompiledProgram& compiled_;
  std::size_t phase_ = 0;  // the next one of the program
  Pooled<Counts> counts_;
};

}  // namespace

void compile_into(RecordingPool& pool, CompiledProgram& compiled, const Program& program, CompiledFor use) {
  compiled.steps.clear();
  compiled.sends.clear();
  compiled.folds.clear();
  compiled.operands.clear();
  compiled.direct_stores.clear();
  compiled.onward.clear();
  compiled.pool.clear();
  compiled.phases.clear();
  ProgramCompiler(pool, program, compiled).make();
  if (use == CompiledFor::pricing) return;
  compiled.pool = program.pool;
  find_direct_stores(compiled);
  find_receiver_copies(compiled);
}

CompiledProgram compile(const Program& program, CompiledFor use) {
  RecordingPool pool;
  CompiledProgram compiled;
  compile_into(pool, compiled, program, use);
  return compiled;
}

}  // namespace tutti
