#include "topology/formats/pasted_text.hpp"

#include <algorithm>
#include <cstddef>

namespace tutti {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '/';
}

// UTF-16 with a byte order mark becomes bytes, and what these cannot say a blank.
std::string bytes_of(std::string_view text) {
  const bool little = text.starts_with("\xff\xfe");
  if (!little && !text.starts_with("\xfe\xff")) return std::string(text);
  std::string bytes;
  for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
    const char low = text[at + (little ? 0 : 1)];
    const char high = text[at + (little ? 1 : 0)];
    bytes += high == 0 ? low : ' ';
  }
  return bytes;
}

// Goes through a text and keeps words and the ends of lines.
class PlainText {
 public:
  explicit PlainText(std::string_view text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) {
      if (!skip_sequence() && !skip_mark() && !skip_letters()) take();
    }
    return std::move(plain_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  void pass(std::size_t size, char instead) {
    at_ += size;
    if (instead != 0) plain_ += instead;
  }

  // Returns the length of a sequence of parameters and one of the letters in `ends`; 0 if there is none.
  static std::size_t length_of_parameters(std::string_view text, std::string_view ends) {
    const std::size_t end = text.find_first_not_of("0123456789;:?");
    constexpr std::size_t longest = 32;
    return end < longest && ends.find(text[end]) != std::string_view::npos ? end + 1 : 0;
  }

  // Returns the length of what opens a sequence: an escape character, also in letters, and a bracket, or the bracket
  // alone.
  static std::size_t length_of_introducer(std::string_view text) {
    for (const std::string_view each :
         {"\x1b[", "\xc2\x9b", "^[[", "\\x1b[", "\\x1B[", "\\u001b[", "\\u001B[", "\\033[", "\\e[", "#033[", "["}) {
      if (text.starts_with(each)) return each.size();
    }
    return 0;
  }

  // "\x1b[4m" and the like; and "[4m", of which the escape character is lost.
  bool skip_sequence() {
    constexpr std::string_view every_end = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@`{|}~";
    const std::string_view left = rest();
    if (left.starts_with('\x1b') && !left.starts_with("\x1b[")) {
      if (!left.starts_with("\x1b]")) return pass(std::min<std::size_t>(2, left.size()), ' '), true;
      const std::size_t end = left.find_first_of("\x07\x1b\n", 2);
      return pass(end == std::string_view::npos ? left.size() : left[end] == '\n' ? end : end + 1, ' '), true;
    }
    const std::size_t opened = length_of_introducer(left);
    if (opened == 0) return false;
    const std::size_t length = length_of_parameters(left.substr(opened), opened > 1 ? every_end : "mK");
    if (length == 0) return false;
    return pass(opened + length, ' '), true;
  }

  // "<td>", "<stdout>", "&nbsp;".
  bool skip_mark() {
    const std::string_view left = rest();
    constexpr std::size_t longest = 64;
    if (left.starts_with('<')) {
      const std::size_t end = left.find_first_of("<>\n", 1);
      if (end >= longest || left[end] != '>') return false;
      const bool ends_line = left.starts_with("<br") || left.starts_with("</tr") || left.starts_with("<tr");
      return pass(end + 1, ends_line ? '\n' : ' '), true;
    }
    if (!left.starts_with('&')) return false;
    const std::size_t end = left.find(';');
    const auto is_name = [](char c) { return is_of_word(c) || c == '#'; };
    if (end > 8 || !std::all_of(left.begin() + 1, left.begin() + static_cast<std::ptrdiff_t>(end), is_name))
      return false;
    return pass(end + 1, ' '), true;
  }

  // "\t" and "\n" as a backslash and a letter, and characters that take no room.
  bool skip_letters() {
    const std::string_view left = rest();
    if (left.starts_with("\\t")) return pass(2, ' '), true;
    if (left.starts_with("\\n") || left.starts_with("\\r")) return pass(2, '\n'), true;
    for (const std::string_view none : {"\xef\xbb\xbf", "\xe2\x80\x8b", "\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x80\x8e",
                                        "\xe2\x80\x8f", "\xe2\x81\xa0", "\xc2\xad"}) {
      if (left.starts_with(none)) return pass(none.size(), 0), true;
    }
    return false;
  }

  void take() {
    const char c = text_[at_];
    pass(1, is_of_word(c) ? c : c == '\n' || c == '\r' ? '\n' : ' ');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string plain_;
};

}  // namespace

std::vector<std::vector<std::string>> words_of_lines(std::string_view text) {
  const std::string bytes = bytes_of(text);
  const std::string plain = PlainText(bytes).read();
  std::vector<std::vector<std::string>> lines(1);
  for (std::size_t at = 0; at < plain.size();) {
    if (plain[at] == '\n') lines.emplace_back();
    if (!is_of_word(plain[at])) {
      ++at;
      continue;
    }
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(plain.begin() + static_cast<std::ptrdiff_t>(at), plain.end(), is_of_word) - plain.begin());
    lines.back().push_back(plain.substr(at, end - at));
    at = end;
  }
  return lines;
}

}  // namespace tutti
