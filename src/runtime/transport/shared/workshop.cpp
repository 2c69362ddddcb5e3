#include "runtime/transport/shared/workshop.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "runtime/transport/fold_here.hpp"

namespace tutti::runtime {
namespace {

/// From here on a fold is worth being cut into chunks that others may claim: a chunk takes longer than claiming it.
constexpr std::int64_t shared_from = 64 * 1024;
constexpr std::int64_t least_chunk = 16 * 1024;
constexpr std::int64_t largest_chunk = 256 * 1024;
/// What is brought here from another process before it is combined; operands together stay in the second-level cache.
constexpr std::int64_t stage_bytes = 64 * 1024;

}  // namespace

bool Workshop::carry_out(const Fold& fold, const Combination& how, int lane) {
  const std::int64_t total = fold.into.bytes;
  // The user's own operators are not shared: they may throw, and only their rank's caller may be told.
  const bool library = how.op == nullptr || how.op->state == nullptr;
  if (library && memory_.reaches_private() && total >= shared_from && fold.operands.size() <= Ticket::most_operands) {
    return share(fold, how, block_.ticket(rank_, lane));
  }
  return fold_part(fold, how, 0, total, stores_for(total));
}

TellStretch Workshop::told(const Stretch& stretch) const {
  return {stretch.here ? memory_.address_of(stretch.pointer()) : stretch.address, stretch.bytes};
}

bool Workshop::share(const Fold& fold, const Combination& how, Ticket& ticket) {
  // Sequentially consistent, after the store to `open` that closed the last work: see Ticket.
  while (ticket.helpers.load(std::memory_order_seq_cst) != 0) {
    if (someone_is_lost()) return false;
    std::this_thread::yield();
  }
  const std::int64_t total = fold.into.bytes;
  const std::int64_t chunk = std::clamp(total / 8, least_chunk, largest_chunk) / how.element_size * how.element_size;
  ticket.bytes = total;
  ticket.chunk = std::max(chunk, how.element_size);
  ticket.operands = static_cast<std::int32_t>(fold.operands.size());
  ticket.into = told(fold.into);
  for (std::size_t k = 0; k < fold.operands.size(); ++k) {
    ticket.from[k] = told(fold.operands[k]);
    ticket.from_rank[k] = fold.operands[k].rank < 0 ? rank_ : fold.operands[k].rank;
  }
  // Relaxed: published by `open`.
  ticket.claimed.store(0, std::memory_order_relaxed);
  ticket.done.store(0, std::memory_order_relaxed);
  tickets_ += 1;
  ticket.open.store(tickets_, std::memory_order_release);
  const bool reached = work(ticket, fold, how);
  // Acquire: what helpers have written is there.
  for (int idle = 0; reached && ticket.done.load(std::memory_order_acquire) < total; ++idle) {
    if (idle % 64 == 63 && someone_is_lost()) break;
    std::this_thread::yield();
  }
  const bool complete = ticket.done.load(std::memory_order_acquire) == total;
  ticket.open.store(0, std::memory_order_seq_cst);
  return complete;
}

bool Workshop::work(Ticket& ticket, const Fold& fold, const Combination& how) {
  const detail::Stores stores = stores_for(ticket.bytes);
  for (;;) {
    // Relaxed: claiming orders nothing; whoever claims has read the work already.
    const std::int64_t first = ticket.claimed.fetch_add(ticket.chunk, std::memory_order_relaxed);
    if (first >= ticket.bytes) return true;
    const std::int64_t n = std::min(ticket.chunk, ticket.bytes - first);
    if (!fold_part(fold, how, first, n, stores)) return false;
    // Release: publishes what was written.
    ticket.done.fetch_add(n, std::memory_order_release);
  }
}

void Workshop::help(int peer, int lane, const Combination& how) {
  Ticket& ticket = block_.ticket(peer, lane);
  // Acquire: pairs with the release in share().
  const std::uint64_t open = ticket.open.load(std::memory_order_acquire);
  if (open == 0) return;
  // Sequentially consistent, both: see Ticket.
  ticket.helpers.fetch_add(1, std::memory_order_seq_cst);
  if (ticket.open.load(std::memory_order_seq_cst) == open && ticket.claimed.load() < ticket.bytes) {
    const auto here = [&](const TellStretch& told, int rank) {
      if (std::byte* const pointer = memory_.pointer_to(told.address)) return Stretch::of(pointer, told.bytes);
      return Stretch{told.address, told.bytes, rank, rank == rank_};
    };
    std::vector<Stretch> operands;
    for (std::int32_t k = 0; k < ticket.operands; ++k) {
      const auto at = static_cast<std::size_t>(k);
      operands.push_back(here(ticket.from[at], ticket.from_rank[at]));
    }
    work(ticket, {here(ticket.into, peer), operands}, how);
  }
  // Release: the work was read before its owner writes it anew.
  ticket.helpers.fetch_sub(1, std::memory_order_release);
}

bool Workshop::fold_part(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                         detail::Stores stores) {
  const bool all_here = fold.into.here && std::all_of(fold.operands.begin(), fold.operands.end(),
                                                      [](const Stretch& operand) { return operand.here; });
  const auto size = static_cast<std::size_t>(bytes);
  if (!all_here) {
    if (fold.operands.size() == 1 && fold.into.here) {
      const Stretch& from = fold.operands.front();
      return memory_.read(member(from.rank), from.address + static_cast<std::uint64_t>(first),
                          fold.into.pointer() + first, size);
    }
    if (fold.operands.size() == 1 && fold.operands.front().here) {
      return memory_.write(member(fold.into.rank), fold.into.address + static_cast<std::uint64_t>(first),
                           fold.operands.front().pointer() + first, size);
    }
    return fold_through_stage(fold, how, first, bytes);
  }
  fold_here(fold, how, first, bytes, stores, pointers_);
  return true;
}

// A part at a time: brings what lies elsewhere, combines, takes the result to where it belongs.
bool Workshop::fold_through_stage(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes) {
  const std::int64_t step = std::max(stage_bytes / how.element_size, std::int64_t{1}) * how.element_size;
  const std::size_t parts = fold.operands.size() + 1;
  stage_.resize(parts * static_cast<std::size_t>(step) + 64);
  void* aligned = stage_.data();
  std::size_t space = stage_.size();
  std::align(64, parts * static_cast<std::size_t>(step), aligned, space);
  for (std::int64_t at = first; at < first + bytes; at += step) {
    const std::int64_t n = std::min(step, first + bytes - at);
    std::byte* stage = static_cast<std::byte*>(aligned);
    bool reached = true;
    pointers_.clear();
    for (const Stretch& operand : fold.operands) {
      pointers_.push_back(brought(operand.part(at, n), stage, reached));
      stage += step;
    }
    if (!reached) return false;
    std::byte* const result = fold.into.here ? fold.into.pointer() + at : stage;
    if (pointers_.size() == 1) {
      std::memcpy(result, pointers_.front(), static_cast<std::size_t>(n));
    } else {
      how.op->kernel(result, pointers_.data(), static_cast<int>(pointers_.size()), n / how.element_size,
                     detail::Stores::cached, how.op->state.get());
    }
    if (!fold.into.here && !memory_.write(member(fold.into.rank), fold.into.address + static_cast<std::uint64_t>(at),
                                          result, static_cast<std::size_t>(n))) {
      return false;
    }
  }
  return true;
}

const void* Workshop::brought(const Stretch& from, std::byte* stage, bool& reached) const {
  if (from.here) return from.pointer();
  reached = reached && memory_.read(member(from.rank), from.address, stage, static_cast<std::size_t>(from.bytes));
  return stage;
}

bool Workshop::someone_is_lost() const {
  memory_.watch();
  return std::any_of(members_.begin(), members_.end(), [&](int rank) { return memory_.lost(rank); });
}

}  // namespace tutti::runtime
