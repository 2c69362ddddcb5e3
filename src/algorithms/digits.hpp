/// @file
/// Numbers of ranks in base k: what algorithms with a radix share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/integers.hpp"

namespace tutti::algorithms {

/// The numbers 0 .. p - 1 written in base k. They form a k-nomial tree: the parent of v is v with its lowest digit that
/// is not 0 cleared, so that v heads the numbers [v, v + weight of that digit), cut off at p.
///
/// Needs p >= 1, k >= 2.
class Digits {
 public:
  Digits(int numbers, int base) : numbers_(numbers), base_(base) {
    while (top_ < ceil_divide(numbers, base)) top_ *= base;
  }

  int size() const { return numbers_; }
  int base() const { return base_; }
  /// The weight of the highest digit: the largest power of k below p, or 1.
  int top() const { return top_; }
  int digit(int v, int weight) const { return v / weight % base_; }
  /// The weight of the lowest digit of v that is not 0. Needs v > 0.
  int lowest(int v) const {
    int weight = 1;
    while (digit(v, weight) == 0) weight *= base_;
    return weight;
  }
  /// Returns how many digits of v are not 0.
  int nonzero(int v) const {
    int n = 0;
    for (; v > 0; v /= base_) n += v % base_ == 0 ? 0 : 1;
    return n;
  }
  /// Returns how many of the numbers have that digit.
  std::int64_t with_digit(std::int64_t weight, std::int64_t value) const {
    const std::int64_t period = weight * base_;
    return numbers_ / period * weight + std::clamp<std::int64_t>(numbers_ % period - value * weight, 0, weight);
  }
  /// Returns how many values but 0 the digit of that weight takes if all lower digits are 0: k - 1, or at the top as
  /// many as stay below p.
  int values(int weight) const { return weight < top_ ? base_ - 1 : ceil_divide(numbers_, top_) - 1; }
  /// values() of all weights together: (L - 1)(k - 1) + ceil(p / k^(L-1)) - 1 for L digits.
  std::int64_t all_values() const {
    std::int64_t sum = 0;
    for (int weight = top_; weight > 0; weight /= base_) sum += values(weight);
    return sum;
  }
  /// Calls `see(weight, value)` for each of them, lowest digits first.
  template <typename See>
  void for_each_value(See&& see) const {
    for (int weight = 1;; weight *= base_) {
      for (int value = 1; value <= values(weight); ++value) see(weight, value);
      if (weight == top_) return;
    }
  }

 private:
  int numbers_;
  int base_;
  int top_ = 1;
};

}  // namespace tutti::algorithms
