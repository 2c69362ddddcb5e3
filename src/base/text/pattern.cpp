#include "base/text/pattern.hpp"

namespace tutti {

// Letters that the last * has taken are given back one more at a time, so that each is looked at once for each *.
bool matches_pattern(std::string_view name, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;  // place of the last * in the pattern
  std::size_t taken_to = 0;                   // letters of the name before this one belong to it
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      taken_to = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == name[at])) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++taken_to;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

}  // namespace tutti
