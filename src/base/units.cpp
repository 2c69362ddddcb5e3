#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>

#include "base/check.hpp"
#include "base/text/real_number.hpp"

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

// Limits of times: no machine has a longer one, and no sum or product of such times with bytes and ranks overflows.
constexpr double longest_seconds = 1e9;
constexpr double shortest_seconds = 1e-30;  // but for none: quotients with sizes stay numbers

// The largest integer below which a double still tells whole bytes apart.
constexpr double largest_fraction = 9007199254740992.0;

struct Quantity {
  std::string_view number;
  const Suffix* unit;
};

// Spellings that are read and not printed: of the micro sign, and of the Greek letter.
constexpr std::array micro_units{Suffix{"µs", 1e-6}, Suffix{"μs", 1e-6}};

// Splits "64KiB" into its number and its unit; no unit means the one of factor 1.
std::optional<Quantity> split(std::string_view text, std::span<const Suffix> units) {
  const std::size_t end = text.find_first_not_of("0123456789.,+-eE");
  const std::string_view number = text.substr(0, end);
  const std::string_view name = end == std::string_view::npos ? "" : text.substr(end);
  for (const Suffix& unit : units) {
    if (unit.name == name || (name.empty() && unit.factor == 1)) return Quantity{number, &unit};
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the number without the commas that part its thousands; the text itself where a comma stands elsewhere, which
// is then no number.
std::string without_commas(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789,"), text.size());
  const std::size_t first = text.find(',');
  if (first == std::string_view::npos || first == 0 || first > 3 || (end - first) % 4 != 0) return std::string(text);
  std::string number;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool parts = k < end && k >= first && (k - first) % 4 == 0;
    if (parts != (text[k] == ',') || (k < end && !parts && !is_digit(text[k]))) return std::string(text);
    if (!parts) number += text[k];
  }
  return number;
}

std::from_chars_result read_number(const char* first, const char* last, std::int64_t& value) {
  return std::from_chars(first, last, value);
}

std::from_chars_result read_number(const char* first, const char* last, double& value) {
  return read_real(first, last, value);
}

template <typename Number>
std::optional<Number> number_in(std::string_view given) {
  const std::string text = without_commas(given);
  Number value{};
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
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
  if (!(product >= 0 && product < 0x1p63) || product != std::floor(product)) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(product)};
}

bool are_alike(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Returns what "1kb" may mean: "1kB (1000 bytes) or 1KiB (1024)"; empty where no unit differs from it in capitals alone.
std::string sizes_meant(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
  const std::string_view number = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  if (number.empty()) return {};
  for (const std::string_view prefix : {"k", "M", "G", "T", "P"}) {
    const std::string binary = prefix == "k" ? "KiB" : std::string(prefix) + "iB";
    const std::string decimal = std::string(prefix) + "B";
    if (!are_alike(unit, binary) && !are_alike(unit, decimal)) continue;
    return fmt::format("{0}{1} (powers of 1000) or {0}{2} (powers of 1024)", number, decimal, binary);
  }
  return are_alike(unit, "b") ? fmt::format("{}B", number) : std::string();
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  const auto quantity = split(text, byte_units);
  const auto bytes = quantity ? bytes_of(*quantity) : std::nullopt;
  if (const std::string meant = quantity ? "" : sizes_meant(text); !meant.empty())
    fail(ErrorCode::invalid_argument, "'{}' is not a size; write {}", text, meant);
  require(bytes.has_value(),
          "'{}' is not a size; write a whole number of bytes such as 8, 64KiB or 1.5GiB, less than 2^63", text);
  return *bytes;
}

Seconds parse_seconds(std::string_view text) {
  auto quantity = split(text, time_units);
  if (!quantity) quantity = split(text, micro_units);
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
  return plural.empty() ? fmt::format("{} {}s", grouped(number), noun) : fmt::format("{} {}", grouped(number), plural);
}

std::string grouped(std::int64_t number) {
  constexpr std::size_t longest_in_one = 4;
  std::string text = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  if (text.size() - sign <= longest_in_one) return text;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string text_of(Bytes bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr std::array quarters{"", ".25", ".5", ".75"};
  std::size_t k = 0;
  std::int64_t unit = 1;
  // Larger fractions would not be read back: they are no whole bytes in a double.
  const std::int64_t parts = static_cast<double>(bytes.count) <= largest_fraction ? 4 : 1;
  while (k + 1 < names.size() && bytes.count >= unit * 1024 && bytes.count % (unit * 1024 / parts) == 0) {
    unit *= 1024;
    ++k;
  }
  const std::int64_t rest = bytes.count % unit;
  return fmt::format("{}{}{}", grouped(bytes.count / unit),
                     quarters[rest == 0 ? 0 : static_cast<std::size_t>(rest / (unit / 4))], names[k]);
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
