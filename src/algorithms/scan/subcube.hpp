/// @file
/// Totals of subcubes, and those among them that are worth sending: both scans by recursive doubling share this file.
///
/// After k rounds the ranks that agree in all but their k lowest bits form a subcube of 2^k ranks, each of which may
/// hold the subcube's total. Round k sends it across bit k: upwards it enters the results of the upper half, downwards
/// only the lower half's next total. So rank r needs its subcube's total for one thing: to send it up, now or later,
/// itself or through the ranks that take it from r. Follow r's bits from k: past set bits the total goes on with the
/// rank that has that bit cleared; at the first clear bit j it goes up, if rank r with bits k .. j-1 cleared and bit j
/// set exists. That rank is r + 2^k. Hence:
///
///     rank r needs the total of its subcube of 2^k ranks if and only if r + 2^k < p.
///
/// Such a subcube is complete, so the total of a cut-off subcube is never needed, and any p works.
#pragma once

#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// The total of this rank's subcube, which doubles with every round. It begins as the rank's input and lies in scratch
/// later: two places of `count` elements by turns, from the beginning of scratch on.
class SubcubeTotal {
 public:
  SubcubeTotal(Script& me, std::int64_t count) : me_(me), count_(count), place_(me.input()) {}

  const Slice& place() const { return place_; }
  /// Whether this rank needs the total of its subcube of `size` ranks, a power of two.
  bool needed(int size) const { return me_.rank() + size < me_.size(); }
  /// The place in scratch that does not hold the total.
  Slice spare() {
    const bool first_taken = place_.buffer == Buffer::scratch && place_.first == 0;
    return me_.scratch(first_taken ? count_ : 0, count_);
  }

  /// The round across `bit` of a rank without it: its total goes up, and the partner's comes down where it is needed.
  void exchange_with_upper_half(int bit) {
    if (!needed(bit)) return;
    const int partner = me_.rank() + bit;
    me_.send(place_, partner);
    if (needed(2 * bit)) {
      const Slice next = spare();
      me_.receive_reduce(next, place_, partner);
      place_ = next;
    }
    me_.wait();
  }

  /// The total becomes `earlier`, the lower half's, combined with it.
  void put_before(const Slice& earlier) {
    const Slice next = place_.buffer == Buffer::scratch ? place_ : spare();
    me_.reduce(next, earlier, place_);
    place_ = next;
  }
  /// The total is the same as the value that lies there.
  void lies_at(const Slice& place) { place_ = place; }

 private:
  Script& me_;
  std::int64_t count_;
  Slice place_;
};

/// The traffic of either scan. In the round across a bit every rank with it receives a total, and so does every rank
/// without it that needs the next total.
Traffic subcube_scan_traffic(int ranks, std::int64_t count);

}  // namespace tutti::algorithms
