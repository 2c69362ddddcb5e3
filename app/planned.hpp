/// @file
/// What `tutti plan` has found out, size by size.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/offers.hpp"
#include "plan/explanation.hpp"
#include "plan/rules.hpp"
#include "plan/wisdom.hpp"

namespace tutti::app {

/// What is planned for: everything but the size.
struct PlanQuestion {
  Problem problem;
  Parameters parameters = {};
  std::int64_t element_size = 1;
  const CostModel* model = nullptr;
  Rules rules = {};                 ///< the administrator's
  const CostModel* even = nullptr;  ///< where ranks come unevenly by the model: the same with ranks that come together
  Search search = Search::other_sizes;
  /// By which winners of trials are kept for such ranks, text_of(Surroundings); empty: programs do not run there.
  std::vector<std::string> places = {};
  bool heeds_environment = false;  ///< whether it is for programs, whose algorithm TUTTI_ALGORITHM_… may name
};

/// Seconds that algorithms were measured to take, by their size in bytes.
using Measurements = std::map<std::pair<const Algorithm*, std::int64_t>, double>;

/// One algorithm at one size.
struct PlanRow {
  Priced priced;
  std::string parameters;          ///< as the algorithm takes them; empty: it looks at none
  std::optional<bool> proved;      ///< of this very problem; nothing where the proof would take long
  std::optional<double> measured;  ///< seconds
};

/// How much longer it was predicted to take than it took, as a part of that.
std::optional<double> error_of(const PlanRow& row);

/// One size.
struct PlannedSize {
  std::int64_t bytes = 0;  ///< m, by the collective's own convention
  Explanation explanation;
  std::vector<PlanRow> rows;                  ///< in the order of the ranking
  const Algorithm* even = nullptr;            ///< what would be chosen if all ranks came together; null where they do
  std::vector<std::string> passed_over = {};  ///< rules that hold for the call and do not fit it, a sentence each
  std::vector<KeptWinner> kept = {};  ///< what earlier runs have found; empty where somebody names the algorithm
};

/// An algorithm that is chosen for all sizes of a range.
struct Term {
  SizeRange sizes;
  const Algorithm* algorithm = nullptr;
  std::string by;                       ///< the rule or variable that names it; empty: the model takes it
  const Algorithm* cheapest = nullptr;  ///< what the model takes
};

/// A run of `tutti plan`.
struct Planned {
  PlanQuestion question;
  std::vector<PlannedSize> sizes;
  std::vector<Term> winners;  ///< by rule or prediction; empty for one size
  std::vector<Term> even;     ///< the same if all ranks came together; empty where they do
};

/// The problem of that many bytes: whole elements, one at least where there is anything to send.
Problem problem_of_size(const PlanQuestion& question, std::int64_t bytes);

/// Ranks the algorithms for each of the sizes, and proves them; with several sizes it says who wins in the range.
Planned plan_sizes(const PlanQuestion& question, const std::vector<std::int64_t>& sizes,
                   const Measurements& measurements);

/// A table for people, with why; for several sizes one table of sizes against algorithms.
std::string plan_text(const Planned& planned);
/// The fields that docs/cli.md names.
std::string plan_json(const Planned& planned);
/// Predicted and measured time against size, with a flag where another algorithm takes over, as SVG.
std::string plan_plot(const Planned& planned);

}  // namespace tutti::app
