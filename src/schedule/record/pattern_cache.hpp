/// @file
/// Pattern cache: programs of rank 0 from which those of symmetric ranks are made, recorded once for all ranks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "schedule/model/parameters.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/parameter_access.hpp"

namespace tutti {

struct SymmetricAlgorithm;

/// Patterns by text, problem and parameters. Where many choices are priced, a rank after the other, the same stages come
/// again and again. Texts must neither change nor go while the cache lives.
class PatternCache {
 public:
  /// A program of rank 0, and what its text looked at as it was recorded.
  struct Pattern {
    const SymmetricAlgorithm* text;
    Problem unit;  ///< with one element in every block
    Parameters parameters;
    ParameterAccess access;
    Program program;
  };

  PatternCache() = default;
  PatternCache(const PatternCache&) = delete;
  PatternCache& operator=(const PatternCache&) = delete;

  /// Returns the pattern of the text for the problem; null where none is kept. It stays as long as the cache does.
  const Pattern* find(const SymmetricAlgorithm& text, const Problem& unit, const Parameters& parameters) const;
  const Pattern& keep(Pattern pattern) {
    return *patterns_.emplace_back(std::make_unique<const Pattern>(std::move(pattern)));
  }

 private:
  std::vector<std::unique_ptr<const Pattern>> patterns_;
};

}  // namespace tutti
