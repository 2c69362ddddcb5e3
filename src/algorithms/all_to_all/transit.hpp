/// @file
/// Blocks on their way through other ranks: where the store-and-forward algorithms for all-to-all keep them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/digits.hpp"
#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// The elements of every block of an all-to-all; nothing where they differ.
inline std::optional<std::int64_t> equal_count(const Problem& problem) {
  return has_equal_blocks(problem) ? std::optional(problem.count) : std::nullopt;
}

/// A rank's bundles of blocks in numbered slots. In every round the bundles of some slots leave, and bundles from
/// another rank take over these slots. They are sent from where they lie and received where they will be sent from, so
/// nothing is rearranged. Places in scratch are used again when the round that empties them has ended. Where messages
/// alone are recorded and all bundles have one length, they have no places, and are counted.
class Transit {
 public:
  /// `bundle` is how many elements each bundle has, nothing where they differ; `scratch_base` is where the scratch that
  /// others leave free begins.
  Transit(Script& me, int slots, std::optional<std::int64_t> bundle, std::int64_t scratch_base = 0)
      : me_(me), end_(scratch_base) {
    if (me.detail() == Detail::messages) counted_ = bundle;
    if (has_places()) bundles_.resize(static_cast<std::size_t>(slots));
  }

  /// Whether bundles lie anywhere: else nobody asks where.
  bool has_places() const { return !counted_; }
  /// Returns the place of the bundle in a slot.
  Message& operator[](int slot) { return bundles_[static_cast<std::size_t>(slot)]; }
  /// A place in scratch that no bundle takes.
  Slice place(std::int64_t elements);
  /// One round: the bundles of `slots` go to rank `to`; those from rank `from` go to the places that `arrival(slot)`
  /// gives.
  void exchange(const std::vector<int>& slots, int to, int from, const std::function<Message(int slot)>& arrival);

 private:
  Script& me_;
  std::optional<std::int64_t> counted_;  // the elements of every bundle
  std::vector<Message> bundles_;
  std::vector<Slice> free_;
  std::int64_t end_;  // end of the scratch taken so far
};

/// Bruck's exchange among the ranks that `numbers` counts, of which this is number `me`. Slot i holds at first what is
/// for rank me + i, at last what is from rank me - i; digit after digit of i, the slots whose digit has a value go that
/// far upwards.
///
/// `rank_of` gives the rank of a number, `arrival(origin, destination)` the place for a bundle, both as numbers.
/// Traffic: numbers.all_values() messages a rank; for each value of a digit those i < n that have it. A bundle goes
/// once for every digit of i that is not 0.
void bruck_exchange(Transit& transit, const Digits& numbers, int me, const std::function<int(int number)>& rank_of,
                    const std::function<Message(int origin, int destination)>& arrival);

}  // namespace tutti::algorithms
