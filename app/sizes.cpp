#include "app/sizes.hpp"

#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {

SizeRange parse_sizes(std::string_view text) {
  const std::size_t dots = text.find("..");
  const Bytes least = parse_bytes(text.substr(0, dots));
  const Bytes most = dots == std::string_view::npos ? least : parse_bytes(text.substr(dots + 2));
  require(least <= most, "the range of sizes {} is empty; write the smaller size first", text);
  constexpr std::int64_t largest = std::int64_t{1} << 50;
  require(most.count <= largest, "sizes go up to 1PiB, not {}", text);
  return {least.count, most.count};
}

std::int64_t one_size(const SizeRange& range) {
  require(range.least == range.most, "one size is needed, not a range");
  return range.least;
}

std::vector<std::int64_t> sizes_in(const SizeRange& range) {
  std::vector<std::int64_t> sizes{range.least};
  for (std::int64_t size = 1; size < range.most; size *= 2) {
    if (size > range.least) sizes.push_back(size);
  }
  if (range.most > range.least) sizes.push_back(range.most);
  return sizes;
}

}  // namespace tutti::app
