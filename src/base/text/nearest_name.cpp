#include "base/text/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace tutti {
namespace {

bool are_alike(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The least number of insertions, deletions, replacements and exchanges of neighbours, none of them within another's
// letters, that turn `a` into `b` but for capitals (Damerau 1964, Levenshtein 1966).
std::size_t mistakes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (are_alike(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && are_alike(a[i - 1], b[j - 2]) && are_alike(a[i - 2], b[j - 1]);
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above.back();
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view known : names) {
    const std::size_t mistakes = mistakes_between(name, known);
    if (mistakes >= least || mistakes >= known.size()) continue;
    least = mistakes;
    best = known;
  }
  if (!best.empty() || name.size() < 3) return best;
  const auto begun = std::find_if(names.begin(), names.end(), [&](auto known) { return known.starts_with(name); });
  return begun == names.end() ? std::string_view{} : *begun;
}

std::string nearest_in_words(std::string_view name, std::span<const std::string_view> names) {
  if (const std::string_view near = nearest_name(name, names); !near.empty())
    return fmt::format("the nearest is '{}'", near);
  if (names.empty()) return "there are none";
  if (names.size() == 1) return fmt::format("there is '{}'", names.front());
  return fmt::format("there are '{}' and '{}'", fmt::join(names.first(names.size() - 1), "', '"), names.back());
}

}  // namespace tutti
