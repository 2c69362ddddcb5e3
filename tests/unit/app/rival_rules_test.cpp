/// @file
/// Default choices of other libraries: every call has an answer, and equals are algorithms that fit.

#include "app/commands/plan/rival_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "algorithms/catalogue.hpp"
#include "tutti/error.hpp"

namespace tutti::app {
namespace {

using enum Collective;

constexpr Collective collectives[] = {broadcast,  reduce,         all_reduce, scatter, gather,
                                      all_gather, reduce_scatter, all_to_all, barrier};

TEST(RivalRules, SayWhatEachCallTakes) {
  for (const RivalRules& rules : rival_rules()) {
    for (const Collective collective : collectives) {
      for (const int ranks : {2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 72, 128, 500, 1000, 2048, 4095, 4096, 100'000}) {
        for (std::int64_t count = 0; count < std::int64_t{1} << 24; count = 3 * count + 1) {
          const Problem problem{.collective = collective, .ranks = ranks, .count = count};
          const std::string_view taken = taken_by(rules, problem, 8);
          EXPECT_NE(taken, "") << rules.library << ": " << describe(problem);
          const Algorithm* const equal = equal_of(rules, problem, taken);
          EXPECT_TRUE(equal == nullptr || !unmet_need(*equal, problem)) << rules.library << ": " << describe(problem);
        }
      }
    }
  }
}

// Steps and rows that come too late to be reached would be mistakes of whoever restated them.
TEST(RivalRules, AscendToTheEnd) {
  for (const RivalRules& rules : rival_rules()) {
    for (const RivalRow& row : rules.rows) {
      std::int64_t before = 0;
      for (const RivalStep& step : row.steps) {
        EXPECT_GT(step.below, before) << rules.library << ": " << name_of(row.collective) << ' ' << row.below_ranks;
        before = step.below;
      }
      EXPECT_EQ(before, any_bytes) << rules.library << ": " << name_of(row.collective) << ' ' << row.below_ranks;
    }
    for (std::size_t k = 1; k < rules.rows.size(); ++k) {
      const RivalRow& last = rules.rows[k - 1];
      const RivalRow& row = rules.rows[k];
      const bool is_next = last.collective == row.collective && last.condition == RivalCondition::always;
      EXPECT_TRUE(!is_next || last.below_ranks < row.below_ranks) << rules.library << ": " << name_of(row.collective);
    }
  }
}

// A few of what the libraries' sources say, by hand.
TEST(RivalRules, AreThoseOfTheirLibraries) {
  struct Case {
    std::size_t library;
    Collective collective;
    int ranks;
    std::int64_t bytes;
    std::string taken, equal;
  };
  for (const Case& each :
       {Case{0, all_reduce, 64, 8, "recursive_doubling", "recursive-doubling"},
        Case{0, all_reduce, 64, 262144, "rabenseifner", "rabenseifner"},
        Case{0, all_reduce, 16, 56, "segmented_ring", "recursive-doubling"},
        Case{0, all_reduce, 3, 100'000, "segmented_ring", "ring"},
        Case{0, all_reduce, 3, 4096, "ring", "ring"},
        Case{0, all_reduce, 3, 0, "ring", "recursive-doubling"},
        Case{0, all_reduce, 32, 128, "rabenseifner", ""},
        Case{0, all_reduce, 32, 256, "rabenseifner", "rabenseifner"},
        Case{0, all_gather, 16, 8, "recursive_doubling", "recursive-doubling"},
        Case{0, all_gather, 24, 8, "recursive_doubling", "bruck"},
        Case{0, all_gather, 72, 1024, "neighbor", "neighbour-exchange"},
        Case{0, all_gather, 73, 1024, "neighbor", "ring"},
        Case{0, all_to_all, 12, 8, "linear_sync", "linear"},
        Case{0, broadcast, 64, 8, "knomial", "k-nomial"},
        Case{0, scatter, 64, 1024, "linear_nb", "linear"},
        Case{0, broadcast, 7, 1 << 20, "chain", ""},
        Case{0, broadcast, 16, 1 << 20, "scatter_allgather", "scatter-all-gather-doubling"},
        Case{0, all_gather, 72, 65536, "ring", "ring"},
        Case{0, barrier, 64, 0, "bruck", "dissemination"},
        Case{1, all_reduce, 64, 8, "MPIR_Allreduce_intra_recursive_doubling", "recursive-doubling"},
        Case{1, all_reduce, 64, 512, "MPIR_Allreduce_intra_reduce_scatter_allgather", "rabenseifner"},
        Case{1, all_gather, 64, 8184, "MPIR_Allgather_intra_recursive_doubling", "recursive-doubling"},
        Case{1, all_gather, 64, 8192, "MPIR_Allgather_intra_ring", "ring"},
        Case{1, all_to_all, 72, 1 << 20, "MPIR_Alltoall_intra_pairwise", "pairwise-modular"}}) {
    const RivalRules& rules = rival_rules()[each.library];
    const Problem problem{.collective = each.collective, .ranks = each.ranks, .count = each.bytes / 8};
    const std::string_view taken = taken_by(rules, problem, 8);
    EXPECT_EQ(taken, each.taken) << describe(problem);
    const Algorithm* const equal = equal_of(rules, problem, taken);
    EXPECT_EQ(equal == nullptr ? "" : equal->name, each.equal) << describe(problem);
  }
}

// Each name of a counterpart is one that the rules use, but for those that no default takes.
TEST(RivalRules, KnowTheirCounterparts) {
  for (const RivalRules& rules : rival_rules()) {
    std::set<std::pair<Collective, std::string_view>> used;
    for (const RivalRow& row : rules.rows) {
      for (const RivalStep& step : row.steps) used.insert({row.collective, step.algorithm});
    }
    const auto is_used = [&](const Counterpart& each) { return used.contains({each.collective, each.name}); };
    const std::set<std::string_view> never{"scatter_allgather_ring"};
    for (const Counterpart& each : rules.counterparts) {
      const bool is_of_counts = each.collective == reduce_scatter && each.name == "ring";
      EXPECT_TRUE(is_used(each) || never.contains(each.name) || is_of_counts) << rules.library << ": " << each.name;
    }
  }
}

// Only functions that a library's rules name may do something else than their names say.
TEST(RivalRules, KnowWhatFunctionsDo) {
  for (const RivalRules& rules : rival_rules()) {
    for (const Substitution& each : rules.substitutions) {
      const bool is_taken = std::any_of(rules.rows.begin(), rules.rows.end(), [&](const RivalRow& row) {
        return row.collective == each.collective &&
               std::any_of(row.steps.begin(), row.steps.end(),
                           [&](const RivalStep& step) { return step.algorithm == each.function; });
      });
      EXPECT_TRUE(is_taken) << each.function;
      const Algorithm* const algorithm = algorithms::find(each.collective, each.algorithm);
      EXPECT_TRUE(each.algorithm.empty() || (algorithm != nullptr && algorithm->name == each.algorithm))
          << each.algorithm;
    }
  }
}

// Mistakes in a file are named, with what stands there.
TEST(RivalRules, NameLinesThatAreWrong) {
  for (const char* line : {"rule all-reduce 4 always any", "rule all-reduce 4 sometimes any ring",
                           "runs all-reduce ring", "equal all-reduce ring ring MPI_Allreduce 2 x always", "rules"})
    EXPECT_THROW(read_rival_rules(line), Error) << line;
  const RivalRules rules = read_rival_rules("# comment\n\nlibrary A 1\nrule barrier any always any tree\n");
  EXPECT_EQ(rules.library, "A 1");
  EXPECT_EQ(taken_by(rules, {.collective = barrier, .ranks = 4}, 8), "tree");
}

}  // namespace
}  // namespace tutti::app
