#include "examples/digits.hpp"

#include <zlib.h>

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>

#include "tutti/error.hpp"

namespace digits {
namespace {

constexpr const char* remedy = "; expected a file of digits such as examples/data/digits.csv.gz";

[[noreturn]] void reject(const std::string& reason) { throw tutti::Error(tutti::ErrorCode::invalid_argument, reason); }

/// The lines of a file, plain or compressed: zlib tells by the first bytes.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb"), gzclose) {
    if (!file_) reject(path + ": cannot be read" + remedy);
  }

  /// The next line without its end, valid until the next call; nothing at the end of the file.
  std::optional<std::string_view> next() {
    ++number_;
    const bool some = gzgets(file_.get(), buffer_.data(), static_cast<int>(buffer_.size())) != nullptr;
    int status = Z_OK;
    const char* message = gzerror(file_.get(), &status);
    if (status != Z_OK && status != Z_STREAM_END)
      reject(std::string(message) + remedy);  // zlib's message begins with the path
    if (!some) return std::nullopt;
    std::string_view line(buffer_.data());
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  /// Returns the number, from 1, of the line that next() returned last.
  int number() const { return number_; }

 private:
  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  std::array<char, 512> buffer_{};  // a digit takes at most 64 · 3 + 1 characters
  int number_ = 0;
};

/// Takes a number from 0 to `limit` from the front of `line`.
std::optional<std::uint8_t> take_number(std::string_view& line, int limit) {
  int value = -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{} || value < 0 || value > limit) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return static_cast<std::uint8_t>(value);
}

/// The digit of one line, if the line is one.
std::optional<Digit> digit_of(std::string_view line) {
  Digit digit{};
  for (std::uint8_t& pixel : digit.grey) {
    const auto grey = take_number(line, darkest);
    if (!grey || !line.starts_with(',')) return std::nullopt;
    line.remove_prefix(1);
    pixel = *grey;
  }
  const auto label = take_number(line, kinds - 1);
  if (!label || !line.empty()) return std::nullopt;
  digit.label = *label;
  return digit;
}

}  // namespace

Digits read(const std::string& path) {
  LineReader lines(path);
  Digits digits;
  while (const auto line = lines.next()) {
    const auto digit = digit_of(*line);
    if (!digit) {
      reject(path + ":" + std::to_string(lines.number()) +
             ": expected 64 grey values from 0 to 16 and a label from 0 to 9");
    }
    digits.push_back(*digit);
  }
  if (digits.empty()) reject(path + ": holds no digits");
  return digits;
}

}  // namespace digits
