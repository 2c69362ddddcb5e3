#include "execute/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::runtime {

bool Executor::advance() {
  bool moved = false;
  while (!done()) {
    if (!begun_) begin_step();
    moved |= advance_sends();
    moved |= advance_folds();
    if (open_folds_ > 0 || !sends_.empty()) {
      if (!moved) moved = advance_lent();
      if (!moved) help();
      return moved;
    }
    ++step_;
    if (done() && !task_.compiled->phases.empty()) channel_.enter_phase(task_.call_slot(), {});
    begun_ = false;
    moved = true;
  }
  return moved;
}

// Sends are offered before anything is combined, so that peers can read meanwhile. Any order would be right, because
// the operations of a step do not touch one another's data; only folds may follow from one another, as chains.
void Executor::begin_step() {
  if (!task_.compiled->phases.empty()) tell_phase();
  folder_.keep_placed(step().first_send, step().sends);
  open_places();
  for (std::uint32_t k = step().first_send; k < step().first_send + step().sends; ++k) {
    const PostResult offer = post(k);
    if (offer != PostResult::delivered) sends_.push_back({k, offer == PostResult::offered});
  }
  open_folds(0);
  lend_copies();
}

void Executor::tell_phase() {
  for (const CompiledPhase& phase : task_.compiled->phases) {
    if (phase.step == step_) channel_.enter_phase(task_.call_slot(), phase.name);
  }
}

// Places are opened before the step's sends: a peer that has all operands of its fold then knows of this place as well,
// so that it does not depend on chance whether the peer stores its result there. find_direct_stores() says why it may.
void Executor::open_places() {
  if (can_.open_places == nullptr) return;
  for (const DirectStore& early : task_.compiled->direct_stores_of(step())) {
    const FoldStep& fold = task_.compiled->folds[early.fold];
    const FoldOperand& from = task_.operand(fold, 0);
    const MemoryRange where = MemoryRange::of(task_.at(fold.into), task_.bytes(fold.elements));
    can_.open_places->open_place(task_.route(from.peer, from.index), {where, early.is_sent});
  }
}

PostResult Executor::post(std::uint32_t which) {
  const SendStep& send = task_.compiled->sends[which];
  Outgoing message = outgoing(send);
  message.in_its_place = folder_.has_placed(which);
  // A message that was refused at first lends nothing: its copy is under way, or made.
  if (send.copy >= 0 && !begun_)
    message.copy = folder_.into(task_.compiled->folds[step().first_fold + static_cast<std::uint32_t>(send.copy)]);
  return channel_.post(task_.route(send.peer, send.index), message);
}

/// The step's folds, of which the first `done` are done.
void Executor::open_folds(std::size_t done) {
  begun_ = true;
  folds_.assign(step().folds, {});
  open_folds_ = step().folds - done;
  std::size_t operands = 0;
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    folds_[k].step = &task_.compiled->folds[step().first_fold + k];
    folds_[k].done = k < done;
    operands += folds_[k].step->operands;
  }
  if (arrivals_.size() < operands) arrivals_.resize(operands);
  Arrival* next = arrivals_.data();
  for (OpenFold& fold : folds_) next = (fold.arrivals = next) + fold.step->operands;
}

bool Executor::advance_sends() {
  bool moved = false;
  std::erase_if(sends_, [&](PendingSend& pending) {
    const bool before = pending.offered;
    const bool delivered = advance_send(pending);
    moved = moved || delivered || pending.offered != before;
    return delivered;
  });
  return moved;
}

/// Whether the message is delivered.
bool Executor::advance_send(PendingSend& pending) {
  const SendStep& send = task_.compiled->sends[pending.send];
  if (!pending.offered) {
    const PostResult offer = post(pending.send);
    pending.offered = offer == PostResult::offered;
    return offer == PostResult::delivered;
  }
  if (!channel_.delivered(task_.route(send.peer, send.index))) return false;
  settle_copy(send);
  return true;
}

// ---- Copies that the receivers of messages may make: see find_receiver_copies()

/// After the sends of a step that begins: copies are left to receivers that have been told of them.
void Executor::lend_copies() {
  if (can_.receiver_copies == nullptr) return;
  for (const PendingSend& pending : sends_) {
    const SendStep& send = task_.compiled->sends[pending.send];
    if (send.copy < 0 || !pending.offered) continue;
    folds_[static_cast<std::size_t>(send.copy)].is_lent =
        can_.receiver_copies->lends_copy(task_.route(send.peer, send.index));
  }
}

/// Makes a part of a copy whose receiver has yet to come; says whether there was one.
bool Executor::advance_lent() {
  constexpr std::int64_t part_bytes = 64 * 1024;
  const std::int64_t part = task_.bytes(std::max<std::int64_t>(part_bytes / task_.how.element_size, 1));
  bool moved = false;
  for (const PendingSend& pending : sends_) moved = moved || make_copy(task_.compiled->sends[pending.send], part);
  return moved;
}

/// Makes the next so many bytes of the copy that was lent with the message, if they are nobody's yet.
bool Executor::make_copy(const SendStep& send, std::int64_t most) {
  if (send.copy < 0) return false;
  OpenFold& fold = folds_[static_cast<std::size_t>(send.copy)];
  if (fold.done || !fold.is_lent) return false;
  const auto first = can_.receiver_copies->claim_copy(task_.route(send.peer, send.index), most);
  if (!first) return false;
  folder_.copy_part(fold, *first, most);
  if (fold.done) --open_folds_;
  return true;
}

/// The message is delivered: what its receiver has claimed of the copy is made, and the rest is this rank's.
void Executor::settle_copy(const SendStep& send) {
  if (send.copy < 0) return;
  OpenFold& fold = folds_[static_cast<std::size_t>(send.copy)];
  if (fold.done || !fold.is_lent) return;
  make_copy(send, task_.bytes(send.elements));
  if (fold.done) return;
  fold.done = true;
  --open_folds_;
}

/// A rank that has nothing else to do helps the peers that have yet to read its messages with their folds.
void Executor::help() {
  for (const PendingSend& pending : sends_) {
    if (pending.offered) folding_.help(task_.compiled->sends[pending.send].peer, task_.call_slot(), task_.how);
  }
}

bool Executor::advance_folds() {
  bool moved = false;
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    OpenFold& fold = folds_[k];
    if (fold.done || fold.is_lent || is_blocked(k) || !folder_.come(fold)) continue;
    const std::int64_t before = fold.folded;
    const bool done = folder_.advance(fold);
    moved = moved || done || fold.folded > before;
    if (done) --open_folds_;
  }
  return moved;
}

bool Executor::tell_dependencies(const std::function<void(Dependency::Kind kind, int peer)>& tell) const {
  if (done() || !begun_ || met_another_call()) return false;
  for (const PendingSend& pending : sends_) {
    if (!pending.offered) return false;
    tell(Dependency::Kind::reading, task_.compiled->sends[pending.send].peer);
  }
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const OpenFold& fold = folds_[k];
    if (fold.done || fold.is_lent || is_blocked(k)) continue;
    if (fold.come == fold.step->operands || task_.operand(*fold.step, fold.come).peer < 0) return false;
    tell(Dependency::Kind::message, task_.operand(*fold.step, fold.come).peer);
  }
  return true;
}

std::string Executor::waits_for() const {
  if (done() || !begun_) return "its own turn";
  for (const OpenFold& fold : folds_) {
    if (fold.done || fold.come == fold.step->operands) continue;
    const int peer = task_.operand(*fold.step, fold.come).peer;
    if (peer >= 0) return fmt::format("a message from rank {}", peer);
  }
  if (!sends_.empty()) {
    return fmt::format("rank {} to read a message", task_.compiled->sends[sends_.front().send].peer);
  }
  return "its own turn";
}

}  // namespace tutti::runtime
