/// @file
/// Proofs that look at one rank for all: they prove nothing that the whole schedule does not prove, and rings, and what
/// doubles what ranks hold between ranks whose numbers differ in a bit, or that swing.

#include "verify/symmetry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <set>
#include <string>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/record/parameter_access.hpp"
#include "schedule/symmetry/symmetry_matcher.hpp"
#include "support/sanitizers.hpp"
#include "unit/verify/alike.hpp"
#include "verify/text.hpp"

namespace tutti::testing {
namespace {

bool is_round_a_ring(const Algorithm& algorithm) {
  return algorithm.name == "ring" || algorithm.name == "dissemination" ||
         (algorithm.name == "linear" && algorithm.collective == Collective::all_gather);
}

// Returns the symmetry of an algorithm's ranks, which was made so.
std::optional<RankSymmetry::Kind> made_alike(const Algorithm& algorithm) {
  if (is_round_a_ring(algorithm)) return RankSymmetry::Kind::rotation;
  if (algorithm.name == "rabenseifner") return RankSymmetry::Kind::exchange;
  if (algorithm.collective == Collective::all_to_all)
    return algorithm.name == "hypercube" || algorithm.name == "pairwise" ? std::optional(RankSymmetry::Kind::exchange)
                                                                         : std::nullopt;
  if (algorithm.collective == Collective::all_reduce && algorithm.name == "bine") return RankSymmetry::Kind::reflection;
  if (algorithm.collective == Collective::all_reduce && algorithm.name == "swing") return RankSymmetry::Kind::swing;
  if (algorithm.collective != Collective::all_gather && algorithm.collective != Collective::reduce_scatter)
    return std::nullopt;
  if (algorithm.name == "recursive-doubling" || algorithm.name == "recursive-halving")
    return RankSymmetry::Kind::exchange;
  return algorithm.name == "bine" ? std::optional(RankSymmetry::Kind::reflection) : std::nullopt;
}

TEST(RankSymmetry, AreGroupsThatTakeRankZeroToEachRank) {
  for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
    for (int p = 1; p <= 16; ++p) {
      if (!RankSymmetry::fit(kind, p)) continue;
      const RankSymmetry turns(kind, p);
      for (int a = 0; a < p; ++a) {
        EXPECT_EQ(turns(a, 0), a);
        EXPECT_EQ(turns(turns.back(a), a), 0);
        for (int b = 0; b < p; ++b) {
          for (int n = 0; n < p; ++n) {
            EXPECT_EQ(turns(a, turns(b, n)), turns(turns(a, b), n));
            EXPECT_EQ(turns.block(a, turns.block(b, n)), turns.block(turns(a, b), n));
          }
          EXPECT_EQ(turns.owner(turns.block(a, b)), turns(a, turns.owner(b)));
        }
        EXPECT_EQ(turns.owner(turns.block(a, 0)), a);
      }
    }
  }
}

TEST(RankSymmetry, TurnRunsAsTheyTurnBlocks) {
  for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
    for (int p = 1; p <= 16; ++p) {
      if (!RankSymmetry::fit(kind, p)) continue;
      const RankSymmetry turns(kind, p);
      for (int rank = 0; rank < p; ++rank) {
        for (int first = 0; first < p; ++first) {
          for (int count = 0; first + count <= p; ++count) {
            std::multiset<int> due;
            std::multiset<int> found;
            for (int n = first; n < first + count; ++n) due.insert(turns.block(rank, n));
            turns.turn_run(rank, first, count, [&](int begin, int end) {
              for (int n = begin; n < end; ++n) found.insert(n);
            });
            EXPECT_EQ(found, due) << name_of(kind) << ", " << p << " ranks, rank " << rank;
          }
        }
      }
    }
  }
}

// Blocks n and n + 1 lie in one aligned run of 2^k blocks as soon as what they become does. By swing the turns of
// ranks 1 and p - 1 make up all others.
TEST(RankSymmetry, KeepAlignedRunsOfBlocks) {
  for (int p = 1; p <= 1 << 20; p *= 2) {
    for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
      if (!RankSymmetry::fit(kind, p)) continue;
      const RankSymmetry turns(kind, p);
      if (!turns.keeps_aligned_runs()) continue;
      int broken = 0;
      for (const int rank : {p > 1 ? 1 : 0, p / 2, p - 1}) {
        for (int n = 0; n + 1 < p; ++n) {
          const int apart = turns.block(rank, n) ^ turns.block(rank, n + 1);
          broken += std::bit_width(static_cast<unsigned>(apart)) != std::bit_width(static_cast<unsigned>(n ^ (n + 1)));
        }
      }
      EXPECT_EQ(broken, 0) << name_of(kind) << ", " << p << " ranks";
    }
  }
}

// Sorted, such a run would have blocks twice, in an order that nothing says.
TEST(SymmetryMatcher, TakesNoRunForSortedThatHasBlocksTwice) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 1, .count = 1};
  for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
    if (!RankSymmetry::fit(kind, 1)) continue;
    const Slice block{Buffer::output, 0, 1};
    const Program twice{.ops = {{.kind = OpKind::copy, .ends_step = true, .slices = 2, .operand = 2}},
                        .pool = {block, block, block, block}};
    const RankSymmetry turns(kind, 1);
    EXPECT_EQ(SymmetryMatcher(turns, problem, twice).is_program_of(0, twice), kind == RankSymmetry::Kind::rotation);
  }
}

TEST(Symmetry, ProvesWhatWasMadeAlikeWhateverItsBlocks) {
  std::set<std::string> proved;
  test::Sample sample;
  const auto see = [&](RankSymmetry::Kind kind, const Choice& choice, const Problem& problem) {
    const Schedule schedule = record(choice, problem);
    const bool by_one_rank = is_proved_by_one_rank(kind, schedule, pattern_of(choice, problem));
    if (by_one_rank && problem.ranks > 4) {
      proved.insert(std::string(name_of(problem.collective)) + " " + std::string(choice.algorithm->name) + " by " +
                    name_of(kind));
    }
    EXPECT_TRUE(by_one_rank || made_alike(*choice.algorithm) != kind)
        << choice.algorithm->name << ", " << describe(problem);
    if (sample.takes_next()) {
      EXPECT_TRUE(verify(schedule).proved());
    }
  };
  for (const int ranks : tried_ranks) for_each_alike_case(ranks, see);
  for (const std::string& each : proved) std::printf("%s\n", each.c_str());
  EXPECT_GE(proved.size(), 9U);
}

// A message of no block, which the pattern sends and receives, is not one of a rank's own block.
TEST(Symmetry, TakesNoElementsForAnEmptySlice) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 5, .count = 3};
  const Algorithm* ring = algorithms::find(Collective::all_gather, "ring");
  Schedule schedule = record(*ring, problem);
  Program pattern = pattern_of(*ring, problem);
  const auto begin_with = [](Program& program, OpKind kind, int peer, const Slice& slice) {
    const auto at = static_cast<std::uint32_t>(program.pool.size());
    program.pool.push_back(slice);
    program.ops.insert(program.ops.begin(), {.kind = kind, .ends_step = true, .peer = peer, .at = at, .slices = 1});
  };
  begin_with(pattern, OpKind::receive, 4, {Buffer::output, 0, 0});
  begin_with(pattern, OpKind::send, 1, {Buffer::input, 0, 0});
  pattern.ops.front().ends_step = false;
  EXPECT_TRUE(is_proved_by_one_rank(RankSymmetry::Kind::rotation, schedule, pattern));
  for (int rank = 0; rank < problem.ranks; ++rank) {
    Program& program = schedule.programs[static_cast<std::size_t>(rank)];
    begin_with(program, OpKind::send, (rank + 1) % problem.ranks, {Buffer::input, 0, 3});
  }
  EXPECT_FALSE(verify(schedule).proved());
  EXPECT_FALSE(is_proved_by_one_rank(RankSymmetry::Kind::rotation, schedule, pattern));
}

// In a barrier empty messages tell who has entered, so that a program without one is not the pattern's.
TEST(Symmetry, LeavesOutNoMessageOfABarrier) {
  const Problem problem{.collective = Collective::barrier, .ranks = 5};
  const Algorithm* dissemination = algorithms::find(Collective::barrier, "dissemination");
  Schedule schedule = record(*dissemination, problem);
  Program pattern = pattern_of(*dissemination, problem);
  EXPECT_TRUE(is_proved_by_one_rank(RankSymmetry::Kind::rotation, schedule, pattern));
  pattern.pool.push_back({Buffer::input, 0, 0});
  for (Op& op : pattern.ops) op.slices = 1;
  for (Program& program : schedule.programs) program.ops.clear();
  EXPECT_FALSE(verify(schedule).proved());
  EXPECT_FALSE(is_proved_by_one_rank(RankSymmetry::Kind::rotation, schedule, pattern));
}

TEST(Symmetry, SaysTheSameForATextAsForItsSchedule) {
  test::Sample sample;
  for (const int ranks : {65, 66, 100, 128}) {
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      if (!sample.takes_next()) continue;
      Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 2 * ranks + 1};
      if (unmet_need(*algorithm, problem) || !proof::may_be_alike(RankSymmetry::Kind::rotation, problem)) continue;
      const Proof whole = verify(record(*algorithm, problem));
      const Proof text = verify(*algorithm, problem);
      EXPECT_TRUE(whole.proved() && text.proved()) << algorithm->name;
      EXPECT_EQ(whole.single_ported, text.single_ported) << algorithm->name;
      EXPECT_FALSE(whole.by_symmetry);
      const auto kind = made_alike(*algorithm);
      EXPECT_TRUE(text.by_symmetry || !kind || !RankSymmetry::fit(*kind, ranks)) << algorithm->name;
      EXPECT_EQ(text.by_symmetry, verify_by_symmetry(*algorithm, problem).has_value()) << algorithm->name;
    }
  }
}

// A million messages, of which one rank's are held at a time.
TEST(Symmetry, ProvesLargeRings) {
  for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce}) {
    const Problem problem{.collective = collective, .ranks = 512, .count = 1025};
    const Algorithm* ring = algorithms::find(collective, "ring");
    EXPECT_TRUE(
        proof::is_proved_by_one_rank(RankSymmetry::Kind::rotation, problem, pattern_of(*ring, problem),
                                     [&](int rank, Program& program) { record_rank(*ring, problem, rank, program); }))
        << name_of(collective);
  }
}

TEST(Symmetry, ProvesWhatDoublesOverThousandsOfRanks) {
  for (const char* name : {"recursive-doubling", "bine", "recursive-halving"}) {
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
      const Algorithm* algorithm = algorithms::find(collective, name);
      if (algorithm == nullptr) continue;
      Problem problem{.collective = collective, .ranks = 4096, .count = 3};
      EXPECT_TRUE(verify_by_symmetry(*algorithm, problem)) << name;
      for (int block = 0; block < problem.ranks; ++block) problem.counts.push_back(block * 7 % 5);
      EXPECT_TRUE(verify_by_symmetry(*algorithm, problem)) << name;
    }
  }
}

// Parts of a message differ in length by one, or are empty.
TEST(Symmetry, ProvesSwingsOfPartsOverAnyFittingRanks) {
  const Algorithm* swing = algorithms::find(Collective::all_reduce, "swing");
  for (int ranks = 1; ranks <= 4096; ranks *= 2) {
    for (const int count : {0, 3, ranks + 1}) {
      const Problem problem{.collective = Collective::all_reduce, .ranks = ranks, .count = count};
      EXPECT_TRUE(verify_by_symmetry(*swing, problem)) << describe(problem);
      EXPECT_TRUE(ranks > 64 || verify(record_all(*swing, problem)).proved()) << describe(problem);
    }
  }
}

// A text depends on nothing that it does not look at.
TEST(ParameterAccess, SayWhatATextDependsOn) {
  int unlooked = 0;
  int looked = 0;
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : tried_ranks) {
      Problem plain{.collective = algorithm->collective, .ranks = ranks, .count = 2 * ranks + 1, .distance = ranks / 2};
      if (unmet_need(*algorithm, plain) || !sample.takes_next()) continue;
      RecordingContext context;
      const std::string text = text_of(record_all(context, *algorithm, plain));
      const ParameterAccess& seen = context.access();
      for (const Shape& grid : {Shape{ranks, 1}, Shape{1, ranks}, Shape::nearest_cube(ranks, 3)}) {
        const bool same = text_of(record_all({*algorithm, {.grid = grid}}, plain)) == text;
        EXPECT_TRUE(same || seen.at_grid > 0) << algorithm->name;
      }
      for (const int segments : {1, 2, 3, 5}) {
        const bool same = text_of(record_all({*algorithm, {.segments = segments}}, plain)) == text;
        EXPECT_TRUE(same || seen.at_segments > 0) << algorithm->name;
      }
      for (const int radix : {2, 3, 5}) {
        const bool same = text_of(record_all({*algorithm, {.radix = radix}}, plain)) == text;
        EXPECT_TRUE(same || seen.at_radix > 0) << algorithm->name;
      }
      ++(seen.at_grid == 0 && seen.at_segments == 0 && seen.at_radix == 0 ? unlooked : looked);
    }
  }
  EXPECT_GT(unlooked, 0);
  EXPECT_GT(looked, 0);
}

}  // namespace
}  // namespace tutti::testing
