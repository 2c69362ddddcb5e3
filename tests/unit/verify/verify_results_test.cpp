/// @file
/// Results of ranks: reductions in the wrong order, results that are not what is due, barriers that leak.

#include "support/by_hand.hpp"
#include "verify/postcondition.hpp"

namespace tutti::testing {
namespace {

TEST(WrongOperands, DifferentElements) {
  expect_failure(proof_of(all_reduce_2, [](Script& me) { me.reduce(out(0, 2), in(0, 2), in(2, 2)); }),
                 Kind::wrong_operands, 0, 1, "element 0 of the inputs with element 2");
}

// mine ∘ received on both ranks: the same bits where the operator commutes, the wrong order where it does not.
TEST(WrongOperands, OrderMattersUnlessTheOperatorCommutes) {
  const auto text = [](Script& me) {
    me.send(me.input(), 1 - me.rank());
    me.receive_reduce(me.output(), me.input(), 1 - me.rank(), Side::mine_first);
  };
  EXPECT_TRUE(proof_of(all_reduce_2, text).proved());
  Problem ordered = all_reduce_2;
  ordered.commutative = false;
  expect_failure(proof_of(ordered, text), Kind::wrong_operands, 1, 1, "not neighbours in rank order");
  const auto by_rank = [](Script& me) {
    me.send(me.input(), 1 - me.rank());
    me.receive_reduce(me.output(), me.input(), 1 - me.rank());
  };
  EXPECT_TRUE(proof_of(ordered, by_rank).proved());
}

// Ranks 0 and 2 are no neighbours, so that 0 ∘ 2 can never become 0 ∘ 1 ∘ 2.
TEST(WrongOperands, GapInRankOrder) {
  const Problem problem{.collective = Collective::reduce, .ranks = 3, .count = 1, .commutative = false};
  const auto text = [](Script& me) {
    if (me.rank() > 0) return me.send(me.input(), 0);
    me.receive_reduce(me.output(), me.input(), 2);
    me.wait();
    me.receive_reduce(me.output(), me.output(), 1);
  };
  expect_failure(proof_of(problem, text), Kind::wrong_operands, 0, 1,
                 "rank 0 on the left and the contribution of rank 2");
  Problem commuting = problem;
  commuting.commutative = true;
  EXPECT_TRUE(proof_of(commuting, text).proved());
}

TEST(CountedTwice, SameContributionFromBothSides) {
  expect_failure(proof_of(all_reduce_2, [](Script& me) { me.reduce(me.output(), me.input(), me.input()); }),
                 Kind::counted_twice, 0, 1, "share a rank");
}

TEST(NotIdentical, SameContributionsOtherBrackets) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 3, .count = 2};
  const Proof proof = proof_of(problem, [](Script& me) {
    const int next = (me.rank() + 1) % 3;
    const int last = (me.rank() + 2) % 3;
    const Slice from_last = me.scratch(0, 2);
    me.send(me.input(), next);
    me.send(me.input(), last);
    me.receive_reduce(me.output(), me.input(), next, Side::mine_first);
    me.receive(from_last, last);
    me.wait();
    me.reduce(me.output(), me.output(), from_last);
  });
  expect_failure(proof, Kind::not_identical, 1, -1, "another order");
}

TEST(WrongResult, NothingWritten) {
  expect_failure(proof_of(all_gather_2, [](Script& me) { me.copy(me.output(me.rank()), me.input()); }),
                 Kind::wrong_result, 0, -1, "nothing is ever written here");
  EXPECT_TRUE(proof_of(all_gather_2, exchange).proved());
}

TEST(WrongResult, AnotherRanksData) {
  expect_failure(proof_of(all_gather_2,
                          [](Script& me) {
                            for (int block = 0; block < 2; ++block) me.copy(me.output(block), me.input());
                          }),
                 Kind::wrong_result, 0, -1, "holds the contribution of rank 0, not that of rank 1");
}

TEST(WrongResult, ContributionMissing) {
  expect_failure(proof_of(all_reduce_2, [](Script& me) { me.copy(me.output(), me.input()); }), Kind::wrong_result, 0,
                 -1, "not that of ranks 0..1");
}

// The textbook: the data of ranks other than the root is not modified.
TEST(WrongResult, ReduceInPlaceModifiesAnotherRank) {
  const Problem problem{.collective = Collective::reduce, .ranks = 2, .count = 4, .in_place = true};
  const auto text = [](bool careless) {
    return [careless](Script& me) {
      if (me.rank() == 1) me.send(me.input(), 0);
      if (me.rank() == 0) me.receive_reduce(me.output(), me.input(), 1);
      if (!careless) return;
      me.wait();
      if (me.rank() == 0) me.send(out(0, 4), 1);
      if (me.rank() == 1) me.receive(out(0, 4), 0);
    };
  };
  EXPECT_TRUE(proof_of(problem, text(false)).proved());
  expect_failure(proof_of(problem, text(true)), Kind::wrong_result, 1, -1, "not that of rank 1");
}

TEST(WrongResult, ExclusiveScanOwesRankZeroNothing) {
  const Problem problem{.collective = Collective::exclusive_scan, .ranks = 2, .count = 4, .commutative = false};
  EXPECT_TRUE(proof_of(problem, [](Script& me) {
                if (me.rank() == 0) me.send(me.input(), 1);
                if (me.rank() == 1) me.receive(me.output(), 0);
              }).proved());
}

TEST(Barrier, WordMustReachEveryone) {
  const Problem problem{.collective = Collective::barrier, .ranks = 3};
  const auto tree = [](bool released) {
    return [released](Script& me) {
      if (me.rank() > 0) {
        me.signal(0);
        me.wait();
        if (released) me.await(0);
        return;
      }
      for (const int peer : {1, 2}) me.await(peer);
      me.wait();
      for (const int peer : {1, 2}) {
        if (released) me.signal(peer);
      }
    };
  };
  EXPECT_TRUE(proof_of(problem, tree(true)).proved());
  expect_failure(proof_of(problem, tree(false)), Kind::wrong_result, 1, -1, "without a word that rank 0 has entered");
}

// A word that arrives in a step is known after it: rank 1 cannot pass on to rank 2 what rank 0 tells it in the same
// step.
TEST(Barrier, WordDoesNotTravelTwiceInOneStep) {
  const Problem problem{.collective = Collective::barrier, .ranks = 3};
  const auto relay = [](bool waits) {
    return [waits](Script& me) {
      if (me.rank() > 0) me.await(me.rank() - 1);
      if (me.rank() == 1 && waits) me.wait();
      if (me.rank() < 2) me.signal(me.rank() + 1);
      me.wait();
      for (const int peer : {0, 1}) {
        if (me.rank() == 2) me.signal(peer);
      }
      if (me.rank() < 2) me.await(2);
    };
  };
  EXPECT_EQ(words_of(proof_of(problem, relay(true))), "");
  expect_failure(proof_of(problem, relay(false)), Kind::wrong_result, 2, -1, "rank 0 has entered");
}

// Nothing is due to rank 0 of an exclusive scan, and what the other ranks of a reduction in place hold stays theirs.
TEST(WrongResult, WhatMustStayAsItIsIsWritten) {
  Problem scan{.collective = Collective::exclusive_scan, .ranks = 2, .count = 4};
  Problem reduce{.collective = Collective::reduce, .ranks = 2, .count = 4, .root = 1, .in_place = true};
  const auto up = [](Script& me) {
    me.rank() == 0 ? me.send(me.input(), 1) : me.receive(me.output(), 0);
    me.wait();
  };
  const auto up_and_sum = [](Script& me) {
    me.rank() == 0 ? me.send(me.input(), 1) : me.receive_reduce(me.output(), me.input(), 0);
    me.wait();
  };
  EXPECT_TRUE(proof_of(scan, up).proved());
  EXPECT_TRUE(proof_of(reduce, up_and_sum).proved());

  const auto strays = [](const Text& text, const Slice& from, const Slice& to) {
    return [=](Script& me) {
      text(me);
      if (me.rank() == 0) me.copy(to, from);
    };
  };
  expect_failure(proof_of(scan, strays(up, in(0, 1), out(3, 1))), Kind::wrong_result, 0, -1, "must stay as it is");
  EXPECT_EQ(slice_of(proof_of(scan, strays(up, in(0, 1), out(3, 1)))), "output[3..4)");
  expect_failure(proof_of(reduce, strays(up_and_sum, out(0, 1), out(1, 1))), Kind::wrong_result, 0, -1,
                 "holds elements from 0 on of the input, not from 1 on");

  // In place the contribution stays; a copy that is undone leaves all as it was.
  scan.in_place = true;
  EXPECT_TRUE(proof_of(scan, up).proved());
  expect_failure(proof_of(scan, strays(up, out(0, 1), out(1, 1))), Kind::wrong_result, 0, -1,
                 "holds elements from 0 on of the input, not from 1 on");
  EXPECT_TRUE(proof_of(scan, [&](Script& me) {
                up(me);
                if (me.rank() > 0) return;
                me.copy(me.scratch(0, 1), out(1, 1));
                me.wait();
                me.copy(out(1, 1), out(0, 1));
                me.wait();
                me.copy(out(1, 1), me.scratch(0, 1));
              }).proved());

  // A result that another rank sends to the one that must keep its own.
  const auto back = [](const Text& text) {
    return [=](Script& me) {
      text(me);
      me.rank() == 1 ? me.send(out(0, 4), 0) : me.receive(out(0, 4), 1);
    };
  };
  scan.commutative = reduce.commutative = true;
  expect_failure(proof_of(reduce, back(up_and_sum)), Kind::wrong_result, 0, -1,
                 "holds the contributions of ranks 0..1");
  scan.in_place = false;
  expect_failure(proof_of(scan, back(up)), Kind::wrong_result, 0, -1, "must stay as it is");
}

// Blocks without elements are nobody's due, and who has seen enough is told no more.
TEST(Due, IsToldAsLongAsItIsWanted) {
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::barrier) continue;
    const auto told = [&](std::int64_t count, int wanted) {
      int all = 0;
      proof::for_each_due({.collective = collective, .ranks = 6, .count = count},
                          [&](int, const proof::Due&) { return ++all < wanted; });
      return all;
    };
    EXPECT_EQ(told(0, 100), 0) << name_of(collective);
    const int all = told(2, 100);
    EXPECT_GE(all, 1) << name_of(collective);
    for (int wanted = 1; wanted <= all; ++wanted) EXPECT_EQ(told(2, wanted), wanted) << name_of(collective);
  }
}

}  // namespace
}  // namespace tutti::testing
