#include "algorithms/catalogue.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "algorithms/own.hpp"
#include "algorithms/table.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"

namespace tutti::algorithms {
namespace {

std::vector<std::string_view> names_for(Collective collective) {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms_for(collective)) {
    names.push_back(algorithm->name);
    names.insert(names.end(), algorithm->aliases.begin(), algorithm->aliases.end());
  }
  return names;
}

// Returns the distance of two algorithms' costs, if both fit: 16 ranks and a message that they divide.
double cost_distance(const Algorithm& a, const Algorithm& b) {
  const Problem problem{.collective = a.collective, .ranks = 16, .count = 256, .distance = 5};
  const Claims x = a.claims(problem);
  const Claims y = b.claims(problem);
  const auto ratio = [](std::int64_t s, std::int64_t t) {
    return std::abs(std::log(static_cast<double>(s + 1) / static_cast<double>(t + 1)));
  };
  return ratio(x.rounds, y.rounds) + ratio(x.elements, y.elements);
}

// Whether the name is of a variant of the algorithm, as "pairwise-modular" is of "pairwise".
bool is_variant(const Algorithm& candidate, const Algorithm& wanted) {
  return candidate.name.starts_with(wanted.name) && candidate.name.substr(wanted.name.size()).starts_with('-');
}

// Returns a fitting variant of `wanted`, or else the fitting algorithm of the nearest costs; null if none fits.
const Algorithm* nearest_fitting(const Problem& problem, const Algorithm& wanted, const Layout& layout) {
  const Algorithm* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Algorithm* candidate : algorithms_for(problem.collective)) {
    if (unmet_need(*candidate, problem, layout)) continue;
    if (is_variant(*candidate, wanted)) return candidate;
    const double distance = cost_distance(wanted, *candidate);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

// ", which all-gather and all-to-all have": the collectives that have an algorithm of that name.
std::string elsewhere_in_words(std::string_view name) {
  std::vector<std::string_view> owners;
  for (const Collective collective : all_collectives()) {
    if (find(collective, name) != nullptr) owners.push_back(name_of(collective));
  }
  if (owners.empty()) return {};
  const std::string_view last = owners.back();
  owners.pop_back();
  if (owners.empty()) return fmt::format(", which {} has", last);
  return fmt::format(", which {} and {} have", fmt::join(owners, ", "), last);
}

}  // namespace

const Algorithm* find(Collective collective, std::string_view name) {
  const Algorithm* listed = find_listed(collective, name);
  return listed != nullptr ? listed : find_own(collective, name);
}

const Algorithm& fitting(const Problem& problem, std::string_view name, const Layout& layout) {
  const std::string_view collective = name_of(problem.collective);
  const Algorithm* found = find(problem.collective, name);
  if (found == nullptr) {
    fail(ErrorCode::invalid_argument, "{} has no algorithm '{}'{}; {}", collective, name, elsewhere_in_words(name),
         nearest_in_words(name, names_for(problem.collective)));
  }
  if (const auto need = unmet_need(*found, problem, layout)) {
    const Algorithm* instead = nearest_fitting(problem, *found, layout);
    fail(ErrorCode::unsupported, "{} by {} needs {}; {}", collective, found->name, describe(*need),
         instead ? fmt::format("'{}' is the nearest that fits {}", instead->name, describe(problem))
                 : fmt::format("no algorithm fits {}", describe(problem)));
  }
  return *found;
}

}  // namespace tutti::algorithms
