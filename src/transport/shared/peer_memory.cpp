#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

void Leftovers::leave(const ControlSegment& control, std::vector<std::byte*> held, Owner owner) {
  const std::lock_guard lock(mutex_);
  left_.push_back({control, std::move(held), owner});
  // Release: this rank's reads of the others' memory come before they free it. Acquire: for the last one, the same.
  const std::int32_t before = control.header().left.fetch_add(1, std::memory_order_acq_rel);
  if (before + 1 == control.ranks()) tell();
}

// Release: who acquires the number, in SharedWorld::news(), finds all counted in `left` or `gone`.
void Leftovers::tell() const {
  if (run_ != nullptr) run_->departures.fetch_add(1, std::memory_order_release);
}

void Leftovers::sweep() {
  const std::lock_guard lock(mutex_);
  std::erase_if(left_, [&](Left& left) { return is_over(left); });
}

/// Whether nothing is left to be freed here; frees what can be.
bool Leftovers::is_over(Left& left) {
  ControlHeader& header = left.control.header();
  const int ranks = left.control.ranks();
  if (!left.is_freed) {
    // Acquire: pairs with leave() of all ranks.
    if (header.left.load(std::memory_order_acquire) < ranks) return false;
    for (std::byte* const memory : left.held) memory_.free(memory);
    left.is_freed = true;
    // Release: this rank's last look at the control segment, unless it is its own.
    const bool is_last = header.gone.fetch_add(1, std::memory_order_release) + 1 == ranks;
    if (left.owner == Owner::other) {
      if (is_last) tell();
      return true;
    }
  }
  // Acquire: pairs with the releases of all ranks.
  if (header.gone.load(std::memory_order_acquire) < ranks) return false;
  memory_.free(left.control.base());
  return true;
}

}  // namespace tutti::runtime
