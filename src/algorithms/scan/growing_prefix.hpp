/// @file
/// A result that is sent while it grows: what scans by distances share.
#pragma once

#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// A rank's result so far, which takes in what comes from lower ranks. A step may not write what it sends: the result
/// moves between the output and a place in scratch, so that it is in the output when all has come.
class GrowingPrefix {
 public:
  /// `growths`: how often it will take something in.
  GrowingPrefix(Script& me, const Slice& begin, int growths) : me_(me), place_(begin), left_(growths) {}

  /// Returns its place.
  const Slice& place() const { return place_; }
  /// Returns its place after the next growth.
  Slice next() const { return left_ % 2 == 1 ? me_.output() : me_.scratch(0, place_.count); }
  /// Puts before it what `from` sends, in this step.
  void grow(int from) {
    const Slice into = next();
    me_.receive_reduce(into, place_, from, Side::received_first);
    arrived(into);
  }
  /// Becomes what `from` sends.
  void begin(int from) {
    const Slice into = next();
    me_.receive(into, from);
    arrived(into);
  }

 private:
  void arrived(const Slice& into) {
    place_ = into;
    --left_;
  }

  Script& me_;
  Slice place_;
  int left_;
};

}  // namespace tutti::algorithms
