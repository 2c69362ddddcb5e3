/// @file
/// Texts that are run for rank 0 and turned to the others: the proof of one rank says what the proof of all says.

#include "schedule/symmetry/symmetric_algorithm.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "unit/verify/alike.hpp"
#include "verify/text.hpp"

namespace tutti::testing {
namespace {

std::vector<const Algorithm*> symmetric_algorithms() {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (symmetric_algorithm_of(*algorithm) != nullptr) found.push_back(algorithm);
  }
  return found;
}

bool proves_alone(const Algorithm& algorithm, const Problem& problem) {
  return verify_by_symmetry(algorithm, problem).has_value();
}

TEST(SymmetricAlgorithm, IsProvedByOneRankWhereAllRanksProveIt) {
  ASSERT_FALSE(symmetric_algorithms().empty());
  test::Sample sample;
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    const RankSymmetry::Kind kind = symmetric_algorithm_of(*algorithm)->kind;
    for (int ranks = 1; ranks <= 64; ++ranks) {
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters&) {
        if (!sample.takes_next()) return;
        const Schedule schedule = record(*algorithm, problem);
        const Proof whole = verify(schedule);
        EXPECT_TRUE(whole.proved()) << algorithm->name << ", " << describe(problem);
        if (!proof::may_be_alike(kind, problem)) return;
        const auto alone = verify_by_symmetry(*algorithm, problem);
        ASSERT_TRUE(alone) << algorithm->name << ", " << describe(problem);
        EXPECT_TRUE(alone->by_symmetry);
        EXPECT_TRUE(whole.single_ported || !alone->single_ported);
        EXPECT_TRUE(is_proved_by_one_rank(kind, schedule, pattern_of(*algorithm, problem))) << describe(problem);
      });
    }
  }
}

// A text that is turned otherwise than it means is wrong on all ranks, and one rank tells.
TEST(SymmetricAlgorithm, IsNotProvedByOneRankWhereItIsWrong) {
  int wrong = 0;
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    for (const RankSymmetry::Kind kind : RankSymmetry::all_kinds) {
      Algorithm other = *algorithm;
      other.record = SymmetricAlgorithm{kind, symmetric_algorithm_of(*algorithm)->text};
      for (const int ranks : {2, 4, 8, 16, 32}) {
        const Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 3};
        const bool proved = verify(record_all(other, problem)).proved();
        EXPECT_TRUE(proved || !proves_alone(other, problem))
            << algorithm->name << " by " << name_of(kind) << ", " << ranks;
        wrong += proved ? 0 : 1;
      }
    }
  }
  EXPECT_GT(wrong, 0);
}

// All-gather of four blocks whose last message is a run that goes on with block 0. Exchanges sort such a run: rank 0
// has it in two, so its program does not tell that others have it in one, and send it in another order.
void send_round_the_end(Script& me, const Problem&) {
  me.copy(me.output(0), me.input());
  me.wait();
  me.send(me.output(0), 3);
  me.receive(me.output(3), 3);
  me.wait();
  me.send(me.blocks(Buffer::output, 3, 2), 2);
  me.receive(Message{me.output(2), me.output(1)}, 2);
  me.wait();
}

TEST(SymmetricAlgorithm, IsNotProvedByTheProgramThatItMakesOfRankZero) {
  const Algorithm algorithm{.collective = Collective::all_gather,
                            .name = "round-the-end",
                            .record = SymmetricAlgorithm{RankSymmetry::Kind::exchange, send_round_the_end}};
  int wrong = 0;
  for (int blocks = 0; blocks < 16; ++blocks) {
    Problem problem{.collective = Collective::all_gather, .ranks = 4, .count = 1};
    for (int block = 0; block < 4; ++block) problem.counts.push_back(blocks >> block & 1);
    const bool proved = verify(record_all(algorithm, problem)).proved();
    EXPECT_TRUE(proved || !proves_alone(algorithm, problem)) << describe(problem);
    wrong += proved ? 0 : 1;
  }
  EXPECT_GT(wrong, 0);
}

// An all-to-all's text is one for every rank, too: turned from rank 0 it is what it says there.
TEST(SymmetricAlgorithm, OfAnAllToAllIsTurnedToWhatItSaysOfEachRank) {
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    if (algorithm->collective != Collective::all_to_all) continue;
    Algorithm plain = *algorithm;
    plain.record = symmetric_algorithm_of(*algorithm)->text;
    for (int ranks = 1; ranks <= 40; ++ranks) {
      for (const int radix : {2, 3, 5}) {
        const Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 3};
        if (unmet_need(*algorithm, problem)) continue;
        EXPECT_EQ(text_of(record_all({*algorithm, {.radix = radix}}, problem)),
                  text_of(record_all({plain, {.radix = radix}}, problem)))
            << algorithm->name << ", " << ranks;
      }
    }
  }
}

// A text around it that lets one rank do something else is not one that is turned: all ranks are looked at.
TEST(SymmetricAlgorithm, IsNoTextOfWhichOneRankDiffers) {
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    const Problem problem{.collective = algorithm->collective, .ranks = 128, .count = 3};
    Algorithm odd = *algorithm;
    odd.record = [algorithm](Script& me, const Problem& asked) {
      if (me.rank() != 5) algorithm->record(me, asked);
    };
    EXPECT_EQ(symmetric_algorithm_of(odd), nullptr);
    EXPECT_TRUE(proves_alone(*algorithm, problem)) << algorithm->name;
    EXPECT_FALSE(proves_alone(odd, problem)) << algorithm->name;
    EXPECT_FALSE(verify(odd, problem).proved()) << algorithm->name;
  }
}

/// The text with one slice of what rank 0 sends, receives or stores moved by a block: the k-th of the program's pool.
Record shifted(const Record& text, std::size_t k, int by) {
  return [&text, k, by](Script& me, const Problem& problem) {
    Program program = record_rank(text, problem, me);
    program.pool[k].first += by;
    for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
      me.play(program, begin, program.step_end(begin));
      me.wait();
    }
  };
}

// All ranks have a block beside one that they should have.
TEST(SymmetricAlgorithm, IsNotProvedWhereASliceIsShiftedByABlock) {
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    const SymmetricAlgorithm& text = *symmetric_algorithm_of(*algorithm);
    const Problem problem{.collective = algorithm->collective, .ranks = 8, .count = 3};
    const Program pattern = record_rank(text.text, with_unit_blocks(problem), 0);
    Algorithm same = *algorithm;
    same.record = SymmetricAlgorithm{text.kind, shifted(text.text, 0, 0)};
    EXPECT_TRUE(proves_alone(same, problem)) << algorithm->name;
    int wrong = 0;
    for (std::size_t k = 0; k < pattern.pool.size(); ++k) {
      for (const int by : {-1, 1}) {
        if (pattern.pool[k].first + by < 0 || pattern.pool[k].end() + by > problem.ranks) continue;
        Algorithm other = *algorithm;
        other.record = SymmetricAlgorithm{text.kind, shifted(text.text, k, by)};
        const bool proved = verify(record_all(other, problem)).proved();
        EXPECT_TRUE(proved || !proves_alone(other, problem)) << algorithm->name << ", slice " << k << " by " << by;
        wrong += proved ? 0 : 1;
      }
    }
    EXPECT_GT(wrong, 0) << algorithm->name;
  }
}

// Over so many ranks all messages together list thousands of millions of blocks, which one rank's do not.
TEST(SymmetricAlgorithm, IsProvedOverManyRanks) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  for (const Algorithm* algorithm : symmetric_algorithms()) {
    Problem problem{.collective = algorithm->collective, .ranks = 1 << 16, .count = 3};
    EXPECT_LT(check_proof_size(*algorithm, problem).slices, std::int64_t{1} << 20) << algorithm->name;
    const bool is_of_pairs = problem.collective == Collective::all_to_all;
    for (int block = 0; !is_of_pairs && block < problem.ranks; ++block) problem.counts.push_back(block * 7 % 5);
    const Proof proof = verify(*algorithm, problem);
    EXPECT_TRUE(proof.proved() && proof.by_symmetry) << algorithm->name;
  }
}

}  // namespace
}  // namespace tutti::testing
