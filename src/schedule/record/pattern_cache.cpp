#include "schedule/record/pattern_cache.hpp"

#include <algorithm>

namespace tutti {

const PatternCache::Pattern* PatternCache::find(const SymmetricAlgorithm& text, const Problem& unit,
                                                const Parameters& parameters) const {
  const auto found = std::find_if(patterns_.begin(), patterns_.end(), [&](const std::unique_ptr<const Pattern>& each) {
    return each->text == &text && each->parameters == parameters && each->unit == unit;
  });
  return found == patterns_.end() ? nullptr : found->get();
}

}  // namespace tutti
