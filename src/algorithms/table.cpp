#include "algorithms/table.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace tutti::algorithms {
namespace {

constexpr std::array table{
#define TUTTI_ALGORITHM(name) &name,
#include "algorithms/table.inc"
};

bool answers_to(const Algorithm& algorithm, std::string_view name) {
  return std::find(algorithm.aliases.begin(), algorithm.aliases.end(), name) != algorithm.aliases.end();
}

}  // namespace

std::span<const Algorithm* const> catalogue() { return table; }

std::vector<const Algorithm*> algorithms_for(Collective collective) {
  std::vector<const Algorithm*> found;
  std::copy_if(table.begin(), table.end(), std::back_inserter(found),
               [&](const Algorithm* algorithm) { return algorithm->collective == collective; });
  return found;
}

const Algorithm* find_listed(Collective collective, std::string_view name) {
  const std::vector<const Algorithm*> candidates = algorithms_for(collective);
  for (const Algorithm* algorithm : candidates) {
    if (algorithm->name == name) return algorithm;
  }
  for (const Algorithm* algorithm : candidates) {
    if (answers_to(*algorithm, name)) return algorithm;
  }
  return nullptr;
}

}  // namespace tutti::algorithms
