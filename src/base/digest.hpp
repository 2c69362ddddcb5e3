/// @file
/// Hashes: a number for a text, for a row of numbers, or for a number whose bits are to look random.
#pragma once

#include <cstdint>
#include <string_view>

namespace tutti {

/// Digest of no bytes, with which every digest begins.
inline constexpr std::uint64_t digest_of_nothing = 0xcbf29ce484222325U;

/// The digest of what `digest` stands for and that value after it. Rows that differ have different digests, but by a
/// chance of 2^-64.
constexpr std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15U;
  return digest ^ digest >> 29;
}

/// Spreads the bits of a number over all 64, one to one: the finalizer of SplitMix64 (G. L. Steele Jr., D. Lea, C. H.
/// Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014, figure 14).
constexpr std::uint64_t spread(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
  return bits ^ bits >> 31;
}

/// FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine.
constexpr std::uint64_t digest_of(std::string_view text) {
  std::uint64_t hash = digest_of_nothing;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return hash;
}

}  // namespace tutti
