/// @file
/// Schedules, and what is taken for the pattern of their ranks.
#pragma once

#include <array>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/choice.hpp"
#include "verify/rotation.hpp"

namespace tutti::testing {

inline constexpr std::array tried_ranks{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17};

inline bool is_proved_by_rotation(const Schedule& schedule, const Program& pattern) {
  return proof::is_proved_by_rotation(schedule.problem, pattern, [&](int rank, Program& program) {
    program = schedule.programs[static_cast<std::size_t>(rank)];
  });
}

inline Program pattern_of(const Choice& choice, const Problem& problem) {
  Program pattern;
  record_rank(choice, proof::with_unit_blocks(problem), 0, pattern);
  return pattern;
}

/// Calls `see(choice, problem)` for all cases over that many ranks that may be proved so.
template <typename See>
void for_each_rotating_case(int ranks, See&& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
      if (proof::can_rotate(problem)) see(Choice(*algorithm, parameters), problem);
    });
  }
}

}  // namespace tutti::testing
