/// @file
/// Explanation of a plan in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/ranking.hpp"

namespace tutti {

/// Range in which an explanation looks for a win of the runner-up.
enum class CrossoverSearch : std::uint8_t { this_size, other_sizes };

/// Candidates for a problem, and the one that was chosen.
struct Explanation {
  Problem problem;
  std::int64_t element_size = 1;
  Choice chosen;
  std::string by;               ///< who named the algorithm, such as "the call"; empty: the model chose
  std::vector<Priced> ranking;  ///< ranking_of()
  double bound = 0;             ///< CostModel::bound()
  std::string costs;            ///< CostModel::describe()
  std::string why;              ///< one sentence or two
};

/// Explains the choice for the problem, which decide() has made. `by` says who named its algorithm; empty
/// where nobody did, and then all algorithms are compared with the parameters that were `asked` for, else with the
/// choice's. Cost: those of ranking_of(), and with `other_sizes` those of crossover().
Explanation explain(const Problem& problem, const Choice& chosen, std::string by, const Parameters& asked,
                    std::int64_t element_size, const CostModel& model, CrossoverSearch search);

/// "all-reduce of 131072 elements of 8 bytes (1MiB) over 4 ranks".
std::string call_in_words(const Problem& problem, std::int64_t element_size);
/// "1.25": how many times the bound that is; "-" where there is none.
std::string ratio_in_words(double seconds, double bound);

/// The explanation as a heading, a table of the ranking, and why. Ends with a newline.
std::string text_of(const Explanation& explanation, const Layout& layout = {});

}  // namespace tutti
