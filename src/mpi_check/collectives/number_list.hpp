/// @file
/// Lists of numbers that ranks compare, as words for sentences.
#pragma once

#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tutti/detail/datatype.hpp"

namespace tutti::interpose {

/// "4, 8"; of more numbers than a few, the first ones and a hash of all: "4, 8, 12, ... (hash 1f)". At most 90
/// characters of three numbers, so that lists that differ still do where a record keeps so many.
inline std::string words_of_list(const std::vector<std::int64_t>& numbers, std::size_t most_named = 3) {
  if (numbers.size() <= most_named) return fmt::format("{}", fmt::join(numbers, ", "));
  const std::uint64_t hash =
      detail::hash_of({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t)});
  const auto named = numbers.begin() + static_cast<std::ptrdiff_t>(most_named);
  return fmt::format("{}, ... (hash {:x})", fmt::join(numbers.begin(), named, ", "), hash);
}

}  // namespace tutti::interpose
