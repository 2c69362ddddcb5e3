#include "execute/fold_runner.hpp"

#include <algorithm>

#include "execute/combine.hpp"
#include "execute/piece_walk.hpp"
#include "execute/reading.hpp"
#include "transport/fold_here.hpp"

namespace tutti::runtime {
namespace {

constexpr std::int32_t none = -1;

}  // namespace

bool FoldRunner::advance(OpenFold& fold) {
  const std::int64_t before = fold.folded;
  folding_.begin();
  fold.done = comes_in_parts(fold) ? carry_out_parts(fold) : carry_out(fold);
  if (fold.done) fold.folded = task_.bytes(fold.step->elements);
  folding_.end(kind_of(*fold.step), fold.folded - before);
  return fold.done;
}

bool FoldRunner::come(OpenFold& fold) {
  for (; fold.come < fold.step->operands; ++fold.come) {
    const FoldOperand& from = task_.operand(*fold.step, fold.come);
    if (from.peer < 0) continue;
    std::span<std::byte> landing;
    if (fold.step->operands == 1 && fold.step->into.count == 1) {
      landing = {task_.at(fold.step->into), static_cast<std::size_t>(task_.bytes(fold.step->elements))};
    }
    Arrival& arrival = fold.arrivals[fold.come];
    arrival.in_its_place = false;
    if (!channel_.arrived(task_.route(from.peer, from.index), landing, arrival)) return false;
    const std::int64_t expected = task_.bytes(fold.step->elements);
    if (arrival.digest == task_.digest && arrival.bytes == expected) continue;
    met_another_call_ = true;
    if (arrival.digest == task_.digest) odd_message_ = {from.peer, arrival.bytes, expected};
    return false;
  }
  return true;
}

bool FoldRunner::comes_in_parts(const OpenFold& fold) const {
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    if (task_.operand(*fold.step, k).peer >= 0 && fold.arrivals[k].in_parts) return true;
  }
  return false;
}

/// Whether this rank reaches the result and all operands in one piece each, and no peer can take their memory back.
bool FoldRunner::at_hand(const OpenFold& fold) const {
  if (fold.step->into.count != 1) return false;
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    const FoldOperand& from = task_.operand(*fold.step, k);
    const Arrival& arrival = fold.arrivals[k];
    if (from.peer < 0 ? from.slices.count != 1 : arrival.in_place || arrival.ranges.size() != 1) return false;
  }
  return true;
}

// False where a rank has ended whose memory the fold needs, or the communicator has failed: the operation then fails as
// soon as the reason is known.
bool FoldRunner::carry_out(const OpenFold& fold) {
  const bool is_there =
      fold.step->operands == 1 && task_.operand(*fold.step, 0).peer >= 0 && fold.arrivals[0].in_its_place;
  if (is_there) {
    release(*fold.step);
    return true;
  }
  if (at_hand(fold) && task_.bytes(fold.step->elements) <= small_fold) {
    combine_at_hand(fold);
  } else if (fold.step->elements > 0 && !carry_out_pieces(fold)) {
    return false;
  }
  release(*fold.step);
  return true;
}

void FoldRunner::combine_at_hand(const OpenFold& fold) {
  pointers_.clear();
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    const FoldOperand& from = task_.operand(*fold.step, k);
    pointers_.push_back(from.peer < 0 ? task_.at(from.slices) : fold.arrivals[k].ranges.front().pointer());
  }
  combine(task_.at(fold.step->into), pointers_, fold.step->elements, task_.how);
}

void FoldRunner::fold_pieces(const FoldStep& fold, std::span<const void* const> from) {
  const std::int64_t total = task_.bytes(fold.elements);
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.operands + 1));
  own(fold.into, sides_[0]);
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& each = task_.operand(fold, k);
    if (each.peer < 0) {
      own(each.slices, sides_[k + 1]);
    } else {
      sides_[k + 1].assign(1, MemoryRange::of(static_cast<const std::byte*>(from[k]), total));
    }
  }
  PieceWalk walk({sides_.data(), fold.operands + 1});
  while (walk.next(operands_)) {
    const Fold piece{operands_.front(), std::span<const MemoryRange>(operands_).subspan(1)};
    fold_here(piece, task_.how, 0, piece.into.bytes, stores_for(total), pointers_);
  }
}

bool FoldRunner::carry_out_pieces(const OpenFold& fold) {
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.step->operands + 1));
  own(fold.step->into, sides_[0]);
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) bring_side(fold, k);
  const std::size_t first_place = fold.step->operands + 1;
  const std::size_t sides = bring_places(fold, first_place);
  const Reading reading(failure_, reads_in_place(fold) || sides > first_place);
  if (!reading) return false;
  const std::int64_t total = task_.bytes(fold.step->elements);
  LentCopy lent{.from = total};
  const std::int32_t copied = take_copy(fold, lent);
  if (lent.from < total) {
    sides_.resize(std::max(sides_.size(), sides + 1));
    sides_[sides].assign(1, lent.into);
    if (!carry_out_range(fold, sides + 1, lent.from, total, copied)) return false;
  }
  return carry_out_range(fold, sides, 0, lent.from, none);
}

/// The fold's bytes from `first` to `end`. Of so many sides the last one is where operand number `copied` is stored as
/// well, unless that is `none`.
bool FoldRunner::carry_out_range(const OpenFold& fold, std::size_t sides, std::int64_t first, std::int64_t end,
                                 std::int32_t copied) {
  const std::size_t first_place = fold.step->operands + 1;
  const std::size_t places = sides - first_place - (copied == none ? 0 : 1);
  PieceWalk walk({sides_.data(), sides}, first);
  for (std::int64_t at = first; at < end && walk.next(operands_, end - at); at += operands_.front().bytes) {
    const std::span<const MemoryRange> all(operands_);
    Fold piece{all.front(), all.subspan(1, fold.step->operands), all.subspan(first_place, places)};
    if (copied != none) piece.copy = all.back();
    piece.copied = copied;
    if (!folding_.carry_out(piece, task_.how, task_.call_slot())) return false;
  }
  return true;
}

/// Takes on what is left of the copy that the sender of an operand wants to keep, of one operand at most; returns which
/// operand it is, or `none`.
std::int32_t FoldRunner::take_copy(const OpenFold& fold, LentCopy& lent) {
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    const FoldOperand& from = task_.operand(*fold.step, k);
    if (from.peer < 0 || !fold.arrivals[k].is_lent) continue;
    const auto taken = can_.receiver_copies->take_copy(task_.route(from.peer, from.index));
    if (!taken) continue;
    lent = *taken;
    return static_cast<std::int32_t>(k);
  }
  return none;
}

void FoldRunner::copy_part(OpenFold& fold, std::int64_t first, std::int64_t most) {
  const std::int64_t total = task_.bytes(fold.step->elements);
  const std::int64_t end = std::min(total, first + most);
  sides_.resize(std::max<std::size_t>(sides_.size(), 2));
  own(fold.step->into, sides_[0]);
  own(task_.operand(*fold.step, 0).slices, sides_[1]);
  folding_.begin();
  PieceWalk walk({sides_.data(), 2}, first);
  for (std::int64_t at = first; at < end && walk.next(operands_, end - at); at += operands_.front().bytes) {
    const Fold piece{operands_.front(), std::span<const MemoryRange>(operands_).subspan(1)};
    fold_here(piece, task_.how, 0, piece.into.bytes, stores_for(total), pointers_);
  }
  folding_.end(first > 0 ? FoldKind::copies_on : FoldKind::copies, end - first);
  fold.folded = end;
  fold.done = end == total;
}

/// Looks up the places on other ranks in which the result is to be stored as well, and adds them to sides_ from `first`
/// on. Returns how many sides there are then.
std::size_t FoldRunner::bring_places(const OpenFold& fold, std::size_t first) {
  std::size_t sides = first;
  if (can_.open_places == nullptr) return sides;
  for (const std::uint32_t k : task_.compiled->onward_of(*fold.step)) {
    if (sides - first == Fold::most_also) break;
    const SendStep& send = task_.compiled->sends[k];
    const auto place = can_.open_places->place_of(task_.route(send.peer, send.index));
    if (!place || !may_fill(fold, send.peer, *place)) continue;
    sides_.resize(std::max(sides_.size(), sides + 1));
    sides_[sides++].assign(1, place->where);
    placed_.push_back(k);
  }
  return sides;
}

/// Whether the fold may store its result in the peer's place. Where the peer sends a message from that place, the
/// message must be an operand of this very fold, read where it lies: then each element is read before it is
/// overwritten.
bool FoldRunner::may_fill(const OpenFold& fold, int peer, const OpenPlace& place) const {
  if (place.where.bytes != task_.bytes(fold.step->elements)) return false;
  if (!place.is_sent) return true;
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    const Arrival& arrival = fold.arrivals[k];
    if (task_.operand(*fold.step, k).peer == peer && arrival.in_place && arrival.ranges.size() == 1 &&
        arrival.ranges.front().address == place.where.address) {
      return true;
    }
  }
  return false;
}

/// The ranges of an operand that is there as a whole.
void FoldRunner::bring_side(const OpenFold& fold, std::uint32_t k) {
  const FoldOperand& from = task_.operand(*fold.step, k);
  if (from.peer < 0) {
    own(from.slices, sides_[k + 1]);
  } else {
    sides_[k + 1] = fold.arrivals[k].ranges;
  }
}

void FoldRunner::own(const SliceRange& range, std::vector<MemoryRange>& ranges) const {
  ranges.clear();
  for (const Slice& slice : task_.compiled->slices(range)) {
    ranges.push_back(MemoryRange::of(task_.bindings->at(slice), task_.bytes(slice.count)));
  }
}

bool FoldRunner::reads_in_place(const OpenFold& fold) const {
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    if (task_.operand(*fold.step, k).peer >= 0 && fold.arrivals[k].in_place) return true;
  }
  return false;
}

// Advances a fold whose operands come in parts, whenever all of them have more; returns whether it is done.
bool FoldRunner::carry_out_parts(OpenFold& fold) {
  const std::int64_t total = task_.bytes(fold.step->elements);
  while (fold.folded < total) {
    const auto n = next_part(fold);
    if (!n) return false;
    const Reading reading(failure_, reads_in_place(fold));
    if (!reading) return false;
    PieceWalk walk({sides_.data(), fold.step->operands + 1}, fold.folded);
    for (std::int64_t done = 0; done < *n && walk.next(operands_, *n - done); done += operands_.front().bytes) {
      const Fold piece{operands_.front(), std::span<const MemoryRange>(operands_).subspan(1)};
      const bool is_here =
          std::all_of(operands_.begin(), operands_.end(), [](const MemoryRange& each) { return each.here; });
      if (is_here) {
        fold_here(piece, task_.how, 0, piece.into.bytes, stores_for(total), pointers_);
      } else if (!folding_.carry_out(piece, task_.how, task_.call_slot())) {
        return false;
      }
    }
    for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
      const FoldOperand& from = task_.operand(*fold.step, k);
      if (from.peer >= 0 && fold.arrivals[k].in_parts) can_.streams->take(task_.route(from.peer, from.index), *n);
    }
    fold.folded += *n;
  }
  release(*fold.step);
  return true;
}

/// Returns how many more bytes of the fold can be computed from what has come of its operands; nothing if none can.
/// Leaves the operands' ranges in sides_: that of an operand which comes in parts begins with bytes that stand for
/// what was folded before, and are not read.
std::optional<std::int64_t> FoldRunner::next_part(const OpenFold& fold) {
  std::int64_t n = task_.bytes(fold.step->elements) - fold.folded;
  sides_.resize(std::max<std::size_t>(sides_.size(), fold.step->operands + 1));
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    const FoldOperand& from = task_.operand(*fold.step, k);
    if (from.peer < 0 || !fold.arrivals[k].in_parts) continue;
    const std::span<const std::byte> part = can_.streams->part(task_.route(from.peer, from.index));
    if (part.empty()) return std::nullopt;
    n = std::min(n, static_cast<std::int64_t>(part.size()));
    sides_[k + 1].assign({MemoryRange::of(nullptr, fold.folded), MemoryRange::of(part.data(), n)});
  }
  for (std::uint32_t k = 0; k < fold.step->operands; ++k) {
    if (task_.operand(*fold.step, k).peer < 0 || !fold.arrivals[k].in_parts) bring_side(fold, k);
  }
  own(fold.step->into, sides_[0]);
  return n;
}

void FoldRunner::release(const FoldStep& fold) {
  for (std::uint32_t k = 0; k < fold.operands; ++k) {
    const FoldOperand& from = task_.operand(fold, k);
    if (from.peer >= 0) channel_.release(task_.route(from.peer, from.index));
  }
}

// A single message that is only moved is a receive; all else combines or copies.
FoldKind FoldRunner::kind_of(const FoldStep& fold) const {
  if (fold.operands > 1) return FoldKind::combines;
  return fold.operands == 1 && task_.operand(fold, 0).peer >= 0 ? FoldKind::receives : FoldKind::copies;
}

}  // namespace tutti::runtime
