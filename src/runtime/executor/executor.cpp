#include "runtime/executor/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/executor/walk.hpp"

namespace tutti::runtime {

// Messages of a lane are numbered by call, part and index. The first of a call finds its place free, because all ranks
// have completed the lane's last call; all others come after one that may not have been read yet.
Route Executor::route(int peer, std::uint32_t index) const {
  const std::uint64_t number = ((task_.call + 1) * 2 + task_.part) * most_messages + index;
  return {peer, lane(), number, index == 0 && task_.part == 0 ? 0 : number - 1, index == 0};
}

bool Executor::advance() {
  bool moved = false;
  while (!done()) {
    if (!begun_) begin_step();
    moved |= advance_sends();
    moved |= advance_folds();
    if (open_folds_ > 0 || !sends_.empty()) return moved;
    ++step_;
    begun_ = false;
    moved = true;
  }
  return moved;
}

// Sends are offered before anything is combined, so that peers can read meanwhile. The order is free: the operations of
// a step do not touch one another's data, but for chains, which are folds.
void Executor::begin_step() {
  begun_ = true;
  for (std::uint32_t k = step().first_send; k < step().first_send + step().sends; ++k) {
    const Offer offer = post(task_.routine->sends[k]);
    if (offer != Offer::delivered) sends_.push_back({k, offer == Offer::offered});
  }
  open_folds_ = step().folds;
  folds_.assign(open_folds_, {});
  std::size_t operands = 0;
  for (std::size_t k = 0; k < open_folds_; ++k) operands += task_.routine->folds[step().first_fold + k].operands;
  if (arrivals_.size() < operands) arrivals_.resize(operands);
}

Offer Executor::post(const SendStep& send) {
  const Outgoing message{
      task_.routine->slices(send.slices), task_.bindings, bytes(send.elements), task_.digest, {}, true};
  return transport_->post(route(send.peer, send.index), message);
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
  const SendStep& send = task_.routine->sends[pending.send];
  if (!pending.offered) {
    const Offer offer = post(send);
    pending.offered = offer == Offer::offered;
    return offer == Offer::delivered;
  }
  if (transport_->delivered(route(send.peer, send.index))) return true;
  transport_->help(send.peer, lane(), task_.how);
  return false;
}

bool Executor::advance_folds() {
  bool moved = false;
  std::size_t first_arrival = 0;
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const FoldStep& fold = task_.routine->folds[step().first_fold + k];
    const bool blocked = fold.chained && k > 0 && !folds_[k - 1].done;
    if (!folds_[k].done && !blocked && come(fold, folds_[k], first_arrival)) {
      if (!carry_out(fold, first_arrival)) return moved;
      folds_[k].done = true;
      --open_folds_;
      moved = true;
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
      landing = {task_.bindings->at(task_.routine->slices(fold.into).front()),
                 static_cast<std::size_t>(bytes(fold.elements))};
    }
    Arrival& arrival = arrivals_[first_arrival + pending.come];
    if (!transport_->arrived(route(from.peer, from.index), landing, arrival)) return false;
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
  if (at_hand(fold, first_arrival) && bytes(fold.elements) <= small_fold) {
    combine_at_hand(fold, first_arrival);
  } else if (fold.elements > 0 && !carry_out_pieces(fold, first_arrival)) {
    return false;
  }
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    if (from.peer >= 0) transport_->release(route(from.peer, from.index));
  }
  return true;
}

void Executor::combine_at_hand(const FoldStep& fold, std::size_t first_arrival) {
  pointers_.clear();
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    pointers_.push_back(from.peer < 0 ? task_.bindings->at(task_.routine->slices(from.slices).front())
                                      : arrivals_[first_arrival + k].stretches.front().pointer());
  }
  combine(task_.bindings->at(task_.routine->slices(fold.into).front()), pointers_, fold.elements, task_.how);
}

bool Executor::carry_out_pieces(const FoldStep& fold, std::size_t first_arrival) {
  const auto own = [&](const SliceRange& range, std::vector<Stretch>& stretches) {
    stretches.clear();
    for (const Slice& slice : task_.routine->slices(range)) {
      stretches.push_back(Stretch::of(task_.bindings->at(slice), bytes(slice.count)));
    }
  };
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.operands + 1));
  own(fold.into, sides_[0]);
  bool in_place = false;
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = operand(fold, k);
    if (from.peer < 0) {
      own(from.slices, sides_[k + 1]);
    } else {
      sides_[k + 1] = arrivals_[first_arrival + k].stretches;
      in_place = in_place || arrivals_[first_arrival + k].in_place;
    }
  }
  const Reading reading(*transport_, in_place);
  if (!reading) return false;
  PieceWalk walk({sides_.data(), fold.operands + 1});
  while (walk.next(operands_)) {
    const Fold piece{operands_.front(), std::span<const Stretch>(operands_).subspan(1)};
    if (!transport_->carry_out(piece, task_.how, lane())) return false;
  }
  return true;
}

std::string Executor::waits_for() const {
  if (done() || !begun_) return "its own turn";
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    const FoldStep& fold = task_.routine->folds[step().first_fold + k];
    if (folds_[k].done || folds_[k].come == fold.operands) continue;
    const int peer = operand(fold, folds_[k].come).peer;
    if (peer >= 0) return fmt::format("a message from rank {}", peer);
  }
  if (!sends_.empty()) {
    return fmt::format("rank {} to read a message", task_.routine->sends[sends_.front().send].peer);
  }
  return "its own turn";
}

}  // namespace tutti::runtime
