/// @file
/// Calls that were prepared, found again by what they were called with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "calls/measuring.hpp"
#include "calls/prepared_call.hpp"

namespace tutti::runtime {

/// The calls of one rank on one communicator. One whose shape is known is found by comparing a few words.
class CallCache {
 public:
  /// Of rank `rank` of `ranks`.
  CallCache(int rank, int ranks, Recipes recipes, PlanningHere here)
      : rank_(rank), ranks_(ranks), recipes_(std::move(recipes)), here_(std::move(here)) {}

  /// Checks all that this rank can see by itself. Throws `Error(invalid_argument)` or `Error(unsupported)`.
  const std::shared_ptr<const PreparedCall>& find(const untyped::Call& call) {
    // Most calls are like the one before.
    if (last_->prepared != nullptr && is_plain(call) && last_->key == key_of(call)) return last_->prepared;
    return look_up(call);
  }
  /// The same for a call whose counts have travelled: of a whole all-to-all by counts, of what this rank alone sends
  /// and gets in it (2p counts), or of each rank's block.
  std::shared_ptr<const PreparedCall> with_counts(const PreparedCall& known, std::vector<std::int64_t> counts);
  /// What is run for that.
  const std::shared_ptr<const PreparedCall>& exchange(Exchange what);

  Recipes& recipes() { return recipes_; }

  /// How calls are planned that do not say it themselves.
  Planning planning() const { return set_ != Planning::inherited ? set_ : here_.planning; }
  void set_planning(Planning planning) {
    set_ = planning;
    forget_plain();
  }
  /// The trial of a call has ended: calls of its shape are found again by the winner alone.
  void settle(Measured& measured) {
    keep_winner(measured, rank_ == 0);
    recipes_.tell(measured.call + "\n" + measured.told + "\n");
    forget_plain();
  }

 private:
  /// What tells one plain call from another: one that leaves the choice to the library and has no counts.
  struct Key {
    Collective collective = Collective::barrier;
    bool in_place = false;
    bool read_only = false;
    bool commutative = true;
    int root = 0;
    int distance = 0;
    std::int64_t input_size = -1;
    std::int64_t output_size = -1;
    std::uint64_t type = 0;
    std::uint64_t op = 0;

    friend bool operator==(const Key&, const Key&) = default;
    std::size_t place() const;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const PreparedCall> prepared;
  };
  static constexpr std::size_t entries = 64;
  /// Up to here every rank learns all counts of an all-to-all, so that it may go by algorithms that pass blocks on; the
  /// counts are p² of them.
  static constexpr int most_ranks_told_all = 8;

  static Key key_of(const untyped::Call& call) {
    return {call.collective, call.in_place,   call.read_only,   call.op.commutative, call.root,
            call.distance,   call.input_size, call.output_size, call.type.identity,  call.op.identity};
  }
  static bool is_plain(const untyped::Call& call) {
    return !call.by_counts && call.options->algorithm.empty() && call.options->segments == 0 &&
           call.options->radix == 0 && call.options->grid.empty() && call.options->planning == Planning::inherited &&
           (call.in_place || are_apart(call));
  }
  /// Whether no byte is both read and written. Where some are, the checks must say whether they may.
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
  void forget_plain() {
    known_ = {};
    last_ = known_.data();
  }

  int rank_;
  int ranks_;
  Recipes recipes_;
  PlanningHere here_;
  Planning set_ = Planning::inherited;
  Measurings measurings_;
  std::array<Entry, entries> known_;
  Entry* last_ = known_.data();
  std::array<std::shared_ptr<const PreparedCall>, exchanges> exchanges_;  // by what they exchange
  std::shared_ptr<const PreparedCall> latest_;                            // of a call that is not plain
};

}  // namespace tutti::runtime
