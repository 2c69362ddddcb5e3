#include "pricing/size_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "pricing/prices.hpp"

namespace tutti {
namespace {

constexpr std::int64_t most_effort = std::int64_t{1} << 27;

bool fits(const RecordedSize& size) { return size.effort() <= most_effort; }

// The algorithm with the fewest rounds of those that can be simulated; null where none can.
const Algorithm* smaller_algorithm(const Choice& choice, const Problem& problem, const Layout& layout) {
  const Algorithm* best = nullptr;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Algorithm* algorithm : fitting_algorithms(problem, layout)) {
    const Choice other(*algorithm, choice.parameters);
    const std::int64_t rounds = other.claims(problem, layout).rounds;
    if (rounds >= least || !fits(recorded_size(other, problem, layout))) continue;
    least = rounds;
    best = algorithm;
  }
  return best;
}

}  // namespace

void check_simulable(const Choice& choice, const Problem& problem, const Layout& layout, const Topology& topology,
                     const Machine& machine) {
  const RecordedSize size = recorded_size(choice, problem, layout);
  if (fits(size)) return;
  const std::string_view collective = name_of(problem.collective);
  std::string sentence = fmt::format("{} by {} over {} ranks ", collective, choice.algorithm->name, problem.ranks);
  if (size.messages > most_effort) {
    sentence += fmt::format("takes {} messages; a simulation holds at most {}", size.messages, most_effort);
  } else {
    sentence += fmt::format("lists about {} blocks in its messages; a simulation lists at most {}", size.slices,
                            16 * most_effort);
  }
  std::vector<std::string> remedies;
  if (const Algorithm* smaller = smaller_algorithm(choice, problem, layout))
    remedies.push_back(fmt::format("--algorithm {}", smaller->name));
  if (const int ranks = ranks_that_fit(choice, problem, layout, fits); ranks > 0)
    remedies.push_back(fmt::format("{} ranks", ranks));
  if (price(choice, problem, topology, machine, layout))
    remedies.push_back(fmt::format("'tutti price {}' with your options, by its closed form", collective));
  if (remedies.empty()) remedies.emplace_back("fewer ranks");
  fail(ErrorCode::unsupported, "{}; take {}", sentence, fmt::join(remedies, ", or "));
}

}  // namespace tutti
