#include "schedule/known_blocks.hpp"

namespace tutti {

KnownBlocks*& KnownBlocks::innermost() {
  static thread_local KnownBlocks* known = nullptr;
  return known;
}

KnownBlocks::KnownBlocks(const Problem& problem) : problem_(&problem), around_(innermost()) {
  // An all-to-all has other blocks on every rank.
  if (problem.collective != Collective::all_to_all) blocks_ = Blocks::sized(problem.counts);
  innermost() = this;
}

KnownBlocks::~KnownBlocks() { innermost() = around_; }

const Blocks* KnownBlocks::of(const Problem& problem) {
  const KnownBlocks* const known = innermost();
  if (known == nullptr) return nullptr;
  const bool is_known = &problem == known->problem_ || (known->dual_ && &problem == &*known->dual_);
  return is_known ? &known->blocks_ : nullptr;
}

}  // namespace tutti
