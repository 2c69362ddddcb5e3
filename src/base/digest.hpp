/// @file
/// A number for a text.
#pragma once

#include <cstdint>
#include <string_view>

namespace tutti {

/// FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine.
constexpr std::uint64_t digest_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return hash;
}

}  // namespace tutti
