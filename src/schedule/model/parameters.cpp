#include "schedule/model/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/digest.hpp"
#include "base/units.hpp"

namespace tutti {
namespace {

constexpr int usual_segments = 8;
constexpr int usual_radix = 4;

}  // namespace

int Parameters::segments_for(std::int64_t count) const {
  return static_cast<int>(std::clamp<std::int64_t>(count, 1, segments > 0 ? segments : usual_segments));
}

int Parameters::radix_for(int ranks) const {
  return std::clamp(radix > 0 ? radix : usual_radix, 2, std::max(2, ranks));
}

Shape Parameters::grid_for(int ranks) const { return grid.empty() ? Shape::nearest_cube(ranks, 2) : grid; }

void check(const Parameters& parameters, int ranks) {
  require(parameters.segments >= 0, "a message has at least one segment, not {}", parameters.segments);
  require(parameters.radix == 0 || parameters.radix >= 2, "a radix is at least 2, not {}", parameters.radix);
  require(parameters.grid.empty() || parameters.grid.size() == ranks,
          "the grid {} is of {}, not of {}; leave it out, or take one such as {}", text_of(parameters.grid),
          counted(parameters.grid.size(), "rank"), ranks, text_of(Shape::nearest_cube(ranks, 2)));
}

std::string describe(const Parameters& parameters) {
  std::string text;
  if (parameters.segments > 0) text += counted(parameters.segments, "segment");
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (parameters.radix > 0) add(fmt::format("radix {}", parameters.radix));
  if (!parameters.grid.empty()) add(fmt::format("grid {}", text_of(parameters.grid)));
  return text.empty() ? "parameters left open" : text;
}

std::uint64_t hash_of(const Parameters& parameters) {
  std::uint64_t hash = digest_of_nothing;
  const auto mix = [&](int value) { hash = mixed(hash, static_cast<std::uint64_t>(value)); };
  mix(parameters.segments);
  mix(parameters.radix);
  mix(parameters.grid.dimensions());
  for (int d = 0; d < parameters.grid.dimensions(); ++d) mix(parameters.grid.extent(d));
  return hash;
}

}  // namespace tutti
