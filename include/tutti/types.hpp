/// @file
/// Element types that C++20 lacks: 16-bit floating point, and a value with its location.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tutti {

namespace detail {

/// `value` without its `shift` lowest bits, rounded to the nearest, ties to even.
constexpr std::uint32_t round_off(std::uint32_t value, int shift) {
  const std::uint32_t half = (std::uint32_t{1} << (shift - 1)) - 1;
  const std::uint32_t odd = (value >> shift) & 1;
  return (value + half + odd) >> shift;
}

}  // namespace detail

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Storage only: arithmetic is done in float. Conversion
/// from float rounds to the nearest value, ties to even; beyond 65504 it gives infinity; NaN stays NaN. Members that
/// name neither errors nor cost have no errors and take constant time.
class float16 {
 public:
  float16() = default;
  /// Converts from float and to float: the first rounds, the second is exact.
  constexpr explicit float16(float value) : bits_(encode(value)) {}
  constexpr operator float() const { return decode(bits_); }  // NOLINT: a float16 is a float wherever one is wanted

  /// Returns the number that these bits stand for.
  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result(0.0F);
    result.bits_ = bits;
    return result;
  }
  /// Returns the bits of the number.
  constexpr std::uint16_t bits() const { return bits_; }

 private:
  static constexpr std::uint16_t encode(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    std::uint32_t result = 0;
    if (magnitude > 0x7f800000U) {
      result = 0x7e00U | ((magnitude >> 13) & 0x1ffU);  // a quiet NaN that keeps the payload's upper bits
    } else if (magnitude >= 0x47800000U) {
      result = 0x7c00U;  // 2^16 and more
    } else if (magnitude >= 0x38800000U) {
      result = detail::round_off(magnitude - 0x38000000U, 13);  // may carry into the exponent, up to infinity
    } else if (magnitude >= 0x33000000U) {
      const std::uint32_t exponent = magnitude >> 23;  // below 2^-14: a multiple of 2^-24
      result = detail::round_off((magnitude & 0x7fffffU) | 0x800000U, static_cast<int>(126 - exponent));
    }
    return static_cast<std::uint16_t>(sign | result);
  }

  static constexpr float decode(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    if (exponent == 0) {
      const float tiny = static_cast<float>(fraction) * 0x1p-24F;
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(tiny) | sign);
    }
    const std::uint32_t rebased = exponent == 0x1f ? 0xffU : exponent + 112;
    return std::bit_cast<float>(sign | (rebased << 23) | (fraction << 13));
  }

  std::uint16_t bits_;
};

/// bfloat16: the upper half of a float, 1 sign, 8 exponent and 7 fraction bits. Storage only: arithmetic is done in
/// float. Conversion from float rounds to the nearest value, ties to even; NaN stays NaN. Members that name neither
/// errors nor cost have no errors and take constant time.
class bfloat16 {
 public:
  bfloat16() = default;
  /// Converts from float and to float: the first rounds, the second is exact.
  constexpr explicit bfloat16(float value) : bits_(encode(value)) {}
  constexpr operator float() const {  // NOLINT: a bfloat16 is a float wherever one is wanted
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

  /// Returns the number that these bits stand for.
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result(0.0F);
    result.bits_ = bits;
    return result;
  }
  /// Returns the bits of the number.
  constexpr std::uint16_t bits() const { return bits_; }

 private:
  static constexpr std::uint16_t encode(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
    return static_cast<std::uint16_t>(nan ? (bits >> 16) | 0x40U : detail::round_off(bits, 16));
  }

  std::uint16_t bits_;
};

/// A value and where it is: a rank, an index. For min_location and max_location.
template <typename T>
struct Located {
  T value;                ///< compared by min_location and max_location
  std::int64_t location;  ///< place of the value, such as a rank; the lower one wins a tie

  friend bool operator==(const Located&, const Located&) = default;
};

}  // namespace tutti
