#include "base/text/real_number.hpp"

#include <version>

#ifndef __cpp_lib_to_chars
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>
#endif

namespace tutti {

#ifdef __cpp_lib_to_chars

std::from_chars_result read_real(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

#else

// strtod() also takes spaces, "+1" and "0x10" before all that std::from_chars takes. It needs a text that ends.
std::from_chars_result read_real(const char* first, const char* last, double& value) {
  std::string text(first, last);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() == sign || text[sign] == '+' || text[sign] == '-' ||
      std::isspace(static_cast<unsigned char>(text[sign])) != 0)
    return {first, std::errc::invalid_argument};
  if (text.size() > sign + 1 && text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X'))
    text.resize(sign + 1);
  errno = 0;
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  const char* behind = first + (end - text.c_str());
  if (errno == ERANGE && (read == 0 || std::isinf(read))) return {behind, std::errc::result_out_of_range};
  value = read;
  return {behind, std::errc()};
}

#endif

}  // namespace tutti
