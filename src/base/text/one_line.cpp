#include "base/text/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tutti {
namespace {

struct NamedCharacter {
  char character;
  std::string_view escape;
};

constexpr std::array named{NamedCharacter{'\n', "\\n"}, NamedCharacter{'\r', "\\r"}, NamedCharacter{'\t', "\\t"}};

std::string escaped(char character) {
  for (const NamedCharacter& each : named) {
    if (each.character == character) return std::string(each.escape);
  }
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
}

// Returns the length in UTF-8 of the escapable character beyond ASCII with which the text begins; 0 if it begins with
// another. U+0080 to U+009F are C2 80 to C2 9F; U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
std::size_t length_of_wide(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
  return 0;
}

// Returns the bytes of the character with which the text begins; 0 if it is no UTF-8. Overlong forms and halves of
// surrogate pairs count as none, as in RFC 3629.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool beyond = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return overlong || beyond ? 0 : length;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string one_line(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t wide = length_of_wide(text);
    const std::size_t length = length_of_character(text);
    if (wide > 0) {
      const auto last = static_cast<unsigned char>(text[wide - 1]);
      result += wide == 2 ? fmt::format("\\x{:02x}", last) : fmt::format("\\u20{:02x}", last - 0x80);
    } else if (first < 0x20 || first == 0x7f || length == 0) {
      result += escaped(text.front());
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string shortened(std::string_view line, std::size_t most) {
  if (line.size() <= most) return std::string(line);
  std::size_t head = most / 2;
  std::size_t tail = line.size() - most / 2;
  while (head > 0 && continues(line[head])) --head;
  while (tail < line.size() && continues(line[tail])) ++tail;
  return fmt::format("{} [… {} bytes …] {}", line.substr(0, head), tail - head, line.substr(tail));
}

}  // namespace tutti
