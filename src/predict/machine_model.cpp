#include "predict/machine_model.hpp"

#include "predict/bound.hpp"
#include "predict/estimate.hpp"
#include "predict/play.hpp"

namespace tutti {
namespace {

/// Above this a schedule of few ranks is too long to be played, too: of messages in many segments.
constexpr std::int64_t most_played_messages = 20'000;

bool is_played(const Choice& choice, const Problem& problem, const Layout& layout) {
  return problem.ranks <= MachineModel::most_played_ranks && problem.known_to < 0 &&
         choice.claims(problem, layout).messages <= most_played_messages;
}

}  // namespace

double MachineModel::seconds_of(const Choice& choice, const Problem& problem, std::int64_t element_size,
                                Calls calls) const {
  if (!is_played(choice, problem, layout_)) {
    return estimated_seconds(costs_, cores_, choice, with_even_blocks(problem), element_size, calls);
  }
  if (choice.claims(problem, layout_).messages == 0) return 0;
  return played_seconds(costs_, cores_, record_all(choice, problem, layout_), element_size, calls);
}

double MachineModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  return seconds_of(choice, problem, element_size, Calls::in_a_row);
}

double MachineModel::seconds_once(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  return seconds_of(choice, problem, element_size, Calls::one);
}

double MachineModel::at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  if (is_played(choice, problem, layout_)) return 0;
  return least_seconds(costs_, cores_, choice, with_even_blocks(problem), element_size);
}

double MachineModel::bound(const Problem& problem, std::int64_t element_size) const {
  return bound_seconds(costs_, cores_, problem, element_size);
}

Problem MachineModel::essence(const Problem& problem) const {
  return problem.ranks <= most_played_ranks && problem.known_to < 0 ? problem : with_even_blocks(problem);
}

}  // namespace tutti
