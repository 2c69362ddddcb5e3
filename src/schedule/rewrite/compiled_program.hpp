/// @file
/// One rank's program, made ready to run: folds instead of chains, and messages with their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti {

/// Most messages between two ranks in one program; their numbers have that many places.
inline constexpr std::uint64_t most_messages = std::uint64_t{1} << 19;

/// A step that has more is not looked through for what can be stored where it is wanted.
inline constexpr std::uint32_t most_operations_of_a_step = 128;

/// Consecutive slices of the compiled program's pool.
struct SliceRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Send of a step: `index` counts its messages to that peer.
struct SendStep {
  int peer = 0;
  std::uint32_t index = 0;
  SliceRange slices;
  std::int64_t elements = 0;
  std::int32_t copy = -1;  ///< fold of its step that the receiver may do: see find_receiver_copies(); -1: none
};

/// Operand of a fold: slices of this rank's, or message `index` from a peer.
struct FoldOperand {
  int peer = -1;
  std::uint32_t index = 0;
  SliceRange slices;
};

/// into = operands from left to right. A chained fold begins when the one before it is done.
struct FoldStep {
  SliceRange into;
  std::int64_t elements = 0;
  std::uint32_t first_operand = 0;
  std::uint32_t operands = 0;
  bool chained = false;
  std::uint32_t first_onward = 0;  ///< sends of the next step that carry `into` as a whole, and nothing else
  std::uint32_t onward = 0;
};

/// A fold that only receives a message, into memory which nothing touches in the step before: whoever sends it may have
/// put it there by then. See find_direct_stores().
struct DirectStore {
  std::uint32_t fold = 0;
  bool is_sent = false;  ///< but for one message of that step, which carries just that memory to the same peer
};

/// Ranges of sends and folds that are in flight together.
struct CompiledStep {
  std::uint32_t first_send = 0;
  std::uint32_t sends = 0;
  std::uint32_t first_fold = 0;
  std::uint32_t folds = 0;
  std::uint32_t first_direct_store = 0;  ///< direct stores that the step after it fills
  std::uint32_t direct_stores = 0;
};

/// The first step of a phase that the text has given a name.
struct CompiledPhase {
  std::uint32_t step = 0;
  std::string_view name;
};

/// Program of one rank as steps of sends and folds: see compile().
struct CompiledProgram {
  std::span<const Slice> slices(const SliceRange& range) const { return {pool.data() + range.first, range.count}; }
  std::span<const SendStep> sends_of(const CompiledStep& step) const {
    return {sends.data() + step.first_send, step.sends};
  }
  std::span<const FoldStep> folds_of(const CompiledStep& step) const {
    return {folds.data() + step.first_fold, step.folds};
  }
  std::span<const FoldOperand> operands_of(const FoldStep& fold) const {
    return {operands.data() + fold.first_operand, fold.operands};
  }
  std::span<const DirectStore> direct_stores_of(const CompiledStep& step) const {
    return {direct_stores.data() + step.first_direct_store, step.direct_stores};
  }
  /// By their place among all sends.
  std::span<const std::uint32_t> onward_of(const FoldStep& fold) const {
    return {onward.data() + fold.first_onward, fold.onward};
  }

  std::vector<CompiledStep> steps;
  std::vector<SendStep> sends;
  std::vector<FoldStep> folds;
  std::vector<FoldOperand> operands;
  std::vector<DirectStore> direct_stores;
  std::vector<std::uint32_t> onward;
  std::vector<Slice> pool;
  std::vector<CompiledPhase> phases;  ///< in order; each lasts until the next one, the last to the end
  std::int64_t scratch = 0;           ///< elements
};

}  // namespace tutti
