#include "schedule/known_patterns.hpp"

#include <algorithm>

namespace tutti {

KnownPatterns*& KnownPatterns::outermost() {
  static thread_local KnownPatterns* known = nullptr;
  return known;
}

KnownPatterns::KnownPatterns() : is_outermost_(outermost() == nullptr) {
  if (is_outermost_) outermost() = this;
}

KnownPatterns::~KnownPatterns() {
  if (is_outermost_) outermost() = nullptr;
}

const KnownPatterns::Known* KnownPatterns::find(const AlikeText& text, const Problem& unit,
                                                const Parameters& parameters) const {
  const auto found = std::find_if(patterns_.begin(), patterns_.end(), [&](const std::unique_ptr<const Known>& each) {
    return each->text == &text && each->parameters == parameters && each->unit == unit;
  });
  return found == patterns_.end() ? nullptr : found->get();
}

}  // namespace tutti
