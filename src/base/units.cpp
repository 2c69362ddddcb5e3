#include "base/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "base/check.hpp"

namespace tutti {
namespace {

struct Suffix {
  std::string_view name;
  double factor;
};

constexpr double kibi = 1024;
constexpr std::array byte_units{
    Suffix{"B", 1},
    Suffix{"KiB", kibi},
    Suffix{"MiB", kibi* kibi},
    Suffix{"GiB", kibi* kibi* kibi},
    Suffix{"TiB", kibi* kibi* kibi* kibi},
    Suffix{"PiB", kibi* kibi* kibi* kibi* kibi},
    Suffix{"K", kibi},
    Suffix{"k", kibi},
    Suffix{"M", kibi* kibi},
    Suffix{"G", kibi* kibi* kibi},
    Suffix{"T", kibi* kibi* kibi* kibi},
    Suffix{"P", kibi* kibi* kibi* kibi* kibi},
    Suffix{"kB", 1e3},
    Suffix{"KB", 1e3},
    Suffix{"MB", 1e6},
    Suffix{"GB", 1e9},
    Suffix{"TB", 1e12},
    Suffix{"PB", 1e15},
};
constexpr std::array time_units{
    Suffix{"ps", 1e-12}, Suffix{"ns", 1e-9}, Suffix{"us", 1e-6}, Suffix{"ms", 1e-3},
    Suffix{"s", 1},      Suffix{"min", 60},  Suffix{"h", 3600},
};

// So long that no machine has it, and so short that no sum or product of times, bytes and ranks overflows.
constexpr double longest_seconds = 1e9;
constexpr double shortest_seconds = 1e-30;  // but for none: quotients with sizes stay numbers

// The largest integer below which a double still tells whole bytes apart.
constexpr double largest_fraction = 9007199254740992.0;

struct Quantity {
  std::string_view number;
  const Suffix* unit;
};

// Splits "64KiB" into its number and its unit; no unit means the one of factor 1.
std::optional<Quantity> split(std::string_view text, std::span<const Suffix> units) {
  const std::size_t end = text.find_first_not_of("0123456789.+-eE");
  const std::string_view number = text.substr(0, end);
  const std::string_view name = end == std::string_view::npos ? "" : text.substr(end);
  for (const Suffix& unit : units) {
    if (unit.name == name || (name.empty() && unit.factor == 1)) return Quantity{number, &unit};
  }
  return std::nullopt;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Bytes> bytes_of(const Quantity& quantity) {
  const auto factor = static_cast<std::int64_t>(quantity.unit->factor);
  if (const auto whole = number_in<std::int64_t>(quantity.number)) {
    std::int64_t product = 0;
    if (*whole < 0 || __builtin_mul_overflow(*whole, factor, &product)) return std::nullopt;
    return Bytes{product};
  }
  const auto fraction = number_in<double>(quantity.number);
  if (!fraction) return std::nullopt;
  const double product = *fraction * quantity.unit->factor;
  if (!(product >= 0 && product <= largest_fraction) || product != std::floor(product)) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(product)};
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  const auto quantity = split(text, byte_units);
  const auto bytes = quantity ? bytes_of(*quantity) : std::nullopt;
  require(bytes.has_value(),
          "'{}' is not a size; write a whole number of bytes such as 8, 64KiB or 1.5GiB, less than 2^63", text);
  return *bytes;
}

Seconds parse_seconds(std::string_view text) {
  const auto quantity = split(text, time_units);
  const auto number = quantity ? number_in<double>(quantity->number) : std::nullopt;
  const double seconds = number ? *number * quantity->unit->factor : -1;
  require(std::isfinite(seconds) && seconds >= 0,
          "'{}' is not a time; write a number with a unit such as 1us, 0.1ns or 30s", text);
  require(seconds <= longest_seconds, "'{}' is too long; times go up to 1e9s, which is 31 years", text);
  require(seconds == 0 || seconds >= shortest_seconds, "'{}' is too short; times are 0s, or go down to 1e-30s", text);
  return Seconds{seconds};
}

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = number_in<std::int64_t>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most) {
  const auto value = whole_number(text, least, most);
  require(value.has_value(), "{} is a whole number from {} to {}, not '{}'", what, least, most, text);
  return *value;
}

std::string amount_of(std::int64_t elements, Unit unit) {
  if (unit == Unit::bytes) return text_of(Bytes{elements});
  return counted(elements, "element");
}

std::string counted(std::int64_t number, std::string_view noun, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", number, noun) : fmt::format("{} {}", number, plural);
}

std::string text_of(Bytes bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t k = 0;
  while (k + 1 < names.size() && bytes.count != 0 && bytes.count % 1024 == 0) {
    bytes.count /= 1024;
    ++k;
  }
  return fmt::format("{}{}", bytes.count, names[k]);
}

std::string text_of(Seconds seconds) {
  constexpr double rounds_up = 1 - 0.5e-4;  // in four digits
  const Suffix* unit = time_units.data();
  for (const Suffix& larger : time_units) {
    if (larger.factor <= 1 && seconds.count >= rounds_up * larger.factor) unit = &larger;
  }
  if (seconds.count == 0) return "0s";
  return fmt::format("{:.4g}{}", seconds.count / unit->factor, unit->name);
}

}  // namespace tutti
