/// @file
/// Context of recordings: memory and results that one recording leaves to the next.
#pragma once

#include <cstdint>
#include <optional>

#include "schedule/model/problem.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "schedule/record/parameter_access.hpp"
#include "schedule/record/pattern_cache.hpp"
#include "schedule/record/recording_pool.hpp"

namespace tutti {

/// Context that recording and pricing are given. Programs and prices do not depend on it, but the time that they take
/// does: where many choices are priced, a rank after the other, the same lists, blocks and patterns are needed again
/// and again. It also counts what texts look at. Whoever records once takes a fresh one. For one thread at a time;
/// outlives what is made with it.
class RecordingContext {
 public:
  /// Treatment of patterns of symmetric algorithms. Those that are kept are found again by their texts, which must
  /// neither change nor go while the context lives.
  enum class Patterns : std::uint8_t { made_anew, kept };

  explicit RecordingContext(Patterns patterns = Patterns::made_anew) {
    if (patterns == Patterns::kept) patterns_.emplace();
  }
  RecordingContext(const RecordingContext&) = delete;
  RecordingContext& operator=(const RecordingContext&) = delete;

  RecordingPool& pool() { return pool_; }
  /// Returns the patterns that are kept; null if none are.
  PatternCache* patterns() { return patterns_ ? &*patterns_ : nullptr; }
  /// Returns the counts of accesses by texts.
  ParameterAccess& access() { return access_; }
  /// Returns the blocks of the problem that is recorded for many ranks; null outside of a ProblemScope.
  BlockCache* blocks() { return blocks_; }

 private:
  friend class ProblemScope;

  RecordingPool pool_;
  std::optional<PatternCache> patterns_;
  ParameterAccess access_;
  BlockCache* blocks_ = nullptr;
};

/// Scope in which a problem is recorded for many ranks: its counts are summed, and its dual problem is made, once and
/// not once a rank. The problem must neither change meanwhile nor go. Of scopes within one another the innermost holds.
class ProblemScope {
 public:
  ProblemScope(RecordingContext& context, const Problem& problem)
      : context_(context), blocks_(problem), around_(context.blocks_) {
    context_.blocks_ = &blocks_;
  }
  ~ProblemScope() { context_.blocks_ = around_; }
  ProblemScope(const ProblemScope&) = delete;
  ProblemScope& operator=(const ProblemScope&) = delete;

 private:
  RecordingContext& context_;
  BlockCache blocks_;
  BlockCache* around_;  // blocks of the scope that this one is in
};

}  // namespace tutti
