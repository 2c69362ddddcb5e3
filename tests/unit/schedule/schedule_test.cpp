/// @file
/// Laws of the schedule room: problems, blocks, the recorder, stages, traffic and the combinators' refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/collective_names.hpp"
#include "schedule/record/stage.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

Program recorded(const Problem& problem, int rank, const Record& text) { return record_rank(text, problem, rank); }

TEST(Problem, NamesAreUniqueAndFoundAgain) {
  for (const Collective collective : all_collectives()) EXPECT_EQ(collective_named(name_of(collective)), collective);
  EXPECT_EQ(collective_named("brodcast"), std::nullopt);
}

TEST(CollectiveAliases, EachMeansOneCollectiveAndIsNobodysOwnName) {
  std::set<std::string_view> seen;
  std::size_t count = 0;
  for (const CollectiveAlias& alias : collective_aliases()) {
    EXPECT_TRUE(seen.insert(alias.name).second) << alias.name;
    EXPECT_EQ(collective_named(alias.name), std::nullopt) << alias.name;
    const bool is_plain = std::all_of(alias.name.begin(), alias.name.end(), [](char c) {
      const bool is_ascii = (c & 0x80) == 0;
      return !is_ascii || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    EXPECT_TRUE(is_plain) << alias.name;
  }
  for (const Collective collective : all_collectives()) {
    EXPECT_FALSE(aliases_of(collective).empty()) << name_of(collective);
    count += aliases_of(collective).size();
  }
  EXPECT_EQ(count, collective_aliases().size());
}

TEST(Problem, CheckNamesTheValueThatIsWrong) {
  const auto message_of = [](const Problem& problem) -> std::string {
    try {
      check(problem);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message_of({.ranks = 0}).find("not 0"), std::string::npos);
  EXPECT_NE(message_of({.ranks = 4, .root = 4}).find("root 4"), std::string::npos);
  EXPECT_NE(message_of({.ranks = 4, .count = -7}).find("-7"), std::string::npos);
  EXPECT_NE(message_of({.ranks = 4, .count = std::int64_t{1} << 61}).find("2^62"), std::string::npos);
  EXPECT_NE(message_of({.collective = Collective::scatter, .ranks = 3, .counts = {1, 2}}).find("3 per-rank counts"),
            std::string::npos);
  EXPECT_NE(message_of({.collective = Collective::broadcast, .ranks = 2, .counts = {1, 2}}).find("broadcast"),
            std::string::npos);
  EXPECT_NE(message_of({.collective = Collective::all_to_all, .ranks = 2, .in_place = true}).find("in place"),
            std::string::npos);
  EXPECT_EQ(message_of({.ranks = 4, .count = 3, .root = 3}), "");
}

// With every member set, so that none can be left out of the copy unnoticed.
TEST(Problem, WithoutCountsIsTheSameInAllElse) {
  Problem problem{.collective = Collective::gather,
                  .ranks = 5,
                  .count = 7,
                  .root = 3,
                  .distance = -2,
                  .counts = {1, 2, 3, 4, 5},
                  .extra = 2,
                  .commutative = false,
                  .in_place = true};
  const Problem without = without_counts(problem);
  EXPECT_TRUE(without.counts.empty());
  EXPECT_NE(without, problem);
  problem.counts.clear();
  EXPECT_EQ(without, problem);
}

// A problem does not depend on how it is solved: choices that differ answer one problem.
TEST(Problem, HasNothingOfTheAnswer) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 6, .count = 4};
  std::set<std::string> texts;
  for (const Parameters& parameters : {Parameters{}, Parameters{.grid = {6, 1}}, Parameters{.grid = {2, 3}}}) {
    const Schedule schedule = record({algorithms::all_gather_mesh, parameters}, problem);
    EXPECT_EQ(schedule.problem, problem);
    texts.insert(text_of(schedule));
  }
  EXPECT_EQ(texts.size(), 2U) << "2x3 is what is left open";
}

TEST(Blocks, PartsCoverTheMessageAsEvenlyAsCanBe) {
  for (int parts = 1; parts <= 9; ++parts) {
    for (std::int64_t total = 0; total <= 40; ++total) {
      const Blocks blocks = Blocks::parts_of(total, parts);
      EXPECT_EQ(blocks.total(), total);
      for (int i = 0; i < parts; ++i) {
        EXPECT_GE(blocks.count(i), total / parts);
        EXPECT_LE(blocks.count(i), total / parts + 1);
        EXPECT_TRUE(i == 0 || blocks.count(i) <= blocks.count(i - 1));
      }
    }
  }
}

TEST(Blocks, ExtraAndCountsDescribeTheSameLayout) {
  for (int p = 1; p <= 7; ++p) {
    for (std::int64_t extra = 0; extra < p; ++extra) {
      Problem even{.collective = Collective::all_gather, .ranks = p, .count = 3, .extra = extra};
      Problem listed = even;
      listed.extra = 0;
      for (int r = 0; r < p; ++r) listed.counts.push_back(even.block_count(r));
      for (int r = 0; r <= p; ++r) EXPECT_EQ(all_blocks(even).first(r), all_blocks(listed).first(r));
    }
  }
}

TEST(Script, JoinsAdjacentSlicesAndLeavesOutWhatMovesNothing) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 4, .count = 3};
  const Program program = recorded(problem, 1, [](Script& me, const Problem&) {
    me.send({me.output(0), me.output(1), me.output(3)}, 2);
    me.send(Slice{Buffer::output, 5, 0}, 2);
    me.copy(me.output(1), me.output(1));
    me.wait();
    me.wait();
  });
  ASSERT_EQ(program.ops.size(), 1u);
  EXPECT_EQ(text_of(program, program.ops[0]), "send output[0..6) output[9..12) to 2");
  EXPECT_TRUE(program.ops[0].ends_step);
}

TEST(Script, TextThatForgetsItsLastWaitIsEndedAllTheSame) {
  const Program program =
      recorded({.ranks = 2, .count = 4}, 0, [](Script& me, const Problem&) { me.send(me.message(), 1); });
  ASSERT_EQ(program.ops.size(), 1u);
  EXPECT_TRUE(program.ops[0].ends_step);
}

TEST(Script, BlocksGoAroundTheEndOfTheRanks) {
  const Problem problem{.collective = Collective::all_gather, .ranks = 5, .count = 2};
  Program program;
  const Parameters parameters;
  const Layout layout;
  RecordingContext context;
  Script me(context, problem, 0, program, parameters, layout);
  EXPECT_EQ(me.blocks(Buffer::output, 3, 4), (Message{{Buffer::output, 6, 4}, {Buffer::output, 0, 4}}));
  EXPECT_EQ(me.blocks(Buffer::output, -1, 1), (Message{{Buffer::output, 8, 2}}));
  EXPECT_EQ(program.scratch, 0);
  EXPECT_EQ(me.blocks(Buffer::scratch, 0, 3), (Message{{Buffer::scratch, 0, 6}}));
  EXPECT_EQ(program.scratch, 6);
}

TEST(Script, SignalsAreKeptThoughTheyCarryNothing) {
  const Program program = recorded({.collective = Collective::barrier, .ranks = 2}, 0, [](Script& me, const Problem&) {
    me.signal(1);
    me.await(1);
  });
  EXPECT_EQ(program.ops.size(), 2u);
}

TEST(Stage, ViewsMapPositionsAcrossSlicesAndOverflowIntoScratch) {
  const Problem whole{.collective = Collective::all_gather, .ranks = 4, .count = 4};
  const Program program = recorded(whole, 3, [](Script& me, const Problem&) {
    Stage stage{.problem = {.ranks = 2, .count = 6}, .rank = 1, .first_rank = 1, .stride = 2, .scratch_base = 100};
    stage.output = {me.output(2), me.output(0)};
    stage.scratch = {me.output(1)};
    perform(
        me,
        [](Script& inner, const Problem&) {
          inner.receive(Slice{Buffer::output, 2, 4}, 0);
          inner.wait();
          inner.send(inner.scratch(3, 2), 0);
        },
        stage);
  });
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(text_of(program, program.ops[0]), "receive output[10..12) output[0..2) from 1");
  EXPECT_EQ(text_of(program, program.ops[1]), "send output[7..8) scratch[100..101) to 1");
  EXPECT_EQ(program.scratch, 101);
}

TEST(Stage, UsingMoreThanAViewHoldsIsADefect) {
  const Problem whole{.ranks = 2, .count = 4};
  const Record past_the_end = [](Script& me, const Problem& problem) {
    Stage stage = stage_of_all(me, problem);
    stage.output = {Slice{Buffer::output, 0, 3}};
    perform(
        me, [](Script& inner, const Problem&) { inner.send(inner.message(), 1 - inner.rank()); }, stage);
  };
  EXPECT_THROW(recorded(whole, 0, past_the_end), Error);
}

TEST(Traffic, CountsAChainOfRounds) {
  const Record relay = [](Script& me, const Problem&) {
    if (me.rank() > 0) me.receive(me.message(), me.rank() - 1);
    me.wait();
    if (me.rank() + 1 < me.size()) me.send(me.message(), me.rank() + 1);
    me.wait();
  };
  for (int p = 1; p <= 9; ++p) {
    EXPECT_EQ(traffic_of(record_all(relay, {.ranks = p, .count = 5})),
              (Traffic{.rounds = p - 1, .messages = p - 1, .elements = 5 * (p - 1)}));
  }
}

TEST(Traffic, AStepTakesAsManyRoundsAsItsBusierPort) {
  const Record all_at_once = [](Script& me, const Problem&) {
    for (int rank = 1; rank < me.size(); ++rank) {
      if (me.rank() == 0) me.send(me.message(), rank);
    }
    if (me.rank() > 0) me.receive(me.message(), 0);
  };
  EXPECT_EQ(traffic_of(record_all(all_at_once, {.ranks = 6, .count = 1})).rounds, 5);
}

// The first of two messages passes while its receiver has yet to come to the second.
TEST(Traffic, AMessageOfAStepPassesAsSoonAsItsReceiverIsThere) {
  const Record two_to_one = [](Script& me, const Problem&) {
    for (int k = 0; k < 2; ++k) {
      if (me.rank() == 0) me.send(me.message(), 1);
      if (me.rank() == 1) {
        me.receive(me.message(), 0);
        me.wait();
      }
    }
  };
  EXPECT_EQ(traffic_of(record_all(two_to_one, {.ranks = 2, .count = 1})).rounds, 2);
}

TEST(Traffic, AMessageThatNeverMeetsIsADefect) {
  const Record lonely = [](Script& me, const Problem&) {
    if (me.rank() == 0) me.send(me.message(), 1);
  };
  EXPECT_THROW(traffic_of(record_all(lonely, {.ranks = 2, .count = 1})), Error);
}

TEST(Dual, TakesSeveralMessagesForOnePlaceOneAfterTheOther) {
  const Algorithm& forward = algorithms::broadcast_linear;
  const Program root = recorded({.collective = Collective::reduce, .ranks = 5, .count = 2}, 0, dual(forward));
  ASSERT_EQ(root.ops.size(), 4u);
  for (const Op& op : root.ops) EXPECT_TRUE(op.ends_step);
  // The first message is added to the input where it lies; the rest to the sum.
  EXPECT_EQ(text_of(root, root.ops[0]), "receive output[0..2) = input[0..2) ∘ message from 1");
  EXPECT_EQ(text_of(root, root.ops[3]), "receive output[0..2) = output[0..2) ∘ message from 4");
}

TEST(Dual, NeverCopiesWhereMoreThanOneRankTakesPart) {
  for (int p = 2; p <= 9; ++p) {
    for (const Algorithm* forward : {&algorithms::all_gather_ring, &algorithms::all_gather_bruck}) {
      const Schedule schedule =
          record_all(dual(*forward), {.collective = Collective::reduce_scatter, .ranks = p, .count = 3});
      for (const Program& program : schedule.programs) {
        for (const Op& op : program.ops) EXPECT_NE(op.kind, OpKind::copy) << forward->name << " p = " << p;
      }
    }
  }
}

TEST(Pipelined, UsesTheSegmentsAskedForAndNeverEmptyOnes) {
  EXPECT_EQ(Parameters{}.segments_for(100), 8);
  EXPECT_EQ(Parameters{.segments = 3}.segments_for(100), 3);
  EXPECT_EQ(Parameters{.segments = 30}.segments_for(2), 2);
  EXPECT_EQ(Parameters{}.segments_for(0), 1);
  EXPECT_EQ(Parameters{}.radix_for(100), 4);
  EXPECT_EQ(Parameters{.radix = 7}.radix_for(100), 7);
  EXPECT_EQ(Parameters{.radix = 7}.radix_for(3), 3);
  EXPECT_EQ(Parameters{}.radix_for(1), 2);
}

TEST(Then, RefusesWhatMakesNoCollective) {
  const Record nonsense = then(algorithms::broadcast_ring, algorithms::all_gather_ring);
  EXPECT_THROW(recorded({.ranks = 3, .count = 3}, 0, nonsense), Error);
}

}  // namespace
}  // namespace tutti
