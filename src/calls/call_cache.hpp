/// @file
/// Call cache: finds the prepared call of a shape that was called before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calls/algorithm_trial.hpp"
#include "calls/sizes.hpp"

namespace tutti::runtime {

/// The calls of one rank on one communicator. One whose shape is known is found by comparing a few words.
class CallCache {
 public:
  /// Caches calls of rank `rank` of `ranks`.
  CallCache(int rank, int ranks, PlanCache plans, PlanningHere here)
      : rank_(rank), ranks_(ranks), plans_(std::move(plans)), here_(std::move(here)) {}

  /// Checks all that this rank can see by itself. Throws `Error(invalid_argument)` or `Error(unsupported)`.
  const std::shared_ptr<const PreparedCall>& find(const untyped::Call& call) {
    // Most calls are like the one before, and leave all open.
    const bool is_plain = !call.by_counts && leaves_open(*call.options);
    if (last_->prepared != nullptr && is_plain && is_kept(call) && last_->key == key_of(call, 0))
      return last_->prepared;
    return look_up(call);
  }
  /// Returns the call once its counts have travelled: of a whole all-to-all by counts, or of each rank's block.
  std::shared_ptr<const PreparedCall> with_counts(const std::shared_ptr<const PreparedCall>& known,
                                                  std::vector<std::int64_t> counts);
  /// Returns the call that is run for that.
  const std::shared_ptr<const PreparedCall>& exchange(PreliminaryExchange what);

  PlanCache& plan_cache() { return plans_; }

  /// Returns how calls are planned that do not say it themselves.
  Planning planning() const { return set_ != Planning::inherited ? set_ : here_.planning; }
  void set_planning(Planning planning) {
    set_ = planning;
    forget_all();
  }
  /// The trial of a call has ended: calls of its shape are found again by the winner alone.
  void settle(AlgorithmTrial& algorithm_trial) {
    keep_winner(algorithm_trial, rank_ == 0);
    plans_.tell(algorithm_trial.call + "\n" + algorithm_trial.told + "\n");
    forget_all();
  }

 private:
  /// Key of a call: what tells it from another, but for counts and displacements.
  struct Key {
    /// The collective, what is true of the call, and its request: compared at once. The request is 0 where the call
    /// leaves the choice to the library; otherwise its options are requests_[request - 1].
    std::uint32_t what = 0;
    int root = 0;
    int distance = 0;
    std::int64_t input_size = -1;
    std::int64_t output_size = -1;
    std::uint64_t type = 0;
    std::uint64_t op = 0;

    friend bool operator==(const Key&, const Key&) = default;
    /// Returns the place of a call with this key, and with its counts.
    std::size_t place(const untyped::Call& call) const;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const PreparedCall> prepared;

    bool holds(const Key& other, const untyped::Call& call, int rank) const {
      return prepared != nullptr && key == other && (!call.by_counts || has_counts_of(*prepared, call, rank));
    }
  };
  static bool has_counts_of(const PreparedCall& prepared, const untyped::Call& call, int rank);
  static constexpr std::size_t entries = 64;
  /// A call whose counts have travelled, found again by these.
  struct Counted {
    std::shared_ptr<const PreparedCall> known;
    std::shared_ptr<const PreparedCall> prepared;
  };
  static constexpr std::size_t most_counted = 16;
  /// A call's options, kept: those of the call name its algorithm in memory of the caller's.
  struct KeptRequest {
    std::string algorithm;
    CollectiveOptions options;  ///< all but the algorithm
  };
  static constexpr std::size_t most_requests = 64;

  Key key_of(const untyped::Call& call, std::uint8_t request) const {
    const std::uint32_t what = static_cast<std::uint32_t>(call.collective) | std::uint32_t{call.in_place} << 8 |
                               std::uint32_t{call.read_only} << 9 | std::uint32_t{call.op.commutative} << 10 |
                               std::uint32_t{call.by_counts} << 11 | std::uint32_t{call.counts_at_root} << 12 |
                               std::uint32_t{!is_whole(call)} << 13 | std::uint32_t{request} << 16;
    return {what, call.root, call.distance, call.input_size, call.output_size, call.type.identity, call.op.identity};
  }
  static bool leaves_open(const CollectiveOptions& options) {
    return options.algorithm.empty() && options.segments == 0 && options.radix == 0 && options.grid.empty() &&
           options.planning == Planning::inherited;
  }
  /// Key::request of these options.
  std::uint8_t number_of(const CollectiveOptions& options);
  /// Whether calls like this one are found again. Where bytes are both read and written, the checks must say whether
  /// they may be.
  bool is_kept(const untyped::Call& call) const { return is_whole(call) || untyped::lies_in_own_block(call, rank_); }
  /// Whether no buffer is a part of the other.
  static bool is_whole(const untyped::Call& call) { return call.in_place || are_apart(call); }
  /// Whether no byte is both read and written.
  static bool are_apart(const untyped::Call& call) {
    const auto at = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
    const auto size = [&](std::int64_t count) { return static_cast<std::uintptr_t>(count) * call.type.size; };
    return at(call.input) + size(call.input_size) <= at(call.output) ||
           at(call.output) + size(call.output_size) <= at(call.input);
  }
  const std::shared_ptr<const PreparedCall>& look_up(const untyped::Call& call);
  std::shared_ptr<const PreparedCall> prepare(const untyped::Call& call);
  std::shared_ptr<const PreparedCall> finished(PreparedCall&& prepared);
  CompiledProgram compiled(const PreparedCall& prepared) const;
  Planning planning_of(const untyped::Call& call) const;
  bool is_open(const PreparedCall& prepared) const;
  void measure(PreparedCall& prepared, Planning planning);
  void remember(PreparedCall& prepared);
  void forget_all() {
    known_ = {};
    counted_ = {};
    last_ = known_.data();
  }

  int rank_;
  int ranks_;
  PlanCache plans_;
  PlanningHere here_;
  Planning set_ = Planning::inherited;
  AlgorithmTrials trials_;
  std::array<Entry, entries> known_;
  Entry* last_ = known_.data();
  std::vector<KeptRequest> requests_;
  std::array<Counted, most_counted> counted_;
  std::array<std::shared_ptr<const PreparedCall>, exchanges> exchanges_;  // by what they exchange
  std::shared_ptr<const PreparedCall> latest_;                            // latest call that is not kept
};

}  // namespace tutti::runtime
