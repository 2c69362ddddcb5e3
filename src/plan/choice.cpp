#include "plan/choice.hpp"

#include <cctype>
#include <limits>
#include <string>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/environment.hpp"

namespace tutti {
namespace {

// "all-reduce" -> the value of TUTTI_ALGORITHM_ALL_REDUCE, empty where it is not set.
std::string_view from_environment(Collective collective) {
  std::string variable = "TUTTI_ALGORITHM_";
  for (const char c : name_of(collective)) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const char* value = environment_variable(variable.c_str());
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

const Algorithm& choose(const Problem& problem, std::int64_t element_size, const Price& price) {
  const Algorithm* best = nullptr;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (unmet_need(*algorithm, problem)) continue;
    const double seconds = price(*algorithm, problem, element_size);
    if (best == nullptr || seconds < lowest) {
      best = algorithm;
      lowest = seconds;
    }
  }
  if (best == nullptr) fail(ErrorCode::unsupported, "no algorithm fits {}", describe(problem));
  return *best;
}

const Algorithm& algorithm_for(const Problem& problem, std::string_view name, std::int64_t element_size,
                               const Price& price) {
  if (name.empty()) name = from_environment(problem.collective);
  return name.empty() ? choose(problem, element_size, price) : algorithms::fitting(problem, name);
}

}  // namespace tutti
