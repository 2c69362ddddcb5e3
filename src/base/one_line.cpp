#include "base/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tutti {
namespace {

struct Named {
  char character;
  std::string_view escape;
};

constexpr std::array named{Named{'\n', "\\n"}, Named{'\r', "\\r"}, Named{'\t', "\\t"}};

std::string escaped(char character) {
  for (const Named& each : named) {
    if (each.character == character) return std::string(each.escape);
  }
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
}

// How long the escapable character beyond ASCII is that the text begins with, in UTF-8; 0 where it begins with another.
// U+0080 to U+009F are C2 80 to C2 9F; U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
std::size_t length_of_wide(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
  return 0;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t wide = length_of_wide(text);
    if (wide > 0) {
      const auto last = static_cast<unsigned char>(text[wide - 1]);
      result += wide == 2 ? fmt::format("\\x{:02x}", last) : fmt::format("\\u20{:02x}", last - 0x80);
    } else if (first < 0x20 || first == 0x7f) {
      result += escaped(text.front());
    } else {
      result += text.front();
    }
    text.remove_prefix(std::max<std::size_t>(wide, 1));
  }
  return result;
}

}  // namespace tutti
