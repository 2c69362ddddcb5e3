#include "execute/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "execute/walk.hpp"
#include "transport/fold_here.hpp"

namespace tutti::runtime {

// Messages of a call slot are numbered by call, part and index. The first of a call finds its place free, because all
// ranks have completed the call slot's last call; all others come after one that may not have been read yet.
Route Executor::route(int peer, std::uint32_t index) const {
  const std::uint64_t number = ((task_.call + 1) * 2 + task_.part) * most_messages + index;
  return {peer, call_slot(), number, index == 0 && task_.part == 0 ? 0 : number - 1, index == 0};
}

bool Executor::advance() {
  bool moved = false;
  while (!done()) {
    if (!begun_) begin_step();
    moved |= advance_sends();
    moved |= advance_folds();
    if (open_folds_ > 0 || !sends_.empty()) {
      if (!moved) help();
      return moved;
    }
    ++step_;
    begun_ = false;
    moved = true;
  }
  return moved;
}

// Sends are offered before anything is combined, so that peers can read meanwhile. The order is free: the operations of
// a step do not touch one another's data, but for chains, which are folds.
void Executor::begin_step() {
  for (std::uint32_t k = step().first_send; k < step().first_send + step().sends; ++k) {
    const Offer offer = post(task_.compiled->sends[k]);
    if (offer != Offer::delivered) sends_.push_back({k, offer == Offer::offered});
  }
  open_folds(0);
}

/// The step's folds, of which the first `done` are done.
void Executor::open_folds(std::size_t done) {
  begun_ = true;
  folds_.assign(step().folds, {});
  for (std::size_t k = 0; k < done; ++k) folds_[k].done = true;
  open_folds_ = step().folds - done;
  std::size_t operands = 0;
  for (std::size_t k = 0; k < folds_.size(); ++k) operands += task_.compiled->folds[step().first_fold + k].operands;
  if (arrivals_.size() < operands) arrivals_.resize(operands);
}

Offer Executor::post(const SendStep& send) {
  const Outgoing message = outgoing(send);
  const Route way = route(send.peer, send.index);
  if (trace_ == nullptr) return transport_->post(way, message);
  const Instant began = trace_clock();
  const Offer offer = transport_->post(way, message);
  offer == Offer::refused ? trace_->missed() : trace_->sent(way.peer, way.call_slot, way.number, message.bytes, began);
  return offer;
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
    const Offer offer = post(send);
    pending.offered = offer == Offer::offered;
    return offer == Offer::delivered;
  }
  const Route way = route(send.peer, send.index);
  if (transport_->delivered(way)) {
    if (trace_ != nullptr) trace_->delivered(way.peer, way.call_slot, way.number);
    return true;
  }
  if (trace_ != nullptr) trace_->missed();
  return false;
}

/// With nothing left to do, a rank lends a hand to those who read its messages.
void Executor::help() {
  for (const PendingSend& pending : sends_) {
    if (pending.offered) transport_->help(task_.compiled->sends[pending.send].peer, call_slot(), task_.how);
  }
}

bool Executor::advance_folds() {
  bool moved = false;
  std::size_t first_arrival = 0;
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const FoldStep& fold = task_.compiled->folds[step().first_fold + k];
    const bool blocked = fold.chained && k > 0 && !folds_[k - 1].done;
    if (!folds_[k].done && !blocked && come(fold, folds_[k], first_arrival)) {
      const std::int64_t before = folds_[k].folded;
      const bool done = comes_in_parts(fold, first_arrival) ? carry_out_parts(fold, folds_[k], first_arrival)
                                                            : carry_out(fold, first_arrival);
      moved = moved || done || folds_[k].folded > before;
      if (done) {
        folds_[k].done = true;
        --open_folds_;
      }
    }
    first_arrival += fold.operands;
  }
  return moved;
}

/// Whether all operands of the fold are there.
bool Executor::come(const FoldStep& fold, PendingFold& pending, std::size_t first_arrival) {
  for (; pending.come < fold.operands; ++pending.come) {
    const FoldOperand& from = operand(fold, pending.come);
    if (from.peer < 0) continue;
    std::span<std::byte> landing;
    if (fold.operands == 1 && fold.into.count == 1) {
      landing = {task_.bindings->at(task_.compiled->slices(fold.into).front()),
                 static_cast<std::size_t>(bytes(fold.elements))};
    }
    Arrival& arrival = arrivals_[first_arrival + pending.come];
    const Route way = route(from.peer, from.index);
    if (!transport_->arrived(way, landing, arrival)) {
      if (trace_ != nullptr) trace_->missed();
      return false;
    }
    if (trace_ != nullptr) trace_->arrived(way.peer, way.call_slot, way.number, arrival.bytes);
    if (arrival.digest == task_.digest && arrival.bytes == bytes(fold.elements)) continue;
    met_another_call_ = true;
    return false;
  }
  return true;
}

/// Whether everything lies in this rank's reach in one piece, and needs no protection from its owner.
bool Executor::at_hand(const FoldStep& fold, std::size_t first_arrival) const {
  if (fold.into.count != 1) return false;
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    const Arrival& arrival = arrivals_[first_arrival + k];
    if (from.peer < 0 ? from.slices.count != 1 : arrival.in_place || arrival.stretches.size() != 1) return false;
  }
  return true;
}

// False where a rank has ended whose memory it needs, or the communicator has failed: then the operation is about to
// fail, once somebody has said why.
bool Executor::carry_out(const FoldStep& fold, std::size_t first_arrival) {
  const Instant began = trace_ == nullptr ? 0 : trace_clock();
  if (at_hand(fold, first_arrival) && bytes(fold.elements) <= small_fold) {
    combine_at_hand(fold, first_arrival);
  } else if (fold.elements > 0 && !carry_out_pieces(fold, first_arrival)) {
    return false;
  }
  release(fold);
  if (trace_ != nullptr) note_fold(fold, began);
  return true;
}

void Executor::release(const FoldStep& fold) {
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    if (from.peer >= 0) transport_->release(route(from.peer, from.index));
  }
}

void Executor::own(const SliceRange& range, std::vector<Stretch>& stretches) const {
  stretches.clear();
  for (const Slice& slice : task_.compiled->slices(range)) {
    stretches.push_back(Stretch::of(task_.bindings->at(slice), bytes(slice.count)));
  }
}

// A single message that is only moved is a receive; all else combines or copies.
void Executor::note_fold(const FoldStep& fold, Instant began) {
  const Instant now = trace_clock();
  bool receives = false;
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    if (from.peer < 0) continue;
    const Route way = route(from.peer, from.index);
    trace_->released(way.peer, way.call_slot, way.number, now);
    receives = true;
  }
  if (fold.operands == 1 && receives) return;
  const auto kind = fold.operands == 1 ? timeline::Kind::copy : timeline::Kind::reduce;
  trace_->recorder().combined(kind, bytes(fold.elements), began, now);
}

void Executor::combine_at_hand(const FoldStep& fold, std::size_t first_arrival) {
  pointers_.clear();
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    pointers_.push_back(from.peer < 0 ? task_.bindings->at(task_.compiled->slices(from.slices).front())
                                      : arrivals_[first_arrival + k].stretches.front().pointer());
  }
  combine(task_.bindings->at(task_.compiled->slices(fold.into).front()), pointers_, fold.elements, task_.how);
}

bool Executor::carry_out_pieces(const FoldStep& fold, std::size_t first_arrival) {
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.operands + 1));
  own(fold.into, sides_[0]);
  for (std::uint32_t k = 0; k < fold.operands; ++k) bring_side(fold, k, first_arrival);
  const Reading reading(*transport_, reads_in_place(fold, first_arrival));
  if (!reading) return false;
  PieceWalk walk({sides_.data(), fold.operands + 1});
  while (walk.next(operands_)) {
    const Fold piece{operands_.front(), std::span<const Stretch>(operands_).subspan(1)};
    if (!transport_->carry_out(piece, task_.how, call_slot())) return false;
  }
  return true;
}

/// The stretches of an operand that is there as a whole.
void Executor::bring_side(const FoldStep& fold, std::uint32_t k, std::size_t first_arrival) {
  const FoldOperand& from = operand(fold, k);
  if (from.peer < 0) {
    own(from.slices, sides_[k + 1]);
  } else {
    sides_[k + 1] = arrivals_[first_arrival + k].stretches;
  }
}

bool Executor::reads_in_place(const FoldStep& fold, std::size_t first_arrival) const {
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    if (operand(fold, k).peer >= 0 && arrivals_[first_arrival + k].in_place) return true;
  }
  return false;
}

bool Executor::comes_in_parts(const FoldStep& fold, std::size_t first_arrival) const {
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    if (operand(fold, k).peer >= 0 && arrivals_[first_arrival + k].in_parts) return true;
  }
  return false;
}

/// How many more bytes of the fold can be computed, as far as its operands have come; nothing where none can.
/// Leaves the operands' stretches, those that come in parts with so many bytes before that nobody looks at.
std::optional<std::int64_t> Executor::next_part(const FoldStep& fold, const PendingFold& pending,
                                                std::size_t first_arrival) {
  std::int64_t n = bytes(fold.elements) - pending.folded;
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.operands + 1));
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    if (from.peer < 0 || !arrivals_[first_arrival + k].in_parts) continue;
    const std::span<const std::byte> part = transport_->part(route(from.peer, from.index));
    if (part.empty()) return std::nullopt;
    n = std::min(n, static_cast<std::int64_t>(part.size()));
    sides_[k + 1].assign({Stretch::of(nullptr, pending.folded), Stretch::of(part.data(), n)});
  }
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    if (operand(fold, k).peer < 0 || !arrivals_[first_arrival + k].in_parts) bring_side(fold, k, first_arrival);
  }
  own(fold.into, sides_[0]);
  return n;
}

// Where operands come in parts the fold goes on whenever all of them have more; says whether it is done.
bool Executor::carry_out_parts(const FoldStep& fold, PendingFold& pending, std::size_t first_arrival) {
  const Instant began = trace_ == nullptr ? 0 : trace_clock();
  const std::int64_t total = bytes(fold.elements);
  while (pending.folded < total) {
    const auto n = next_part(fold, pending, first_arrival);
    if (!n) return false;
    const Reading reading(*transport_, reads_in_place(fold, first_arrival));
    if (!reading) return false;
    PieceWalk walk({sides_.data(), fold.operands + 1}, pending.folded);
    for (std::int64_t done = 0; done < *n && walk.next(operands_, *n - done); done += operands_.front().bytes) {
      const Fold piece{operands_.front(), std::span<const Stretch>(operands_).subspan(1)};
      const bool is_here =
          std::all_of(operands_.begin(), operands_.end(), [](const Stretch& each) { return each.here; });
      if (is_here) {
        fold_here(piece, task_.how, 0, piece.into.bytes, stores_for(total), pointers_);
      } else if (!transport_->carry_out(piece, task_.how, call_slot())) {
        return false;
      }
    }
    for (std::uint32_t k = 0; k < fold.operands; ++k) {
      const FoldOperand& from = operand(fold, k);
      if (from.peer >= 0 && arrivals_[first_arrival + k].in_parts) transport_->take(route(from.peer, from.index), *n);
    }
    pending.folded += *n;
  }
  release(fold);
  if (trace_ != nullptr) note_fold(fold, began);
  return true;
}

bool Executor::tell_needs(const std::function<void(Need::Kind kind, int peer)>& tell) const {
  if (done() || !begun_ || met_another_call_) return false;
  for (const PendingSend& pending : sends_) {
    if (!pending.offered) return false;
    tell(Need::Kind::reading, task_.compiled->sends[pending.send].peer);
  }
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const FoldStep& fold = task_.compiled->folds[step().first_fold + k];
    if (folds_[k].done || (fold.chained && k > 0 && !folds_[k - 1].done)) continue;
    if (folds_[k].come == fold.operands || operand(fold, folds_[k].come).peer < 0) return false;
    tell(Need::Kind::message, operand(fold, folds_[k].come).peer);
  }
  return true;
}

std::string Executor::waits_for() const {
  if (done() || !begun_) return "its own turn";
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const FoldStep& fold = task_.compiled->folds[step().first_fold + k];
    if (folds_[k].done || folds_[k].come == fold.operands) continue;
    const int peer = operand(fold, folds_[k].come).peer;
    if (peer >= 0) return fmt::format("a message from rank {}", peer);
  }
  if (!sends_.empty()) {
    return fmt::format("rank {} to read a message", task_.compiled->sends[sends_.front().send].peer);
  }
  return "its own turn";
}

}  // namespace tutti::runtime
