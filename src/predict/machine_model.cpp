#include "predict/machine_model.hpp"

#include "predict/estimate.hpp"
#include "predict/play.hpp"

namespace tutti {
namespace {

/// Above this a schedule of few ranks is too long to be played, too: of messages in many segments.
constexpr std::int64_t most_played_messages = 20'000;

bool is_played(const Choice& choice, const Problem& problem) {
  return problem.ranks <= MachineModel::most_played_ranks && problem.known_to < 0 &&
         choice.claims(problem).messages <= most_played_messages;
}

}  // namespace

double MachineModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  if (!is_played(choice, problem)) {
    return estimated_seconds(costs_, cores_, choice, with_even_blocks(problem), layout_, element_size);
  }
  if (choice.claims(problem).messages == 0) return 0;
  return played_seconds(costs_, cores_, record_all(choice, problem, layout_), element_size);
}

double MachineModel::at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  if (is_played(choice, problem)) return 0;
  return least_seconds(costs_, cores_, choice, with_even_blocks(problem), element_size);
}

Problem MachineModel::essence(const Problem& problem) const {
  return problem.ranks <= most_played_ranks && problem.known_to < 0 ? problem : with_even_blocks(problem);
}

}  // namespace tutti
