/// @file
/// Handwritten digits, and how they are read from a file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace digits {

inline constexpr int pixels = 64;   ///< pixels of a picture, 8 rows of 8
inline constexpr int darkest = 16;  ///< grey values are 0 to 16
inline constexpr int kinds = 10;    ///< labels are 0 to 9

/// A picture, and what it shows.
struct Digit {
  std::array<std::uint8_t, pixels> grey;
  std::uint8_t label;
};
using Digits = std::vector<Digit>;

/// Reads a file of comma-separated values, plain or compressed with gzip: a digit a line, its grey values and its
/// label. Throws `tutti::Error(invalid_argument)`, with the line's number where a line is not that, and for a file that
/// is missing, empty or cut off.
Digits read(const std::string& path);

}  // namespace digits
