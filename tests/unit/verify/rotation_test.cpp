/// @file
/// Proofs that look at one rank for all: they prove nothing that the whole schedule does not prove, and the rings.

#include "verify/rotation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <set>
#include <string>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/choice.hpp"
#include "schedule/looks.hpp"
#include "support/mutation.hpp"
#include "support/sanitizers.hpp"
#include "verify/text.hpp"

namespace tutti::testing {
namespace {

constexpr std::array tried_ranks{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17};

bool is_proved_by_rotation(const Schedule& schedule, const Program& pattern) {
  return proof::is_proved_by_rotation(schedule.problem, pattern, [&](int rank, Program& program) {
    program = schedule.programs[static_cast<std::size_t>(rank)];
  });
}

Program pattern_of(const Choice& choice, const Problem& problem) {
  Program pattern;
  record_rank(choice, proof::with_unit_blocks(problem), 0, pattern);
  return pattern;
}

/// Calls `see(choice, problem)` for all cases that may be proved so.
template <typename See>
void for_each_rotating_case(See&& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : tried_ranks) {
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        if (proof::can_rotate(problem)) see(Choice(*algorithm, parameters), problem);
      });
    }
  }
}

bool is_round_a_ring(const Algorithm& algorithm) {
  return algorithm.name == "ring" || algorithm.name == "dissemination" ||
         (algorithm.name == "linear" && algorithm.collective == Collective::all_gather);
}

TEST(Rotation, ProvesRingsWhateverTheirBlocks) {
  std::set<std::string> proved;
  for_each_rotating_case([&](const Choice& choice, const Problem& problem) {
    const Schedule schedule = record(choice, problem);
    const bool by_rotation = is_proved_by_rotation(schedule, pattern_of(choice, problem));
    if (by_rotation && problem.ranks > 4) {
      proved.insert(std::string(name_of(problem.collective)) + " " + std::string(choice.algorithm->name));
    }
    EXPECT_TRUE(by_rotation || !is_round_a_ring(*choice.algorithm))
        << choice.algorithm->name << ", " << describe(problem);
    EXPECT_TRUE(verify(schedule).proved());
  });
  for (const std::string& each : proved) std::printf("%s\n", each.c_str());
  EXPECT_GE(proved.size(), 5U);
}

// Whatever is changed in one rank's program, or in what is taken for the pattern.
TEST(Rotation, ProvesNoMutantThatIsNotProvedAsAWhole) {
  std::mt19937_64 random(20261);
  int mutants = 0;
  int proved = 0;
  for_each_rotating_case([&](const Choice& choice, const Problem& problem) {
    if (!is_round_a_ring(*choice.algorithm) || problem.ranks > 9) return;
    const Schedule schedule = record(choice, problem);
    const Program pattern = pattern_of(choice, problem);
    for (const Mutation mutation : all_mutations()) {
      const auto mutant = mutated(schedule, mutation, random);
      if (!mutant) continue;
      ++mutants;
      const bool by_rotation = is_proved_by_rotation(mutant->schedule, pattern);
      EXPECT_TRUE(!by_rotation || verify(mutant->schedule).proved()) << describe(problem) << "\n" << mutant->change;
    }
    // The same change at every rank: a program for each, made from the changed pattern by turning it.
    const Problem unit = proof::with_unit_blocks(problem);
    for (const Mutation mutation : all_mutations()) {
      Schedule alone{unit, std::vector<Program>(static_cast<std::size_t>(unit.ranks))};
      alone.programs.front() = pattern;
      const auto mutant = mutated(alone, mutation, random);
      if (!mutant) continue;
      Schedule turned{unit, {}};
      for (int rank = 0; rank < unit.ranks; ++rank) {
        Program program = mutant->schedule.programs.front();
        bool whole = true;
        for (Op& op : program.ops) op.peer = op.communicates() ? (op.peer + rank) % unit.ranks : op.peer;
        for (Slice& slice : program.pool) {
          const bool own = (unit.collective == Collective::all_gather && slice.buffer == Buffer::input) ||
                           (unit.collective == Collective::reduce_scatter && slice.buffer == Buffer::output);
          whole = whole && slice.count <= 1;
          if (!own && slice.first >= 0) slice.first = (slice.first + rank) % unit.ranks;
        }
        if (whole) turned.programs.push_back(std::move(program));
      }
      if (static_cast<int>(turned.programs.size()) < unit.ranks) continue;
      ++mutants;
      if (!is_proved_by_rotation(turned, turned.programs.front())) continue;
      ++proved;
      const Proof whole = verify(turned);
      EXPECT_TRUE(whole.proved()) << describe(*whole.failure) << "\n" << mutant->change << "\n" << text_of(turned);
    }
  });
  std::printf("%d mutants, %d of them proved both ways\n", mutants, proved);
  EXPECT_GT(proved, 0);
}

// A message of no block, which the pattern sends and receives, is not one of a rank's own block.
TEST(Rotation, TakesNoElementsForAnEmptySlice) {
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
  EXPECT_TRUE(is_proved_by_rotation(schedule, pattern));
  for (int rank = 0; rank < problem.ranks; ++rank) {
    Program& program = schedule.programs[static_cast<std::size_t>(rank)];
    begin_with(program, OpKind::send, (rank + 1) % problem.ranks, {Buffer::input, 0, 3});
  }
  EXPECT_FALSE(verify(schedule).proved());
  EXPECT_FALSE(is_proved_by_rotation(schedule, pattern));
}

// In a barrier empty messages tell who has entered, so that a program without one is not the pattern's.
TEST(Rotation, LeavesOutNoMessageOfABarrier) {
  const Problem problem{.collective = Collective::barrier, .ranks = 5};
  const Algorithm* dissemination = algorithms::find(Collective::barrier, "dissemination");
  Schedule schedule = record(*dissemination, problem);
  Program pattern = pattern_of(*dissemination, problem);
  EXPECT_TRUE(is_proved_by_rotation(schedule, pattern));
  pattern.pool.push_back({Buffer::input, 0, 0});
  for (Op& op : pattern.ops) op.slices = 1;
  for (Program& program : schedule.programs) program.ops.clear();
  EXPECT_FALSE(verify(schedule).proved());
  EXPECT_FALSE(is_proved_by_rotation(schedule, pattern));
}

TEST(Rotation, SaysTheSameForATextAsForItsSchedule) {
  test::Sample sample;
  for (const int ranks : {65, 66, 100}) {
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      if (!sample.takes_next()) continue;
      Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 2 * ranks + 1};
      if (unmet_need(*algorithm, problem) || !proof::can_rotate(problem)) continue;
      const Proof whole = verify(record(*algorithm, problem));
      const Proof text = verify(*algorithm, problem);
      EXPECT_TRUE(whole.proved() && text.proved()) << algorithm->name;
      EXPECT_EQ(whole.single_ported, text.single_ported) << algorithm->name;
    }
  }
}

// A million messages, of which one rank's are held at a time.
TEST(Rotation, ProvesLargeRings) {
  for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce}) {
    const Problem problem{.collective = collective, .ranks = 512, .count = 1025};
    const Algorithm* ring = algorithms::find(collective, "ring");
    EXPECT_TRUE(proof::is_proved_by_rotation(problem, pattern_of(*ring, problem), [&](int rank, Program& program) {
      record_rank(*ring, problem, rank, program);
    })) << name_of(collective);
  }
}

// What a text does not look at is nothing to it.
TEST(Looks, SayWhatATextDependsOn) {
  int unlooked = 0;
  int looked = 0;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : tried_ranks) {
      Problem plain{.collective = algorithm->collective, .ranks = ranks, .count = 2 * ranks + 1, .distance = ranks / 2};
      if (unmet_need(*algorithm, plain)) continue;
      looks() = {};
      const std::string text = text_of(record_all(*algorithm, plain));
      const Looks seen = looks();
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
