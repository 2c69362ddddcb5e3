/// @file
/// Choosing by a stopwatch: who is tried, which call does what, and that every rank comes to the same winner.

#include "plan/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/catalogue.hpp"
#include "predict/model/machine_model.hpp"

namespace tutti {
namespace {

Problem problem_of(Collective collective, int ranks, std::int64_t count) {
  Problem problem{.collective = collective, .ranks = ranks, .count = count};
  if (collective == Collective::shift) problem.distance = 1;
  if (collective == Collective::barrier) problem.count = 0;
  return problem;
}

TEST(Contenders, FitAndBeginWithWhatIsChosen) {
  const MachineModel model(threads_costs, 2);
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {2, 3, 8, 12}) {
      for (const std::int64_t count : {1, 1000, 100'000}) {
        const Problem problem = problem_of(collective, ranks, count);
        const Contenders few = contenders_for(problem, {}, 8, model, Planning::measure);
        const Contenders many = contenders_for(problem, {}, 8, model, Planning::patient);
        const std::vector<const Algorithm*> candidates = candidates_for(problem, Layout{});
        EXPECT_EQ(few.all.front().algorithm, choose(problem, {}, 8, model).algorithm) << describe(problem);
        EXPECT_EQ(few.all, many.all) << "a winner of the one is one of the other";
        EXPECT_LE(few.tried, 4u);
        EXPECT_GE(many.tried, few.tried);
        EXPECT_LE(many.tried * static_cast<std::size_t>(many.rounds), std::size_t{Trial::most_rows});
        for (std::size_t k = 0; k < many.all.size(); ++k) {
          EXPECT_TRUE(std::find(candidates.begin(), candidates.end(), many.all[k].algorithm) != candidates.end());
          EXPECT_EQ(std::find(many.all.begin(), many.all.end(), many.all[k]) - many.all.begin(), std::ptrdiff_t(k));
        }
      }
    }
  }
}

TEST(Contenders, OfANonCommutativeOperatorKeepItsOrder) {
  const MachineModel model(threads_costs, 2);
  Problem problem = problem_of(Collective::all_reduce, 6, 1000);
  problem.commutative = false;
  for (const Choice& choice : contenders_for(problem, {}, 8, model, Planning::patient).all)
    EXPECT_FALSE(unmet_need(*choice.algorithm, problem)) << choice.algorithm->name;
}

TEST(Contenders, DifferInSegmentsWhereTheseAreLeftOpen) {
  const MachineModel model(threads_costs, 8);
  const Problem problem = problem_of(Collective::broadcast, 8, 1'000'000);
  const auto variants = [&](const Parameters& parameters) {
    std::set<std::pair<std::string_view, int>> found;
    for (const Choice& choice : contenders_for(problem, parameters, 8, model, Planning::patient).all)
      found.insert({choice.algorithm->name, choice.parameters.segments});
    return found;
  };
  std::set<int> open;
  for (const auto& [name, segments] : variants({})) open.insert(segments);
  EXPECT_GT(open.size(), 1u);
  for (const auto& [name, segments] : variants({.segments = 4, .grid = {}})) EXPECT_EQ(segments, 4);
}

Contenders example(std::size_t n, std::size_t tried, int rounds) {
  Contenders contenders{.all = {}, .tried = tried, .rounds = rounds};
  const auto candidates = candidates_for(problem_of(Collective::all_reduce, 4, 100), Layout{});
  for (std::size_t k = 0; k < n; ++k) contenders.all.emplace_back(*candidates[k]);
  return contenders;
}

/// Ranks that make the same calls, and hear of one another what they tell.
class Ranks {
 public:
  Ranks(int p, const Contenders& contenders) : trials_(static_cast<std::size_t>(p), Trial(contenders)) {}

  /// One call on every rank; `took` says what it takes, in nanoseconds.
  template <typename Took>
  std::size_t call(std::optional<std::size_t> known, const Took& took) {
    std::vector<std::int64_t> tickets;
    Trial::Words most = {};
    for (std::size_t rank = 0; rank < trials_.size(); ++rank) {
      tickets.push_back(trials_[rank].take_ticket());
      EXPECT_TRUE(trials_[rank].may_begin(tickets.back()));
      const Trial::Words words = trials_[rank].words(tickets.back(), rank == 0 ? known : std::optional<std::size_t>());
      for (std::size_t k = 0; k < words.size(); ++k) most[k] = std::max(most[k], words[k]);
    }
    std::set<std::size_t> contenders;
    for (std::size_t rank = 0; rank < trials_.size(); ++rank) {
      Trial& trial = trials_[rank];
      EXPECT_EQ(trial.prelude(tickets[rank]), trials_.front().prelude(tickets.front()));
    }
    const bool hears = trials_.front().prelude(tickets.front()) == Trial::Prelude::hear;
    for (std::size_t rank = 0; rank < trials_.size(); ++rank) {
      Trial& trial = trials_[rank];
      if (hears) trial.hear(tickets[rank], most);
      contenders.insert(trial.contender(tickets[rank]));
      if (trial.is_timed(tickets[rank])) trial.took(tickets[rank], took(static_cast<int>(rank), *contenders.begin()));
    }
    EXPECT_EQ(contenders.size(), 1u) << "all ranks make the call by the same algorithm";
    return *contenders.begin();
  }
  const Trial& operator[](int rank) const { return trials_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<Trial> trials_;
};

// The contender that was predicted to be fastest wins if others differ by less than few calls can tell.
TEST(Trials, KeepWhatWasPredictedUnlessAnotherIsClearlyFaster) {
  for (const std::int64_t other : {600, 500, 460, 440, 300}) {
    Ranks ranks(3, example(4, 3, 4));
    const auto took = [&](int, std::size_t contender) -> std::int64_t { return contender == 2 ? other : 500; };
    for (int call = 0; call < ranks[0].calls(); ++call) ranks.call({}, took);
    EXPECT_EQ(ranks.call({}, took), other < 450 ? 2u : 0u) << other;
    const bool is_overruled = other >= 450 && other < 500;
    EXPECT_EQ(verdict_in_words(ranks[0]).ends_with(" is kept. The model chose it, and no other took less by 10 %."),
              is_overruled)
        << verdict_in_words(ranks[0]);
  }
}

// The contender that is fastest on one rank alone does not win: the slowest rank's time counts.
TEST(Trials, TakeTheContenderWhoseSlowestRankIsFastest) {
  for (int p = 1; p <= 5; ++p) {
    Ranks ranks(p, example(4, 3, 4));
    const auto took = [&](int rank, std::size_t contender) -> std::int64_t {
      const std::int64_t seconds[] = {500, 300, 400};
      if (contender == 1 && rank == p - 1 && p > 1) return 900;
      return contender == 1 && rank == 0 ? 10 : seconds[contender];
    };
    std::vector<std::size_t> made_by;
    for (int call = 0; call < ranks[0].calls(); ++call) made_by.push_back(ranks.call({}, took));
    for (std::size_t contender = 0; contender < 3; ++contender)
      EXPECT_EQ(std::count(made_by.begin(), made_by.end(), contender), 4 * Trial::calls_of_a_row);
    const std::size_t winner = p == 1 ? 1 : 2;
    for (int call = 0; call < 3; ++call) EXPECT_EQ(ranks.call({}, took), winner) << p;
    for (int rank = 0; rank < p; ++rank) EXPECT_EQ(ranks[rank].winner(), winner);
    EXPECT_FALSE(ranks[0].is_remembered());
    EXPECT_THAT(verdict_in_words(ranks[0]),
                testing::MatchesRegex("([a-z-]+) took .*ns, .* took .*ns, .* took .*ns. [a-z-]+ is kept."));
  }
}

TEST(Trials, GoByWhatRankZeroKnows) {
  Ranks ranks(3, example(4, 2, 4));
  const auto took = [](int, std::size_t) -> std::int64_t { return 1; };
  for (int call = 0; call < 5; ++call)
    EXPECT_EQ(ranks.call(3, took), 3u) << "even one that this way of planning does not try";
  EXPECT_TRUE(ranks[2].is_remembered());
  EXPECT_EQ(ranks[0].seconds(0), 0) << "nothing is timed";
}

// Ranks meet before each row, whose calls then follow one another by one contender.
TEST(Trials, TimeRowsOfCalls) {
  Ranks ranks(3, example(4, 3, 4));
  const int calls = ranks[0].calls();
  for (int call = 0; call < calls; ++call) {
    const Trial::Prelude expected = call == 0                           ? Trial::Prelude::hear
                                    : call % Trial::calls_of_a_row == 0 ? Trial::Prelude::assemble
                                                                        : Trial::Prelude::nothing;
    EXPECT_EQ(ranks[0].prelude(call), expected) << call;
    EXPECT_EQ(ranks.call({}, [](int, std::size_t) -> std::int64_t { return 1; }),
              static_cast<std::size_t>(call / Trial::calls_of_a_row % 3));
  }
  EXPECT_EQ(ranks[0].prelude(calls), Trial::Prelude::hear);
}

// A disturbance of one row, or a lucky one, changes no winner; nor does the first round, which warms up.
TEST(Trials, GoByTheMiddleOfTheRows) {
  for (const int disturbed : {0, 3, 6, 9, 12}) {
    Ranks ranks(2, example(4, 3, 5));
    int call = 0;
    const auto took = [&](int, std::size_t contender) -> std::int64_t {
      const int row = call / Trial::calls_of_a_row;
      if (row == disturbed) return 100'000;
      if (row == 4) return 1;
      return contender == 0 ? 300 : 500;
    };
    for (; call < ranks[0].calls(); ++call) ranks.call({}, took);
    EXPECT_EQ(ranks.call({}, took), 0u) << disturbed;
    EXPECT_DOUBLE_EQ(ranks[0].seconds(0), 300e-9) << disturbed;
  }
}

// Calls that are started before earlier ones have ended wait for what they depend on.
TEST(Trials, LetCallsWaitForThoseTheyDependOn) {
  Trial trial(example(2, 2, 4));
  for (int call = 0; call <= trial.calls() + 1; ++call) EXPECT_EQ(trial.take_ticket(), call);
  EXPECT_TRUE(trial.may_begin(0));
  EXPECT_FALSE(trial.may_begin(1)) << "rank 0 may know the winner";
  trial.hear(0, Trial::Words{});
  EXPECT_TRUE(trial.may_begin(1));
  EXPECT_TRUE(trial.may_begin(trial.calls() - 1));
  EXPECT_FALSE(trial.may_begin(trial.calls())) << "not all have been timed";
  for (int call = trial.calls() - 1; call >= 0; --call) {
    EXPECT_FALSE(trial.may_begin(trial.calls()));
    trial.took(call, call / Trial::calls_of_a_row % 2 == 0 ? 5 : 3);
  }
  EXPECT_TRUE(trial.may_begin(trial.calls()));
  EXPECT_FALSE(trial.may_begin(trial.calls() + 1));
  trial.hear(trial.calls(), trial.words(trial.calls(), {}));
  EXPECT_TRUE(trial.may_begin(trial.calls() + 1));
  EXPECT_EQ(trial.winner(), 1u);
}

}  // namespace
}  // namespace tutti
