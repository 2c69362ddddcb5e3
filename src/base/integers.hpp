/// @file
/// Integer arithmetic that the textbook's formulas use.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace tutti {

/// The remainder in [0, n), also for negative `a`. Needs n > 0.
template <std::integral I>
constexpr I modulo(I a, I n) {
  const I remainder = a % n;
  return remainder < 0 ? remainder + n : remainder;
}

/// ceil(a / b) for a >= 0, b > 0.
template <std::integral I>
constexpr I ceil_divide(I a, I b) {
  return (a + b - 1) / b;
}

constexpr bool is_power_of_two(int p) { return p > 0 && (p & (p - 1)) == 0; }

/// ceil(log2 p), the least d with 2^d >= p. Needs p >= 1.
constexpr int ceil_log2(int p) { return std::bit_width(static_cast<unsigned>(p - 1)); }

/// floor(log2 p), the greatest d with 2^d <= p. Needs p >= 1.
constexpr int floor_log2(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }

/// The least power of two that is at least p. Needs 1 <= p <= 2^30.
constexpr int ceil_power_of_two(int p) { return 1 << ceil_log2(p); }

/// The greatest power of two that is at most p. Needs p >= 1.
constexpr int floor_power_of_two(int p) { return 1 << floor_log2(p); }

/// Returns how many of the numbers 0 .. n - 1 have `bit` set, a power of two. 0 for n <= 0.
constexpr std::int64_t count_with_bit(std::int64_t n, std::int64_t bit) {
  if (n <= 0) return 0;
  const std::int64_t rest = n % (2 * bit);
  return n / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

}  // namespace tutti
