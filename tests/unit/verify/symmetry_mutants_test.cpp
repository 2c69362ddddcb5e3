/// @file
/// Proofs that look at one rank for all prove no mutant that is not proved as a whole: of any algorithm that they
/// prove, over any ranks up to 16, whatever was changed in one rank's program, in what is taken for the pattern, or in
/// both.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/mutation.hpp"
#include "support/sanitizers.hpp"
#include "unit/verify/alike.hpp"
#include "unit/verify/laid_out.hpp"
#include "unit/verify/pattern_changes.hpp"
#include "verify/text.hpp"

namespace tutti::testing {
namespace {

constexpr std::array seeds{20261, 20262, 20263, 20264, 20265, 20266};
constexpr int most_ranks = 16;

/// Mutants, and what becomes of them.
class Judge {
 public:
  explicit Judge(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  void try_mutants(RankSymmetry::Kind kind, const Schedule& schedule, const Program& pattern) {
    kind_ = kind;
    for (const Mutation mutation : all_mutations()) {
      change_ = {};
      if (const auto mutant = changed(schedule, mutation)) judge("one rank", *mutant, pattern);
      change_ = {};
      const auto other = changed(schedule.problem, pattern, mutation);
      if (!other) continue;
      judge("the pattern alone", schedule, *other);
      try_alike(schedule.problem, *other);
      if (const auto twice = changed(schedule.problem, *other, all_mutations()[below(all_mutations().size())]))
        try_alike(schedule.problem, *twice);
    }
    for (const PatternChange change : pattern_changes) {
      change_ = "change " + std::to_string(static_cast<int>(change)) + " of the pattern\n";
      const auto other = PatternChanger(pattern, RankSymmetry(kind, schedule.problem.ranks), random_).make(change);
      if (!other) continue;
      try_alike(schedule.problem, *other);
      if (const auto twice = PatternChanger(*other, RankSymmetry(kind, schedule.problem.ranks), random_).make(change))
        try_alike(schedule.problem, *twice);
    }
  }

  struct Tally {
    int mutants = 0;
    int proved = 0;
  };
  const std::map<std::string, Tally>& tallies() const { return tallies_; }

 private:
  // All ranks do what the pattern says; and all but one.
  void try_alike(const Problem& problem, const Program& pattern) {
    const auto alike = LaidOut(kind_, problem, pattern).schedule();
    if (!alike) {
      const Schedule nothing{problem, std::vector<Program>(static_cast<std::size_t>(problem.ranks))};
      EXPECT_FALSE(is_proved_by_one_rank(kind_, nothing, pattern)) << change_;
      return;
    }
    judge("all ranks alike", *alike, pattern);
    if (const auto mutant = changed(*alike, all_mutations()[below(all_mutations().size())]))
      judge("all ranks alike but one", *mutant, pattern);
  }

  std::optional<Schedule> changed(const Schedule& schedule, Mutation mutation) {
    auto mutant = mutated(schedule, mutation, random_);
    if (!mutant) return std::nullopt;
    change_ += mutant->change + "\n";
    return std::move(mutant->schedule);
  }

  std::optional<Program> changed(const Problem& problem, const Program& pattern, Mutation mutation) {
    Schedule alone{with_unit_blocks(problem), std::vector<Program>(static_cast<std::size_t>(problem.ranks))};
    alone.programs.front() = pattern;
    auto mutant = changed(alone, mutation);
    if (!mutant) return std::nullopt;
    return std::move(mutant->programs.front());
  }

  void judge(const std::string& kind, const Schedule& schedule, const Program& pattern) {
    Tally& tally = tallies_[kind];
    ++tally.mutants;
    if (!is_proved_by_one_rank(kind_, schedule, pattern)) return;
    ++tally.proved;
    const Proof whole = verify(schedule);
    EXPECT_TRUE(whole.proved()) << kind << " by " << name_of(kind_) << ", " << describe(schedule.problem) << "\n"
                                << describe(*whole.failure) << "\n"
                                << change_ << text_of(schedule);
  }

  RankSymmetry::Kind kind_ = RankSymmetry::Kind::rotation;
  std::mt19937_64 random_;
  std::string change_;
  std::map<std::string, Tally> tallies_;
};

/// Calls `see(kind, schedule, pattern)` for one case of each algorithm and kind of turns that is proved so, drawn by
/// lot.
template <typename See>
void for_some_alike_schedules(int ranks, Judge& judge, See&& see) {
  std::map<std::pair<std::size_t, RankSymmetry::Kind>, std::vector<std::pair<Choice, Problem>>> cases;
  const auto catalogue = algorithms::catalogue();
  for_each_alike_case(ranks, [&](RankSymmetry::Kind kind, const Choice& choice, const Problem& problem) {
    const auto place = std::find(catalogue.begin(), catalogue.end(), choice.algorithm) - catalogue.begin();
    cases[{static_cast<std::size_t>(place), kind}].emplace_back(choice, problem);
  });
  for (const auto& [of, all] : cases) {
    const auto& [choice, problem] = all[judge.below(all.size())];
    const Schedule schedule = record(choice, problem);
    const Program pattern = pattern_of(choice, problem);
    if (is_proved_by_one_rank(of.second, schedule, pattern)) see(of.second, *choice.algorithm, schedule, pattern);
  }
}

TEST(Symmetry, ProvesNoMutantThatIsNotProvedAsAWhole) {
  std::map<std::string, Judge::Tally> all;
  std::map<std::string, int> algorithms;
  test::Sample sample;
  for (const std::uint64_t seed : seeds) {
    Judge judge(seed);
    for (int ranks = 2; ranks <= most_ranks; ++ranks) {
      for_some_alike_schedules(
          ranks, judge,
          [&](RankSymmetry::Kind kind, const Algorithm& algorithm, const Schedule& schedule, const Program& pattern) {
            if (!sample.takes_next()) return;
            ++algorithms[std::string(name_of(algorithm.collective)) + " " + std::string(algorithm.name) + " by " +
                         name_of(kind)];
            judge.try_mutants(kind, schedule, pattern);
          });
    }
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    for (const auto& [kind, tally] : judge.tallies()) {
      all[kind].mutants += tally.mutants;
      all[kind].proved += tally.proved;
    }
  }
  for (const auto& [kind, tally] : all)
    std::printf("%s: %d mutants, %d of them proved both ways\n", kind.c_str(), tally.mutants, tally.proved);
  for (const auto& [algorithm, schedules] : algorithms) std::printf("%s: %d\n", algorithm.c_str(), schedules);
  EXPECT_GT(all["all ranks alike"].proved, 0);
  EXPECT_GT(all["one rank"].mutants, 0);
}

/// A step of one operation at the pattern's end, whose lists are one slice long.
void add_step(Program& pattern, Op op, std::initializer_list<Slice> slices) {
  op.ends_step = true;
  op.at = static_cast<std::uint32_t>(pattern.pool.size());
  op.slices = 1;
  op.operand = static_cast<std::uint32_t>(slices.size() - 1);
  pattern.pool.insert(pattern.pool.end(), slices);
  pattern.ops.push_back(op);
}

// Blocks differ in length: one that lies in another's place for a while would not fit.
TEST(Symmetry, HoldsBlocksToTheirPlaces) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 3, .count = 4};
  const Algorithm* ring = algorithms::find(Collective::all_reduce, "ring");
  for (const int place : {0, 1}) {
    Program pattern = pattern_of(*ring, problem);
    pattern.scratch = problem.ranks;
    const Slice there{Buffer::scratch, place, 1};
    const Slice own{Buffer::output, 0, 1};
    add_step(pattern, {.kind = OpKind::copy}, {there, own});
    add_step(pattern, {.kind = OpKind::copy}, {own, there});
    const auto schedule = LaidOut(RankSymmetry::Kind::rotation, problem, pattern).schedule();
    ASSERT_TRUE(schedule);
    EXPECT_EQ(is_proved_by_one_rank(RankSymmetry::Kind::rotation, *schedule, pattern), place == 0);
    EXPECT_EQ(verify(*schedule).proved(), place == 0);
  }
}

// Blocks that follow one another at the sender, and do not at the receiver, would be listed in another order by some.
TEST(Symmetry, HoldsRunsOfBlocksTogether) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 4, .count = 2};
  const Algorithm* doubling = algorithms::find(Collective::all_gather, "recursive-doubling");
  struct Step {
    int peer;
    Message sent;
    Message received;
  };
  const auto block = [](int first, int count) { return Slice{Buffer::output, first, count}; };
  for (const Step& step : {Step{2, {block(0, 2)}, {block(2, 2)}}, Step{1, {block(1, 2)}, {block(0, 1), block(3, 1)}}}) {
    Program pattern = pattern_of(*doubling, problem);
    const auto add = [&](OpKind kind, const Message& slices) {
      pattern.ops.push_back({.kind = kind,
                             .ends_step = kind == OpKind::receive,
                             .peer = step.peer,
                             .at = static_cast<std::uint32_t>(pattern.pool.size()),
                             .slices = static_cast<std::uint32_t>(slices.size())});
      pattern.pool.insert(pattern.pool.end(), slices.begin(), slices.end());
    };
    add(OpKind::send, step.sent);
    add(OpKind::receive, step.received);
    const auto schedule = LaidOut(RankSymmetry::Kind::exchange, problem, pattern).schedule();
    ASSERT_TRUE(schedule);
    EXPECT_EQ(verify(*schedule).proved(), step.peer == 2);
    EXPECT_EQ(is_proved_by_one_rank(RankSymmetry::Kind::exchange, *schedule, pattern), step.peer == 2);
  }
}

// Each rank adds all up, beginning with its own.
TEST(Symmetry, HoldsSumsToOneOrder) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 3, .count = 3};
  const Slice input{Buffer::input, 0, 3};
  const Slice output{Buffer::output, 0, 3};
  Program pattern;
  add_step(pattern, {.kind = OpKind::copy}, {output, input});
  for (const int from : {1, 2}) {
    // From the receiver's own block on, seen from the sender.
    const int first = problem.ranks - from;
    add_step(pattern, {.kind = OpKind::send, .peer = first}, {{Buffer::input, first, from}, {Buffer::input, 0, first}});
    Op& send = pattern.ops.back();
    send.slices = std::exchange(send.operand, 0) + 1;
    send.ends_step = false;
    add_step(pattern, {.kind = OpKind::receive_reduce, .peer = from}, {output, output});
  }
  const auto schedule = LaidOut(RankSymmetry::Kind::rotation, problem, pattern).schedule();
  ASSERT_TRUE(schedule);
  const Proof whole = verify(*schedule);
  ASSERT_FALSE(whole.proved());
  EXPECT_EQ(whole.failure->kind, ProofFailure::Kind::not_identical) << describe(*whole.failure);
  EXPECT_FALSE(is_proved_by_one_rank(RankSymmetry::Kind::rotation, *schedule, pattern));
}

}  // namespace
}  // namespace tutti::testing
