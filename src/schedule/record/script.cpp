#include "schedule/record/script.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/stage_placement.hpp"

namespace tutti {
namespace {

Slice block_of(Buffer buffer, const Blocks& blocks, int block) {
  const std::int64_t first = blocks.first(block);
  return {buffer, first, blocks.first(block + 1) - first};
}

bool has_elements(Slices slices) {
  for (const Slice& slice : slices) {
    if (slice.count > 0) return true;
  }
  return false;
}

bool same(Slices a, Slices b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

Script::Script(RecordingContext& context, const Problem& problem, int rank, Program& program,
               const Parameters& parameters)
    : context_(context),
      problem_(&problem),
      parameters_(&parameters),
      rank_(rank),
      program_(&program),
      input_(input_blocks(problem, rank, context.blocks())),
      output_(output_blocks(problem, rank, context.blocks())),
      all_(tutti::all_blocks(problem, context.blocks())) {}

Script::Script(RecordingContext& context, const Problem& problem, int rank, Program& program,
               const Parameters& parameters, const Layout& layout, Detail detail)
    : Script(context, problem, rank, program, parameters) {
  layout_ = &layout;
  detail_ = detail;
}

Script::Script(const Stage& stage, Script& whole, const StagePlacement& placement)
    : Script(whole.context_, stage.problem, stage.rank, *whole.program_, stage.parameters) {
  whole_ = &whole;
  placement_ = &placement;
  detail_ = whole.detail_;
  turns_round_ = whole.turns_round_;
}

Script::Script(const Problem& problem, Program& program, const Script& told, Detail detail)
    : Script(told.context_, problem, told.rank(), program, told.parameters()) {
  told_ = &told;
  detail_ = detail;
}

Script::Script(const Problem& problem, Script& whole)
    : Script(whole.context_, problem, whole.rank(), *whole.program_, whole.parameters()) {
  told_ = &whole;
  whole_ = &whole;
  placement_ = whole.placement_;
  detail_ = whole.detail_;
  turns_round_ = !whole.turns_round_;
}

const Layout& Script::layout() const {
  ++context_.access().at_layout;
  if (layout_ != nullptr) return *layout_;
  if (told_ != nullptr) return told_->layout();
  // A placement numbers ranks as the outermost whole does.
  const Script* outermost = whole_;
  while (outermost->whole_ != nullptr) outermost = outermost->whole_;
  const Layout& all = outermost->layout();
  const bool is_of_all = size() == all.size() && placement_->is_of_first(size());
  if (is_of_all || all.size() == 0) return all;
  if (!own_layout_) {
    std::vector<int> ranks;
    ranks.reserve(static_cast<std::size_t>(size()));
    for (int k = 0; k < size(); ++k) ranks.push_back(placement_->rank(k));
    own_layout_ = all.of(ranks);
  }
  return *own_layout_;
}

// In place, input and output coincide; at ranks where only the caller's one buffer exists, it is called output.
Slice Script::input() const { return {problem_->in_place ? Buffer::output : Buffer::input, 0, input_.total()}; }

Slice Script::input(int block) const {
  return block_of(problem_->in_place ? Buffer::output : Buffer::input, input_, block);
}

Slice Script::output() const { return {Buffer::output, 0, output_.total()}; }

Slice Script::output(int block) const { return block_of(Buffer::output, output_, block); }

Slice Script::scratch(std::int64_t first, std::int64_t count) {
  if (count > 0 && whole_ == nullptr) program_->scratch = std::max(program_->scratch, first + count);
  return {Buffer::scratch, first, count};
}

Message Script::blocks(Buffer buffer, int first, int n) {
  const auto run = [&](int from, int to) {
    const Slice slice{buffer, all_.first(from), all_.first(to) - all_.first(from)};
    return buffer == Buffer::scratch ? scratch(slice.first, slice.count) : slice;
  };
  const int p = size();
  first = modulo(first, p);
  if (first + n <= p) return {run(first, first + n)};
  return {run(first, p), run(0, first + n - p)};
}

void Script::send(Slices message, int to) {
  if (has_elements(message)) add(OpKind::send, Side::mine_first, to, message, {}, {});
}

void Script::receive(Slices message, int from) {
  if (has_elements(message)) add(OpKind::receive, Side::mine_first, from, message, {}, {});
}

void Script::receive_reduce(Slices into, Slices mine, int from, Side side) {
  if (has_elements(into)) add(OpKind::receive_reduce, side, from, into, mine, {});
}

void Script::copy(Slices to, Slices from) {
  if (has_elements(to) && !same(to, from)) add(OpKind::copy, Side::mine_first, -1, to, from, {});
}

void Script::reduce(Slices into, Slices left, Slices right) {
  if (has_elements(into)) add(OpKind::reduce, Side::mine_first, -1, into, left, right);
}

void Script::fold(Slices into, std::span<const Operand> operands) {
  chain([&] {
    const Operand& first = operands[0];
    if (operands.size() == 1) {
      first.from < 0 ? copy(into, first.mine) : receive(into, first.from);
      return;
    }
    const Operand& second = operands[1];
    if (first.from >= 0 && second.from >= 0) {
      receive(into, first.from);
      receive_reduce(into, into, second.from, Side::mine_first);
    } else if (first.from >= 0) {
      receive_reduce(into, second.mine, first.from, Side::received_first);
    } else if (second.from >= 0) {
      receive_reduce(into, first.mine, second.from, Side::mine_first);
    } else {
      reduce(into, first.mine, second.mine);
    }
    for (const Operand& next : operands.subspan(2)) {
      next.from < 0 ? reduce(into, into, next.mine) : receive_reduce(into, into, next.from, Side::mine_first);
    }
  });
}

void Script::signal(int to) { add(OpKind::send, Side::mine_first, to, {}, {}, {}); }

void Script::await(int from) { add(OpKind::receive, Side::mine_first, from, {}, {}, {}); }

void Script::play(const Program& program, std::size_t from, std::size_t to, std::int64_t ahead) {
  ahead_ = ahead;
  while (from < to) {
    const std::size_t end = program.chain_end(from);
    chain([&] {
      for (; from < end; ++from) {
        const Op& op = program.ops[from];
        add(op.kind, op.side, op.peer, program.slices(op), program.operand(op), program.second(op));
      }
    });
  }
  ahead_ = 0;
}

void Script::phase(std::string_view name) {
  if (name.empty()) {
    names_phases_ = false;
    return;
  }
  for (const Script* around = whole_; around != nullptr; around = around->whole_) {
    if (around->names_phases_) return;
  }
  names_phases_ = true;
  std::vector<PhaseMark>& phases = program_->phases;
  const auto op = static_cast<std::uint32_t>(program_->ops.size());
  if (!phases.empty() && phases.back().name == name) return;
  if (!phases.empty() && phases.back().op == op) phases.pop_back();  // nothing belonged to it
  phases.push_back({op, name});
}

void Script::prune_send(int to) {
  program_->pruned.push_back(
      {static_cast<std::uint32_t>(program_->ops.size()), placement_ != nullptr ? placement_->rank(to) : to});
}

void Script::wait() {
  if (!in_step_) return;
  in_step_ = false;
  if (whole_ != nullptr) return whole_->wait();
  program_->ops.back().ends_step = true;
}

void Script::add_message(OpKind kind, int peer, Slices slices) {
  if (peer < 0) return;
  Op& op = program_->ops.emplace_back();
  op.kind = !turns_round_ ? kind : kind == OpKind::send ? OpKind::receive : OpKind::send;
  op.peer = placement_ != nullptr ? placement_->rank(peer) : peer;
  op.at = static_cast<std::uint32_t>(program_->pool.size());
  op.slices = 1;
  program_->pool.push_back({Buffer::scratch, 0, slices.elements()});
  for (Script* here = this; here != nullptr; here = here->whole_) here->in_step_ = true;
}

void Script::add(OpKind kind, Side side, int peer, Slices slices, Slices operand, Slices second) {
  if (detail_ == Detail::messages) return add_message(kind, peer, slices);
  in_step_ = true;
  std::vector<Op>& ops = program_->ops;
  Message& pool = program_->pool;
  const bool chained = ops.size() > chain_begin_;
  Op& op = ops.emplace_back();
  op.kind = kind;
  op.side = side;
  op.chained = chained;
  op.peer = placement_ != nullptr && peer >= 0 ? placement_->rank(peer) : peer;
  op.at = static_cast<std::uint32_t>(pool.size());
  op.slices = pour(slices);
  if (!operand.empty()) op.operand = pour(operand);
  if (!second.empty()) op.second = pour(second);
  if (placement_ == nullptr) return;
  if (kind == OpKind::copy && same(program_->slices(op), program_->operand(op))) {
    pool.resize(op.at);
    ops.pop_back();
    return;
  }
  for (Script* around = whole_; around != nullptr; around = around->whole_) around->in_step_ = true;
}

// Appends the slices to the pool, and says how many they are there.
std::uint32_t Script::pour(Slices slices) {
  Message& pool = program_->pool;
  const std::size_t begin = pool.size();
  for (const Slice& slice : slices) {
    if (slice.count <= 0) continue;
    const Slice place{slice.buffer, slice.first + (slice.buffer == Buffer::output ? ahead_ : 0), slice.count};
    if (placement_ == nullptr) {
      append(pool, begin, place);
    } else {
      placement_->add(place, *program_, begin);
    }
  }
  return static_cast<std::uint32_t>(pool.size() - begin);
}

}  // namespace tutti
