/// @file
/// Sizes and times with their units: types that do not mix, their parsers and their printers.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti {

/// A size in bytes.
struct Bytes {
  std::int64_t count = 0;

  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

/// A duration in seconds.
struct Seconds {
  double count = 0;

  friend auto operator<=>(const Seconds&, const Seconds&) = default;
};

/// "64KiB", "16MiB", "1.5GiB", "64K", "100kB", "8B" or "8". As GNU's tools have it, binary prefixes (KiB, MiB, GiB,
/// TiB, PiB) and bare letters (K or k, M, G, T, P) are powers of 1024, units of decimal prefixes (kB or KB, MB, GB, TB,
/// PB) powers of 1000; a fraction must come to whole bytes. Commas may part thousands: "783,992".
/// Throws `Error(invalid_argument)` for anything else: an unknown unit, a negative, infinite or too large size.
Bytes parse_bytes(std::string_view text);

/// "1us", "0.1ns", "30s", "5min" or "2" (seconds). Units: ps, ns, us, ms, s, min, h.
/// Throws `Error(invalid_argument)` for anything else: an unknown unit, a negative or undefined time, above 1e9 s,
/// or below 1e-30 s and not 0.
Seconds parse_seconds(std::string_view text);

/// The whole number in [least, most] that the text is; nothing where it is none.
std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least, std::int64_t most);
/// Returns the number that the text spells. `what` begins the sentence of the `Error(invalid_argument)` thrown for
/// anything else.
std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most);

/// Noun for the elements of a problem.
enum class Unit : std::uint8_t {
  elements,
  bytes,  ///< elements of one byte each, for those who have asked by a size
};

/// "8 elements", "1 element", or "64KiB".
std::string amount_of(std::int64_t elements, Unit unit);

/// "1 message", "3 messages"; of a noun whose plural ends otherwise "1 switch", "3 switches" by `plural`.
std::string counted(std::int64_t number, std::string_view noun, std::string_view plural = {});

/// The number with commas between its thousands, from five digits on: "4096", "783,992".
std::string grouped(std::int64_t number);

/// In the largest binary unit of which the size is a number of quarters: "64KiB", "15.75MiB", "783,992B".
/// `parse_bytes` reads it back exactly.
std::string text_of(Bytes bytes);

/// In the unit that puts the number into [1, 1000), with four significant digits: "12.5us".
std::string text_of(Seconds seconds);

}  // namespace tutti
