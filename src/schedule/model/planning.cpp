#include "schedule/model/planning.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "schedule/model/problem.hpp"

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

std::string algorithm_variable(Collective collective) { return algorithm_variable(name_of(collective)); }

std::string algorithm_variable(std::string_view collective) {
  std::string variable = "TUTTI_ALGORITHM_";
  for (const char c : collective) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

}  // namespace tutti
