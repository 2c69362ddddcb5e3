#include "schedule/algorithm.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/integers.hpp"

namespace tutti {

std::string_view name_of(Need need) {
  switch (need) {
    case Need::power_of_two_ranks:
      return "power-of-two-ranks";
    case Need::even_ranks:
      return "even-ranks";
    case Need::commutative_operator:
      return "commutative-operator";
  }
  return "?";
}

std::string_view describe(Need need) {
  switch (need) {
    case Need::power_of_two_ranks:
      return "a number of ranks that is a power of two";
    case Need::even_ranks:
      return "an even number of ranks";
    case Need::commutative_operator:
      return "a commutative operator";
  }
  return "?";
}

bool meets(const Problem& problem, Need need) {
  switch (need) {
    case Need::power_of_two_ranks:
      return is_power_of_two(problem.ranks);
    case Need::even_ranks:
      return problem.ranks % 2 == 0 || problem.ranks == 1;
    case Need::commutative_operator:
      return problem.commutative;
  }
  return false;
}

std::optional<Need> unmet_need(const Algorithm& algorithm, const Problem& problem) {
  const auto found =
      std::find_if(algorithm.needs.begin(), algorithm.needs.end(), [&](Need need) { return !meets(problem, need); });
  if (found == algorithm.needs.end()) return std::nullopt;
  return *found;
}

}  // namespace tutti
