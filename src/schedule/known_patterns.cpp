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

Looks KnownPatterns::looks_since(const Looks& before) {
  const Looks& now = tutti::looks();
  return {now.at_grid - before.at_grid, now.at_segments - before.at_segments, now.at_radix - before.at_radix,
          now.at_layout - before.at_layout};
}

void KnownPatterns::add_looks(const Looks& more) {
  Looks& all = tutti::looks();
  all.at_grid += more.at_grid;
  all.at_segments += more.at_segments;
  all.at_radix += more.at_radix;
  all.at_layout += more.at_layout;
}

}  // namespace tutti
