#include "launch/endings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace tutti::launch {
namespace {

// "was killed by …" of one rank is "were killed by …" of several.
std::string of_several(const std::string& how) {
  constexpr std::string_view one = "was ";
  return how.starts_with(one) ? "were " + how.substr(one.size()) : how;
}

}  // namespace

std::vector<std::string> Endings::lines() const {
  std::vector<std::string> lines;
  std::size_t left = 0;
  for (const auto& [ranks, how] : groups_.largest_first()) {
    if (lines.size() == most_lines) {
      left += ranks.size();
    } else {
      lines.push_back(fmt::format("{} {}", list_of(ranks), ranks.size() == 1 ? how : of_several(how)));
    }
  }
  if (left == 1) lines.emplace_back("1 more rank ended");
  if (left > 1) lines.push_back(fmt::format("{} more ranks ended, each in its own way", left));
  return lines;
}

}  // namespace tutti::launch
