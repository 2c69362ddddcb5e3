#include "runtime/scratch.hpp"

#include <algorithm>

namespace tutti::runtime {
namespace {

// As many operations as are commonly in flight; what is more is given back to the system.
constexpr std::size_t most_kept = 16;

bool smaller(const Scratch& scratch, std::size_t bytes) { return scratch.bytes < bytes; }

}  // namespace

Scratch ScratchPool::take(std::size_t bytes) {
  const auto found = std::lower_bound(free_.begin(), free_.end(), bytes, smaller);
  if (found != free_.end()) {
    Scratch scratch = std::move(*found);
    free_.erase(found);
    return scratch;
  }
  return {decltype(Scratch::memory)(static_cast<std::byte*>(::operator new[](bytes, scratch_alignment))), bytes};
}

void ScratchPool::give(Scratch scratch) {
  if (scratch.memory == nullptr) return;
  if (free_.size() == most_kept) free_.erase(free_.begin());
  free_.insert(std::lower_bound(free_.begin(), free_.end(), scratch.bytes, smaller), std::move(scratch));
}

}  // namespace tutti::runtime
