/// @file
/// Mutants of proved schedules: whatever changes the meaning must not be proved.
///
/// Each mutant is judged twice: by `verify`, and by an interpreter that runs it on concrete data in several orders. The
/// law: what the interpreter finds wrong in any order is not proved. The other two outcomes are counted and held to
/// what they may be:
///
/// - equivalent: both accept it, for one of the reasons below: above all, a change that only regroups or reorders
///   operations that do not depend on one another, or that turns round the operands of a commutative operator.
/// - strict: the interpreter sees nothing wrong, but the proof is refused, because a rule is broken that keeps
///   schedules right on every transport and in every order: no step writes what it touches otherwise, nothing
///   uninitialized is read, a barrier does not count on rendezvous.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "support/interpreter.hpp"
#include "support/mutation.hpp"
#include "support/sanitizers.hpp"
#include "verify/verify.hpp"

namespace tutti::testing {
namespace {

constexpr int orders = 4;                // in which the interpreter runs each mutant
constexpr int mutants_per_schedule = 4;  // mutants of each kind
constexpr int schedules_per_ranks = 4;

std::uint64_t seed_of_this_run() {
  const char* given = std::getenv("TUTTI_SEED");
  const std::uint64_t seed = given == nullptr ? 20031 : std::strtoull(given, nullptr, 10);
  std::printf("seed %llu (TUTTI_SEED)\n", static_cast<unsigned long long>(seed));
  return seed;
}

/// Right in all orders that are tried, with the same bits in all of them. A barrier is tried with each rank as the last
/// to come, which the seed decides.
Observed interpret_in_some_orders(const Schedule& schedule, std::mt19937_64& random) {
  const auto p = static_cast<std::uint64_t>(schedule.problem.ranks);
  const std::uint64_t tried = schedule.problem.collective == Collective::barrier ? p : orders;
  Observed first;
  for (std::uint64_t order = 0; order < tried; ++order) {
    const Observed next = interpret(schedule, random() / p / 2 * p + order % p);
    if (!next.right) return next;
    if (order == 0) first = next;
    if (next.bits != first.bits) return {.right = false, .why = "the bits depend on the order of execution"};
  }
  return first;
}

/// Algorithms that move more than a result needs: the all-gather that ends a broadcast brings the root what it has, the
/// broadcast that ends an all-gather brings every rank its own block, a row's all-gather brings blocks meant for
/// others, and along a dimension of two ranks a mesh shift's compensating step brings a block back to where it was.
/// Elsewhere a message that can be spared is a defect of the algorithm.
bool moves_more_than_needed(const Algorithm& algorithm) {
  constexpr std::array<std::pair<Collective, std::string_view>, 10> generous{{
      {Collective::broadcast, "scatter-all-gather"},
      {Collective::broadcast, "scatter-all-gather-doubling"},
      {Collective::broadcast, "scatter-all-gather-mesh"},
      {Collective::broadcast, "scatter-all-gather-mesh-pat"},
      {Collective::broadcast, "direct"},
      {Collective::broadcast, "multi-leader"},
      {Collective::all_gather, "gather-broadcast"},
      {Collective::all_gather, "leaders"},
      {Collective::all_to_all, "tree"},
      {Collective::shift, "mesh"},
  }};
  return std::find(generous.begin(), generous.end(), std::pair(algorithm.collective, algorithm.name)) != generous.end();
}

/// Why a mutant that both accept means the same; empty where no reason is known.
std::string reason_for_equivalence(const Algorithm& algorithm, const Mutant& mutant, Mutation mutation) {
  switch (mutation) {
    case Mutation::swap:
      return mutant.within_one_step ? "order within a step" : "steps that do not depend on each other";
    case Mutation::merge_steps:
    case Mutation::split_step:
    case Mutation::split_all:
    case Mutation::swap_steps:
      return "steps that do not depend on each other";
    case Mutation::flip:
      return mutant.schedule.problem.commutative ? "the operator commutes" : "";
    case Mutation::duplicate:
      return mutant.communicates ? "" : "a local operation repeated";
    case Mutation::resize:
    case Mutation::shift:
    case Mutation::rebuffer:
      return mutant.reads_only ? "the same values read elsewhere" : "written where it is written again, or never read";
    case Mutation::lose:
    case Mutation::shorten:
      return moves_more_than_needed(algorithm) ? "a message that brings nothing new" : "";
    case Mutation::chain:
      return "an order that the messages keep anyway";
    case Mutation::drop:
    case Mutation::retarget:
    case Mutation::unchain:
    case Mutation::stray_copy:
    case Mutation::stray_receive:
      return "";
  }
  return "";
}

bool at_the_end(ProofFailure::Kind kind) {
  return kind == ProofFailure::Kind::wrong_result || kind == ProofFailure::Kind::not_identical;
}

/// Whether the proof may refuse, for this reason, what the interpreter finds right.
bool may_be_strict(const ProofFailure& failure, const Problem& problem) {
  switch (failure.kind) {
    case ProofFailure::Kind::conflict:
    case ProofFailure::Kind::uninitialized:
      return true;
    case ProofFailure::Kind::wrong_result:
      return problem.collective == Collective::barrier;
    default:
      return false;
  }
}

struct Tally {
  std::map<std::string, int> caught;      // by kind of failure
  std::map<std::string, int> equivalent;  // by reason
  std::map<std::string, int> strict;      // by kind of failure
};

class Judge {
 public:
  explicit Judge(std::mt19937_64& random) : random_(random) {}

  void try_mutants(const Algorithm& algorithm, const Schedule& schedule) {
    for (const Mutation mutation : all_mutations()) {
      for (int k = 0; k < mutants_per_schedule; ++k) {
        const auto mutant = mutated(schedule, mutation, random_);
        if (mutant) judge(algorithm, *mutant, mutation);
      }
    }
  }

  bool has_tried(const Algorithm& algorithm) const { return tried_.contains(&algorithm); }

  void print() const {
    std::printf("%d mutants\n", total_);
    for (const auto& [mutation, tally] : tallies_) {
      std::printf("%s\n", std::string(name_of(mutation)).c_str());
      for (const auto& [kind, n] : tally.caught) std::printf("    caught     %6d  %s\n", n, kind.c_str());
      for (const auto& [kind, n] : tally.strict) std::printf("    strict     %6d  %s\n", n, kind.c_str());
      for (const auto& [reason, n] : tally.equivalent) std::printf("    equivalent %6d  %s\n", n, reason.c_str());
    }
  }

 private:
  void judge(const Algorithm& algorithm, const Mutant& mutant, Mutation mutation) {
    ++total_;
    tried_.insert(&algorithm);
    Tally& tally = tallies_[mutation];
    const Proof proof = verify(mutant.schedule);
    const Observed observed = interpret_in_some_orders(mutant.schedule, random_);
    const std::string what =
        describe(mutant.schedule.problem) + ", " + std::string(algorithm.name) + "; " + mutant.change;
    if (proof.proved()) {
      ASSERT_TRUE(observed.right) << "proved, but " << observed.why << ": " << what << "\n" << text_of(mutant.schedule);
      const std::string reason = reason_for_equivalence(algorithm, mutant, mutation);
      EXPECT_FALSE(reason.empty()) << "proved and right for no known reason: " << what << "\n"
                                   << text_of(mutant.schedule);
      ++tally.equivalent[reason];
      return;
    }
    const ProofFailure& failure = *proof.failure;
    EXPECT_GE(failure.rank, 0) << what << "\n" << describe(failure);
    EXPECT_TRUE(failure.step >= 1 || at_the_end(failure.kind)) << what << "\n" << describe(failure);
    EXPECT_FALSE(failure.reason.empty()) << what;
    EXPECT_EQ(failure.kind == ProofFailure::Kind::deadlock, failure.cycle.size() >= 2) << what << "\n"
                                                                                       << describe(failure);
    EXPECT_TRUE(!observed.right || may_be_strict(failure, mutant.schedule.problem)) << what << "\n"
                                                                                    << describe(failure);
    ++(observed.right ? tally.strict : tally.caught)[std::string(name_of(failure.kind))];
  }

  std::mt19937_64& random_;
  int total_ = 0;
  std::set<const Algorithm*> tried_;
  std::map<Mutation, Tally> tallies_;
};

/// Calls `see(algorithm, schedule)` for some proved schedules of every algorithm, drawn by lot among its cases.
template <typename See>
void for_some_schedules(std::mt19937_64& random, See&& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    test::Sample sample;
    for (const int ranks : {2, 3, 4, 5, 8, 9}) {
      std::vector<std::pair<Problem, Choice>> cases;
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        cases.emplace_back(problem, Choice(*algorithm, parameters));
      });
      for (int k = 0; k < schedules_per_ranks && !cases.empty(); ++k) {
        const auto& [problem, choice] = cases[random() % cases.size()];
        if (sample.takes_next()) see(*algorithm, record(choice, problem));
      }
    }
  }
}

TEST(Mutation, NoMutantThatChangesTheMeaningIsProved) {
  std::mt19937_64 random(seed_of_this_run());
  Judge judge(random);
  for_some_schedules(random, [&](const Algorithm& algorithm, const Schedule& schedule) {
    const bool proved = verify(schedule).proved();
    const Observed observed = interpret_in_some_orders(schedule, random);
    EXPECT_TRUE(proved && observed.right)
        << describe(schedule.problem) << ", " << algorithm.name << ": " << observed.why;
    if (proved && observed.right) judge.try_mutants(algorithm, schedule);
  });
  judge.print();
  // Schedules of some algorithms in a sample may all be too small to be changed.
  if (test::addresses_are_reserved) return;
  for (const Algorithm* algorithm : algorithms::catalogue())
    EXPECT_TRUE(judge.has_tried(*algorithm)) << algorithm->name;
}

// Several changes one upon the other: schedules that nobody would write must neither upset the verifier nor slip
// through.
TEST(Mutation, ManyChangesAtOnceAreProvedOnlyIfRight) {
  std::mt19937_64 random(seed_of_this_run());
  int total = 0;
  int proved = 0;
  for_some_schedules(random, [&](const Algorithm& algorithm, Schedule schedule) {
    for (int changes = 0; changes < 6; ++changes) {
      const Mutation mutation = all_mutations()[random() % all_mutations().size()];
      if (auto mutant = mutated(schedule, mutation, random)) schedule = std::move(mutant->schedule);
      ++total;
      if (!verify(schedule).proved()) continue;
      ++proved;
      const Observed observed = interpret_in_some_orders(schedule, random);
      EXPECT_TRUE(observed.right) << describe(schedule.problem) << ", " << algorithm.name << ": " << observed.why
                                  << "\n"
                                  << text_of(schedule);
    }
  });
  std::printf("%d changed schedules, %d of them proved and right\n", total, proved);
}

}  // namespace
}  // namespace tutti::testing
