#include "predict/machine_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.hpp"
#include "predict/bound.hpp"
#include "predict/estimate.hpp"
#include "predict/play.hpp"

namespace tutti {
namespace {

/// Above this a schedule of few ranks is too long to be played, too: of messages in many segments.
constexpr std::int64_t most_played_messages = 20'000;

bool is_played(const Choice& choice, const Problem& problem, const Layout& layout) {
  return problem.ranks <= MachineModel::most_played_ranks && problem.known_to < 0 &&
         claims_or_traffic(choice, problem, layout).messages <= most_played_messages;
}

}  // namespace

double MachineModel::seconds_of(const Choice& choice, const Problem& problem, std::int64_t element_size,
                                Calls calls) const {
  if (!is_played(choice, problem, layout_)) {
    return estimated_seconds(costs_, cores_, choice, with_even_blocks(problem), element_size, calls);
  }
  if (claims_or_traffic(choice, problem, layout_).messages == 0) return 0;
  return played_seconds(costs_, cores_, record_all(choice, problem, layout_), element_size, calls);
}

double MachineModel::seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  return seconds_of(choice, problem, element_size, Calls::in_a_row);
}

double MachineModel::seconds_once(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  return seconds_of(choice, problem, element_size, Calls::one);
}

double MachineModel::at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
  const bool played = is_played(choice, problem, layout_);
  return least_seconds(costs_, cores_, choice, played ? problem : with_even_blocks(problem), element_size);
}

double MachineModel::bound(const Problem& problem, std::int64_t element_size) const {
  return bound_seconds(costs_, cores_, problem, element_size);
}

Problem MachineModel::essence(const Problem& problem) const {
  return problem.ranks <= most_played_ranks && problem.known_to < 0 ? problem : with_even_blocks(problem);
}

double MachineModel::seconds_unevenly(const Choice& choice, const Problem& problem, std::int64_t element_size,
                                      std::span<const double> starts) const {
  if (claims_or_traffic(choice, problem, layout_).messages > most_played_messages)
    return std::numeric_limits<double>::infinity();
  return played_seconds(costs_, cores_, record_all(choice, problem, layout_), element_size, starts);
}

/// Nothing is done before the last rank is there, where each hears of each other; else not before the first.
double UnevenModel::bound(const Problem& problem, std::int64_t element_size) const {
  const double even = machine_.bound(problem, element_size);
  return necessary_for(problem).mutual ? std::max(even, *std::max_element(starts_.begin(), starts_.end())) : even;
}

std::string UnevenModel::describe() const {
  std::string words = machine_.describe() + "; one call";
  for (std::size_t rank = 0; rank < starts_.size(); ++rank) {
    if (starts_[rank] > 0) words += fmt::format(", rank {} comes after {}", rank, text_of(Seconds{starts_[rank]}));
  }
  return words;
}

}  // namespace tutti
