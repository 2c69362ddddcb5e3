#include "runtime/executor/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::runtime {

void Executor::begin(const Task& task, int lane) {
  task_ = task;
  lane_ = lane;
  next_ = 0;
  pending_.clear();
}

bool Executor::advance() {
  bool moved = false;
  while (!done()) {
    if (pending_.empty()) {
      begin_step();
    } else if (!advance_step()) {
      return moved;
    }
    moved = true;
  }
  return moved;
}

// Sends are offered before local work is done, so that peers can read meanwhile. The order is free: the operations of a
// step do not touch one another's data.
void Executor::begin_step() {
  const std::size_t end = task_.program->step_end(next_);
  const std::span<const Op> step(task_.program->ops.data() + next_, end - next_);
  for (const Op& op : step) {
    if (!op.communicates()) continue;
    const Route route = op.receives() ? numbers_.next_received(op.peer, lane_) : numbers_.next_sent(op.peer, lane_);
    pending_.push_back({&op, route, false});
    if (!op.receives()) advance_send(pending_.back());
  }
  for (const Op& op : step) {
    if (!op.communicates()) run_local(op);
  }
  next_ = end;
}

bool Executor::advance_step() {
  bool moved = false;
  std::erase_if(pending_, [&](Pending& pending) {
    const bool finished = advance(pending);
    moved = moved || finished;
    return finished;
  });
  return moved;
}

bool Executor::advance(Pending& pending) {
  return pending.op->receives() ? advance_receive(pending) : advance_send(pending);
}

bool Executor::advance_send(Pending& pending) {
  if (!pending.posted) {
    const Message message{task_.program->slices(*pending.op), task_.bindings, task_.type};
    pending.posted = transport_.post(pending.route, message);
    return false;
  }
  return transport_.delivered(pending.route);
}

bool Executor::advance_receive(Pending& pending) {
  Arrival arrival(transport_, pending.route);
  if (!arrival) return false;
  const Op& op = *pending.op;
  const Extent into = extent(task_.program->slices(op));
  const Extent received{arrival->slices, arrival->bindings};
  if (op.kind == OpKind::receive) {
    copy(into, received);
  } else {
    const Extent mine = extent(task_.program->operand(op));
    const bool mine_first = op.side == Side::mine_first;
    combine(into, mine_first ? mine : received, mine_first ? received : mine, *task_.op);
  }
  arrival.accept();
  return true;
}

void Executor::run_local(const Op& op) {
  const Extent into = extent(task_.program->slices(op));
  const Extent left = extent(task_.program->operand(op));
  if (op.kind == OpKind::copy) {
    copy(into, left);
  } else {
    combine(into, left, extent(task_.program->second(op)), *task_.op);
  }
}

std::string Executor::waits_for() const {
  if (pending_.empty()) return "its own turn";
  const Pending& first = pending_.front();
  return first.op->receives() ? fmt::format("a message from rank {}", first.route.peer)
                              : fmt::format("rank {} to read a message", first.route.peer);
}

}  // namespace tutti::runtime
