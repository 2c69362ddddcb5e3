/// @file
/// Contributions whose every element tells its rank and place, and an operator that keeps order.
#pragma once

#include <cstdint>
#include <vector>

namespace tutti::testing {

/// The map x -> scale · x + offset modulo 2^32. Composition is associative and does not commute: it shows any wrong
/// order.
struct Affine {
  std::uint32_t scale;
  std::uint32_t offset;

  friend bool operator==(const Affine&, const Affine&) = default;
};

/// First `a`, then `b`.
struct Compose {
  Affine operator()(const Affine& a, const Affine& b) const {
    return {b.scale * a.scale, b.scale * a.offset + b.offset};
  }
};

/// A well mixed number: SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

inline std::uint64_t mixed(std::uint64_t seed, int rank, std::int64_t element) {
  return mixed(mixed(seed * 1000003U + static_cast<std::uint64_t>(rank)) + static_cast<std::uint64_t>(element));
}

/// Returns the contribution of `rank` as element number `element`. Small numbers, so that floating-point sums are
/// exact.
template <typename T>
T contribution(std::uint64_t seed, int rank, std::int64_t element) {
  return static_cast<T>(static_cast<std::uint8_t>(mixed(seed, rank, element) % 50));
}

template <>
inline std::int64_t contribution(std::uint64_t seed, int rank, std::int64_t element) {
  return static_cast<std::int64_t>(mixed(seed, rank, element));
}

template <>
inline Affine contribution(std::uint64_t seed, int rank, std::int64_t element) {
  const std::uint64_t bits = mixed(seed, rank, element);
  return {static_cast<std::uint32_t>(bits) | 1U, static_cast<std::uint32_t>(bits >> 32)};
}

template <typename T>
std::vector<T> contributions(std::uint64_t seed, int rank, std::int64_t count) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(contribution<T>(seed, rank, i));
  return values;
}

}  // namespace tutti::testing
