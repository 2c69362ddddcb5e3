/// @file
/// Results of `tutti plan`, size by size.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/plan/plan_question.hpp"
#include "cost/crossing.hpp"
#include "measure/pace.hpp"
#include "plan/explanation.hpp"
#include "plan/wisdom.hpp"
#include "tutti/communicator.hpp"

namespace tutti::app {

/// Seconds that algorithms were measured to take, by their size in bytes.
using Measurements = std::map<std::pair<const Algorithm*, std::int64_t>, double>;

/// One algorithm at one size.
struct PlanRow {
  Priced priced;
  std::string parameters;          ///< parameters of the algorithm; empty: it looks at none
  std::optional<bool> proved;      ///< proof of this very problem; nothing if the proof would take long
  std::optional<double> measured;  ///< seconds
};

/// Returns how much longer it was predicted to take than it took, as a part of that.
std::optional<double> error_of(const PlanRow& row);

/// One size.
struct PlannedSize {
  std::int64_t bytes = 0;  ///< m, by the collective's own convention
  Explanation explanation;
  std::vector<PlanRow> rows;                  ///< in the order of the ranking
  const Algorithm* even = nullptr;            ///< choice if all ranks came together; null if they do
  std::vector<std::string> passed_over = {};  ///< rules that hold for the call and do not fit it, a sentence each
  std::vector<KeptWinner> kept = {};          ///< winners of earlier runs; empty if somebody names the algorithm
};

/// An algorithm that is chosen for all sizes of a range.
struct Term {
  SizeRange sizes;
  const Algorithm* algorithm = nullptr;
  std::string by;                       ///< the rule or variable that names it; empty: the model takes it
  const Algorithm* cheapest = nullptr;  ///< choice of the model
};

/// A run of `tutti plan`.
struct Planned {
  PlanQuestion question;
  std::vector<PlannedSize> sizes;
  std::vector<Term> winners;  ///< by rule or prediction; empty for one size
  std::vector<Term> even;     ///< terms if all ranks came together; empty if they do
};

/// The row of that algorithm; null where the ranking leaves it out: it can be named, and is no candidate here.
const PlanRow* row_of(const PlannedSize& size, const Algorithm* algorithm);
/// All candidates, whatever the size.
std::vector<const Algorithm*> algorithms_in(const Planned& planned);

/// The problem of that many bytes: whole elements, one at least where there is anything to send.
Problem problem_of_size(const PlanQuestion& question, std::int64_t bytes);

/// Ranks the algorithms for each of the sizes, and proves them; with several sizes it says who wins in the range.
Planned plan_sizes(const PlanQuestion& question, const std::vector<std::int64_t>& sizes,
                   const Measurements& measurements);

/// A table for people, with why; for several sizes one table of sizes against algorithms.
std::string plan_text(const Planned& planned);
/// The fields that docs/reference names.
std::string plan_json(const Planned& planned);
/// Predicted and measured time against size, with a flag where another algorithm takes over, as SVG.
std::string plan_plot(const Planned& planned);

/// A sentence on what programs try by themselves; empty where they do not, or go by what is named or kept.
std::string trials_in_words(const Planned& planned);

/// Throws `Error` for a collective that is not measured, and for buffers that the machine has no memory for.
void check_measurable(const Problem& problem, const std::vector<std::int64_t>& sizes);

/// Every algorithm that fits, at every size; a collective call, with the same result on every rank.
Measurements measure_all(Communicator& comm, const Problem& problem, const std::vector<std::int64_t>& sizes,
                         const measure::Effort& effort);

}  // namespace tutti::app
