/// @file
/// A fuzzer's bytes, read as small numbers until they run out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool empty() const { return at_ == end_; }
  /// 0 once nothing is left.
  int next() { return empty() ? 0 : *at_++; }
  /// In [least, most], for at most 256 values.
  int between(int least, int most) { return least + next() % (most - least + 1); }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace tutti::fuzz
