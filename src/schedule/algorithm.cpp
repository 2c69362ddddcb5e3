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

void check_size(const Algorithm& algorithm, const Problem& problem) {
  // Two operations a message, some 50 bytes each.
  constexpr std::int64_t most_messages = std::int64_t{1} << 26;
  if (algorithm.claims == nullptr) return;
  const std::int64_t messages = algorithm.claims(problem).messages;
  if (messages <= most_messages) return;
  fail(ErrorCode::unsupported, "{} by {} over {} ranks takes {} messages; a schedule holds at most {}",
       name_of(algorithm.collective), algorithm.name, problem.ranks, messages, most_messages);
}

Schedule record(const Algorithm& algorithm, const Problem& problem) {
  require(problem.collective == algorithm.collective, "{} is an algorithm for {}, not for {}", algorithm.name,
          name_of(algorithm.collective), name_of(problem.collective));
  check(problem);
  if (const auto need = unmet_need(algorithm, problem)) {
    fail(ErrorCode::unsupported, "{} {} needs {}; {} does not offer it", name_of(algorithm.collective), algorithm.name,
         describe(*need), describe(problem));
  }
  check_size(algorithm, problem);
  return record_all(algorithm.record, problem);
}

}  // namespace tutti
