#include "schedule/stage.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tutti {

Stage stage_of_all(const Script& me, const Problem& problem) { return {.problem = problem, .rank = me.rank()}; }

StagePlayer::StagePlayer(const Stage& stage)
    : first_rank_(stage.first_rank), stride_(stage.stride), scratch_base_(stage.scratch_base) {
  const auto view = [&](Buffer buffer, const Message& slices) {
    View& made = views_[static_cast<std::size_t>(buffer)];
    for (const Slice& slice : slices) {
      if (slice.count == 0) continue;
      made.slices.push_back(slice);
      made.firsts.push_back(made.total);
      made.total += slice.count;
    }
  };
  view(Buffer::input, stage.input);
  view(Buffer::output, stage.output);
  view(Buffer::scratch, stage.scratch);
}

void StagePlayer::resolve(Script& me, const Slice& slice, Message& into) const {
  const View& view = views_[static_cast<std::size_t>(slice.buffer)];
  const auto add = [&](const Slice& piece) {
    if (!into.empty() && into.back().buffer == piece.buffer && into.back().end() == piece.first) {
      into.back().count += piece.count;
    } else {
      into.push_back(piece);
    }
  };
  std::int64_t at = slice.first;
  auto k = static_cast<std::size_t>(std::upper_bound(view.firsts.begin(), view.firsts.end(), at) - view.firsts.begin());
  for (; at < slice.end() && at < view.total; ++k) {
    const Slice& whole = view.slices[k - 1];
    const std::int64_t offset = at - view.firsts[k - 1];
    const std::int64_t count = std::min(whole.count - offset, slice.end() - at);
    add({whole.buffer, whole.first + offset, count});
    at += count;
  }
  if (at == slice.end()) return;
  if (slice.buffer != Buffer::scratch) {
    fail(ErrorCode::internal, "a stage uses {}[{}..{}), past its view of {} elements", name_of(slice.buffer),
         slice.first, slice.end(), view.total);
  }
  add(me.scratch(scratch_base_ + at - view.total, slice.end() - at));
}

void StagePlayer::resolve(Script& me, std::span<const Slice> slices, Message& into) const {
  into.clear();
  for (const Slice& slice : slices) resolve(me, slice, into);
}

void StagePlayer::play(Script& me, const Program& program, std::size_t from, std::size_t to) const {
  while (from < to) {
    const std::size_t end = program.chain_end(from);
    me.chain([&] {
      for (; from < end; ++from) play(me, program, program.ops[from]);
    });
  }
}

void StagePlayer::play(Script& me, const Program& program, const Op& op) const {
  const int peer = first_rank_ + op.peer * stride_;
  auto& [slices, operand, second] = lists_;
  resolve(me, program.slices(op), slices);
  resolve(me, program.operand(op), operand);
  resolve(me, program.second(op), second);
  switch (op.kind) {
    case OpKind::send:
      op.slices == 0 ? me.signal(peer) : me.send(slices, peer);
      break;
    case OpKind::receive:
      op.slices == 0 ? me.await(peer) : me.receive(slices, peer);
      break;
    case OpKind::receive_reduce:
      me.receive_reduce(slices, operand, peer, op.side);
      break;
    case OpKind::copy:
      me.copy(slices, operand);
      break;
    case OpKind::reduce:
      me.reduce(slices, operand, second);
      break;
  }
}

void perform(Script& me, const Record& record, const Stage& stage) {
  const Program program = record_rank(record, stage.problem, stage.rank);
  const StagePlayer player(stage);
  for (std::size_t at = 0; at < program.ops.size();) {
    const std::size_t end = program.step_end(at);
    player.play(me, program, at, end);
    me.wait();
    at = end;
  }
}

}  // namespace tutti
