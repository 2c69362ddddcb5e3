#include "schedule/planning.hpp"

#include <algorithm>
#include <array>

namespace tutti {
namespace {

constexpr std::array<std::string_view, 4> names{"inherited", "estimate", "measure", "patient"};

}  // namespace

std::span<const std::string_view> planning_names() { return std::span(names).subspan(1); }

std::string_view name_of(Planning planning) { return names[static_cast<std::size_t>(planning)]; }

std::optional<Planning> planning_named(std::string_view name) {
  const auto all = planning_names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) return std::nullopt;
  return static_cast<Planning>(found - all.begin() + 1);
}

}  // namespace tutti
