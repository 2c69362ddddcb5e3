#include "schedule/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "schedule/looks.hpp"

namespace tutti {
namespace {

constexpr int usual_segments = 8;

std::string text_of(const Shape& grid) {
  std::string text;
  for (int d = 0; d < grid.dimensions(); ++d) text += fmt::format("{}{}", d == 0 ? "" : "x", grid.extent(d));
  return text;
}

}  // namespace

Looks& looks() {
  thread_local Looks mine;
  return mine;
}

int Parameters::segments_for(std::int64_t count) const {
  ++looks().at_segments;
  return static_cast<int>(std::clamp<std::int64_t>(count, 1, segments > 0 ? segments : usual_segments));
}

Shape Parameters::grid_for(int ranks) const {
  ++looks().at_grid;
  return grid.empty() ? Shape::nearest_cube(ranks, 2) : grid;
}

void check(const Parameters& parameters, int ranks) {
  require(parameters.segments >= 0, "a message has at least one segment, not {}", parameters.segments);
  require(parameters.grid.empty() || parameters.grid.size() == ranks, "a grid of {} ranks does not hold {} ranks",
          parameters.grid.size(), ranks);
}

std::string describe(const Parameters& parameters) {
  std::string text;
  if (parameters.segments > 0)
    text += fmt::format("{} segment{}", parameters.segments, parameters.segments == 1 ? "" : "s");
  if (!parameters.grid.empty()) text += fmt::format("{}grid {}", text.empty() ? "" : ", ", text_of(parameters.grid));
  return text.empty() ? "parameters left open" : text;
}

std::uint64_t hash_of(const Parameters& parameters) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&](int value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  };
  mix(parameters.segments);
  mix(parameters.grid.dimensions());
  for (int d = 0; d < parameters.grid.dimensions(); ++d) mix(parameters.grid.extent(d));
  return hash;
}

}  // namespace tutti
