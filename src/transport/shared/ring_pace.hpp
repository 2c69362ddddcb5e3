/// @file
/// Pace of messages to a peer through rings, by which a sender knows how far apart the two cores are.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tutti::runtime {

/// Pace of one sender's messages to one peer that went through a ring.
///
/// A sender writes into lines that its peer has read last. Cores that share a cache hand them over in a few
/// nanoseconds; others, and virtual machines move their cores at any time, take several times as long, so that the
/// system copies a message sooner (docs/measurements/streams.csv, rings.csv). Each message that is put in at once
/// tells: after `slow_in_a_row` slow ones, messages go by the system, but for one of `probed` that looks again.
class RingPace {
 public:
  /// Whether the next message had better go through a ring.
  bool lets_through() { return slow_ < slow_in_a_row || --until_probe_ <= 0; }

  /// A message of `bytes` was put into its ring in that time. A few slow ones may have been interrupted, or the first in
  /// their rings, whose pages the system had to make.
  void note(std::int64_t bytes, std::chrono::nanoseconds time) {
    const bool was_slow = static_cast<double>(time.count()) > slow_byte * static_cast<double>(bytes);
    slow_ = was_slow ? std::min(slow_ + 1, slow_in_a_row) : 0;
    until_probe_ = probed;
  }

 private:
  static constexpr double slow_byte = 0.4;  // nanoseconds, 2.5 GB/s: near cores take 0.05 to 0.2, far ones 0.5
  static constexpr int slow_in_a_row = 8;
  static constexpr int probed = 64;

  int slow_ = 0;
  int until_probe_ = 0;
};

}  // namespace tutti::runtime
