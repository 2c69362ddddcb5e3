/// @file
/// Promises of the algorithms of one step, and of two, beyond their proof and their claims: how many steps they take,
/// that each fold can be one pass, what they copy and how much scratch they take.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "algorithms/catalogue.hpp"
#include "support/traffic.hpp"

namespace tutti::algorithms {
namespace {

constexpr int largest_flat_p = 17;

struct Promise {
  Collective collective;
  std::string_view name;
  int steps;
};

using enum Collective;
constexpr std::array promises{
    Promise{broadcast, "flat", 1},    Promise{broadcast, "direct", 2},      Promise{reduce, "flat", 1},
    Promise{reduce, "direct", 2},     Promise{all_reduce, "flat", 1},       Promise{all_reduce, "direct", 2},
    Promise{scan, "flat", 1},         Promise{exclusive_scan, "flat", 1},   Promise{scatter, "flat", 1},
    Promise{gather, "flat", 1},       Promise{all_gather, "direct", 1},     Promise{all_gather, "flat", 1},
    Promise{all_to_all, "direct", 1}, Promise{reduce_scatter, "direct", 1}, Promise{barrier, "flat", 1},
};

template <typename See>
void for_each_problem(bool in_place, See&& see) {
  for (const Promise& promise : promises) {
    if (in_place && !allows_in_place(promise.collective)) continue;
    const Algorithm& algorithm = *find(promise.collective, promise.name);
    for (int p = 2; p <= largest_flat_p; ++p) {
      for (const int root : {0, 1, p / 2, p - 1}) {
        if (!has_root(promise.collective) && root > 0) continue;
        const Problem problem{.collective = promise.collective,
                              .ranks = p,
                              .count = 3 * p,
                              .root = root,
                              .commutative = false,
                              .in_place = in_place};
        SCOPED_TRACE(std::string(promise.name) + ", " + describe(problem));
        see(promise, algorithm, problem);
      }
    }
  }
}

int steps_of(const Program& program) {
  return static_cast<int>(
      std::count_if(program.ops.begin(), program.ops.end(), [](const Op& op) { return op.ends_step; }));
}

TEST(Flat, TakesAsManyStepsAsItsNameSays) {
  for_each_problem(false, [](const Promise& promise, const Algorithm& algorithm, const Problem& problem) {
    int most = 0;
    for (const Program& program : record(algorithm, problem).programs) most = std::max(most, steps_of(program));
    EXPECT_EQ(most, promise.steps);
  });
}

// result = result ∘ next: what an executor can do in one pass over all operands.
TEST(Flat, EveryFoldGrowsInOnePlace) {
  for (const bool in_place : {false, true}) {
    for_each_problem(in_place, [](const Promise&, const Algorithm& algorithm, const Problem& problem) {
      for (const Program& program : record(algorithm, problem).programs) {
        for (std::size_t at = 0; at < program.ops.size(); at = program.chain_end(at)) {
          const std::string result = text_of(Slices(program.slices(program.ops[at])));
          for (std::size_t next = at + 1; next < program.chain_end(at); ++next) {
            const Op& op = program.ops[next];
            EXPECT_TRUE(op.kind == OpKind::receive_reduce || op.kind == OpKind::reduce);
            EXPECT_EQ(op.side, Side::mine_first);
            EXPECT_EQ(text_of(Slices(program.slices(op))), result);
            EXPECT_EQ(text_of(Slices(program.operand(op))), result);
          }
        }
      }
    });
  }
}

// Nothing is copied but a rank's own block if input and output are apart, and only the parts of a reduce need room.
TEST(Flat, NeedsNoScratchAndNoCopyOfWhatIsCombined) {
  for_each_problem(false, [](const Promise& promise, const Algorithm& algorithm, const Problem& problem) {
    const Schedule schedule = record(algorithm, problem);
    const bool parts = promise.collective == reduce && promise.name == "direct";
    EXPECT_EQ(largest_scratch(schedule), parts ? problem.count / problem.ranks : 0);
    if (!reduces(promise.collective)) return;
    for (int rank = 0; rank < problem.ranks; ++rank) {
      const bool only_its_own = promise.collective == scan && rank == 0;
      EXPECT_EQ(copied_elements(schedule.programs[static_cast<std::size_t>(rank)]), only_its_own ? problem.count : 0);
    }
  });
}

TEST(Flat, CopiesInPlaceNoMoreThanItSays) {
  for_each_problem(true, [](const Promise& promise, const Algorithm& algorithm, const Problem& problem) {
    const Schedule schedule = record(algorithm, problem);
    const std::int64_t moved = promise.name == "direct" ? problem.count / problem.ranks : problem.count;
    EXPECT_LE(largest_scratch(schedule), moved);
    const int last = problem.ranks - 1;
    for (int rank = 0; rank < problem.ranks; ++rank) {
      bool copies = false;
      if (promise.collective == reduce) copies = rank == problem.root && rank > 1;
      if (promise.collective == all_reduce) copies = promise.name == "flat" || rank > 1;
      if (promise.collective == scan) copies = rank > 0 && !(rank == 1 && last == 1);
      if (promise.collective == exclusive_scan) copies = rank > 0 && rank < last;
      EXPECT_EQ(copied_elements(schedule.programs[static_cast<std::size_t>(rank)]), copies ? moved : 0) << rank;
    }
  });
}

}  // namespace
}  // namespace tutti::algorithms
