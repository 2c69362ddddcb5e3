#include "schedule/model/algorithm.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/integers.hpp"

namespace tutti {

std::string_view name_of(Need need) {
  switch (need) {
    case Need::power_of_two_ranks:
      return "power-of-two-ranks";
    case Need::commutative_operator:
      return "commutative-operator";
    case Need::consecutive_ranks:
      return "consecutive-ranks";
    case Need::order_kept_over_nodes:
      return "order-kept-over-nodes";
  }
  return "?";
}

std::string_view describe(Need need) {
  switch (need) {
    case Need::power_of_two_ranks:
      return "a number of ranks that is a power of two";
    case Need::commutative_operator:
      return "a commutative operator";
    case Need::consecutive_ranks:
      return "consecutive ranks on each node";
    case Need::order_kept_over_nodes:
      return "consecutive ranks on each node or a commutative operator";
  }
  return "?";
}

bool meets(const Problem& problem, Need need, const Layout& layout) {
  switch (need) {
    case Need::power_of_two_ranks:
      return is_power_of_two(problem.ranks);
    case Need::commutative_operator:
      return problem.commutative;
    case Need::consecutive_ranks:
      return layout.has_consecutive_ranks();
    case Need::order_kept_over_nodes:
      return problem.commutative || layout.has_consecutive_ranks();
  }
  return false;
}

std::string needs_in_words(const Algorithm& algorithm) {
  if (algorithm.needs.empty()) return "any ranks";
  std::string words;
  for (const Need need : algorithm.needs) {
    if (!words.empty()) words += ", ";
    words += name_of(need);
  }
  return words;
}

std::optional<Need> unmet_need(const Algorithm& algorithm, const Problem& problem, const Layout& layout) {
  const auto found = std::find_if(algorithm.needs.begin(), algorithm.needs.end(),
                                  [&](Need need) { return !meets(problem, need, layout); });
  if (found == algorithm.needs.end()) return std::nullopt;
  return *found;
}

}  // namespace tutti
