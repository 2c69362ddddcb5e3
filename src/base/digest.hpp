/// @file
/// A number for a text, or for a row of numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace tutti {

/// What digests begin with.
inline constexpr std::uint64_t digest_of_nothing = 0xcbf29ce484222325U;

/// The digest of what `digest` stands for and that value after it. Rows that differ have different digests, but by a
/// chance of 2^-64.
constexpr std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15U;
  return digest ^ digest >> 29;
}

/// FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine.
constexpr std::uint64_t digest_of(std::string_view text) {
  std::uint64_t hash = digest_of_nothing;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return hash;
}

}  // namespace tutti
