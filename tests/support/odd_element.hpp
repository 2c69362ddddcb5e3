/// @file
/// Elements of any size, each of which tells by whom and for what it was made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::testing {

template <std::size_t Size>
struct OddElement {
  std::array<std::uint8_t, Size> bytes;
  friend bool operator==(const OddElement&, const OddElement&) = default;
};

/// The `count` elements of the message that `seed` stands for.
template <typename Element>
std::vector<Element> parcel(std::uint64_t seed, std::size_t count) {
  std::vector<Element> elements(count);
  std::uint64_t state = seed * 2862933555777941757U + 3037000493U;
  for (Element& element : elements) {
    for (std::uint8_t& byte : element.bytes) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<std::uint8_t>(state >> 56);
    }
  }
  return elements;
}

}  // namespace tutti::testing
