/// @file
/// Schedules, and what is taken for the pattern of their ranks.
#pragma once

#include <array>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "verify/symmetry.hpp"

namespace tutti::testing {

inline constexpr std::array tried_ranks{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17};

inline const char* name_of(RankSymmetry::Kind kind) {
  switch (kind) {
    case RankSymmetry::Kind::rotation:
      return "rotation";
    case RankSymmetry::Kind::exchange:
      return "exchange";
    case RankSymmetry::Kind::reflection:
      return "reflection";
    case RankSymmetry::Kind::swing:
      return "swing";
  }
  return "";
}

inline bool is_proved_by_one_rank(RankSymmetry::Kind kind, const Schedule& schedule, const Program& pattern) {
  return proof::is_proved_by_one_rank(kind, schedule.problem, pattern, [&](int rank, Program& program) {
    program = schedule.programs[static_cast<std::size_t>(rank)];
  });
}

inline Program pattern_of(const Choice& choice, const Problem& problem) {
  Program pattern;
  record_rank(choice, with_unit_blocks(problem), 0, pattern);
  return pattern;
}

/// Calls `see(kind, choice, problem)` for all cases over that many ranks that may be proved so, and all ways in which
/// their ranks may be alike.
template <typename See>
void for_each_alike_case(int ranks, See&& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
      for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
        if (proof::may_be_alike(kind, problem)) see(kind, Choice(*algorithm, parameters), problem);
      }
    });
  }
}

}  // namespace tutti::testing
