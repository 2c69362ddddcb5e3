#include "predict/machine_model.hpp"

#include "predict/play.hpp"

namespace tutti {
namespace {

/// Above this a schedule is too long to be played whenever a new shape is met.
constexpr std::int64_t most_played = 20'000;

}  // namespace

double MachineModel::seconds(const Algorithm& algorithm, const Problem& problem, std::int64_t element_size) const {
  const Claims claims = algorithm.claims(problem);
  if (claims.messages == 0) return 0;
  if (claims.messages <= most_played) {
    return played_seconds(costs_, cores_, record_all(algorithm.record, problem), element_size);
  }
  const double mean = static_cast<double>(claims.elements) / static_cast<double>(claims.messages);
  return static_cast<double>(claims.rounds) *
         (costs_.latency + 2 * costs_.overhead + costs_.byte * mean * static_cast<double>(element_size));
}

}  // namespace tutti
