/// @file
/// Meetings of ranks: deadlock, messages without counterpart, conflicts within a step; and the text of a failure.

#include "support/by_hand.hpp"

namespace tutti::testing {
namespace {

// The textbook's two ranks: each sends, waits, then receives. Without buffers neither send ever ends.
TEST(Deadlock, TwoRanksThatSendWaitThenReceive) {
  const Proof proof = proof_of(all_gather_2, [](Script& me) {
    const int peer = 1 - me.rank();
    me.copy(me.output(me.rank()), me.input());
    me.send(me.input(), peer);
    me.wait();
    me.receive(me.output(peer), peer);
  });
  expect_failure(proof, Kind::deadlock, 0, 1,
                 "rank 0 waits in step 1 to send input[0..4) to 1, rank 1 waits in step 1");
  EXPECT_EQ(cycle_of(proof), (std::vector<int>{0, 1}));
}

TEST(Deadlock, CircularExchangeOfSixRanks) {
  const Problem circle{.collective = Collective::shift, .ranks = 6, .count = 1, .distance = 1};
  const auto ring = [](bool waits) {
    return [waits](Script& me) {
      me.send(me.input(), (me.rank() + 1) % 6);
      if (waits) me.wait();
      me.receive(me.output(), (me.rank() + 5) % 6);
    };
  };
  const Proof stuck = proof_of(circle, ring(true));
  expect_failure(stuck, Kind::deadlock, 0, 1, "rank 5");
  EXPECT_EQ(cycle_of(stuck), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(proof_of(circle, ring(false)).proved());
}

// Only the ranks that wait for one another are the cycle; rank 0 merely waits for them.
TEST(Deadlock, CycleLeavesOutThoseWhoOnlyWait) {
  const Problem problem{.collective = Collective::barrier, .ranks = 3};
  const Proof proof = proof_of(problem, [](Script& me) {
    if (me.rank() == 0) return me.await(1);
    const int peer = 3 - me.rank();
    me.await(peer);
    me.wait();
    me.signal(peer);
    if (me.rank() == 1) me.signal(0);
  });
  expect_failure(proof, Kind::deadlock, 1, 1, "rank 1 waits in step 1 to await 2, rank 2 waits in step 1 to await 1");
  EXPECT_EQ(cycle_of(proof), (std::vector<int>{1, 2}));
}

// The textbook's circular exchange, run p times, restores the start: a shift by p.
TEST(Exchange, SixRanksSixTimesRestoreTheStart) {
  const Problem problem{.collective = Collective::shift, .ranks = 6, .count = 3, .distance = 6};
  const Proof proof = proof_of(problem, [](Script& me) {
    for (int round = 0; round < 6; ++round) {
      const Slice from = round == 0 ? me.input() : me.scratch(round % 2 * 3, 3);
      const Slice to = round == 5 ? me.output() : me.scratch((round + 1) % 2 * 3, 3);
      me.send(from, (me.rank() + 1) % 6);
      me.receive(to, (me.rank() + 5) % 6);
      me.wait();
    }
  });
  EXPECT_EQ(words_of(proof), "");
  EXPECT_TRUE(proof.single_ported);
}

TEST(Unmatched, SendOrReceiveAlone) {
  expect_failure(proof_of(broadcast_2,
                          [](Script& me) {
                            if (me.rank() == 0) me.send(me.message(), 1);
                          }),
                 Kind::unmatched, 0, 1, "rank 1 has no receive left");
  expect_failure(proof_of(broadcast_2,
                          [](Script& me) {
                            if (me.rank() == 1) me.receive(me.message(), 0);
                          }),
                 Kind::unmatched, 1, 1, "rank 0 has no send left");
}

TEST(SizeMismatch, ReceiveShorterThanSend) {
  expect_failure(proof_of(broadcast_2,
                          [](Script& me) {
                            if (me.rank() == 0) return me.send(me.message(), 1);
                            me.receive(out(0, 3), 0);
                          }),
                 Kind::size_mismatch, 1, 1, "a message of 4 elements that rank 0 sends in its step 1");
}

// Messages of a pair meet in the order in which they were posted, also within a step.
TEST(Messages, MeetInOrder) {
  for (const bool swapped : {false, true}) {
    const Proof proof = proof_of(broadcast_2, [&](Script& me) {
      const int first = me.rank() == 1 && swapped ? 1 : 0;
      for (const int part : {first, 1 - first}) {
        if (me.rank() == 0) me.send(me.output(part), 1);
        if (me.rank() == 1) me.receive(me.output(part), 0);
      }
    });
    EXPECT_EQ(proof.proved(), !swapped);
    EXPECT_FALSE(proof.single_ported);
    if (swapped)
      expect_failure(proof, Kind::wrong_result, 1, -1, "holds elements from 2 on of the input, not from 0 on");
  }
}

TEST(Conflict, ReceiveIntoWhatIsSent) {
  expect_failure(proof_of(all_gather_2,
                          [](Script& me) {
                            me.copy(me.output(me.rank()), me.input());
                            me.send(me.output(me.rank()), 1 - me.rank());
                            me.receive(me.output(1 - me.rank()), 1 - me.rank());
                          }),
                 Kind::conflict, 0, 1, "reads in the same step");
}

TEST(Conflict, TwoWrites) {
  const Proof proof = proof_of(broadcast_2, [](Script& me) {
    for (int k = 0; k < 2; ++k) {
      if (me.rank() == 0) me.send(out(k, 3), 1);
      if (me.rank() == 1) me.receive(out(k, 3), 0);
    }
  });
  expect_failure(proof, Kind::conflict, 1, 1, "writes in the same step");
  EXPECT_EQ(slice_of(proof), "output[1..3)");
}

// An operation may read exactly where it writes, not beside it.
TEST(Conflict, InPlaceMeansElementForElement) {
  Problem problem = all_reduce_2;
  problem.in_place = true;
  for (const std::int64_t beside : {0, 1}) {
    const Proof proof = proof_of(problem, [&](Script& me) {
      if (me.rank() == 0) me.receive_reduce(out(0, 3), out(beside, 3), 1);
      if (me.rank() == 1) me.send(out(0, 3), 0);
    });
    expect_failure(proof, beside == 1 ? Kind::conflict : Kind::wrong_result, 0, beside == 1 ? 1 : -1, "");
  }
}

// Only the place of each element counts: here the first is combined in place, the others out of a copy.
TEST(Conflict, InPlaceForSomeElementsOnly) {
  Problem problem = all_reduce_2;
  problem.in_place = true;
  const Proof proof = proof_of(problem, [](Script& me) {
    const Slice copied = me.scratch(0, 4);
    me.copy(copied, me.output());
    me.wait();
    me.send(copied, 1 - me.rank());
    me.receive_reduce(me.output(), {out(0, 1), me.scratch(1, 3)}, 1 - me.rank());
  });
  EXPECT_EQ(words_of(proof), "");
}

TEST(Uninitialized, SendOfWhatNothingWrote) {
  const Proof proof = proof_of(broadcast_2, [](Script& me) {
    if (me.rank() == 1) me.send(me.message(), 0);
    if (me.rank() == 0) me.receive(me.message(), 1);
  });
  expect_failure(proof, Kind::uninitialized, 1, 1, "reads what nothing wrote");
  EXPECT_EQ(slice_of(proof), "output[0..4)");
}

TEST(Uninitialized, OnlyTheUnwrittenPartIsNamed) {
  const Proof proof = proof_of({.collective = Collective::all_reduce, .ranks = 1, .count = 8}, [](Script& me) {
    me.copy(out(0, 5), in(0, 5));
    me.wait();
    me.copy(me.scratch(0, 8), me.output());
  });
  expect_failure(proof, Kind::uninitialized, 0, 2, "copy");
  EXPECT_EQ(slice_of(proof), "output[5..8)");
}

// One send and one receive at once are one port's work; two of either are not.
TEST(SinglePorted, CountsSendsAndReceivesOfAStepApart) {
  EXPECT_TRUE(proof_of(all_gather_2, exchange).single_ported);
  const auto broadcast_in_one_step = [](Script& me) {
    for (const int rank : {1, 2}) {
      if (me.rank() == 0) me.send(me.message(), rank);
    }
    if (me.rank() > 0) me.receive(me.message(), 0);
  };
  const auto gather_in_one_step = [](Script& me) {
    if (me.rank() > 0) return me.send(me.input(), 0);
    me.copy(me.output(0), me.input());
    for (const int rank : {1, 2}) me.receive(me.output(rank), rank);
  };
  const Proof sends = proof_of({.collective = Collective::broadcast, .ranks = 3, .count = 4}, broadcast_in_one_step);
  const Proof receives = proof_of({.collective = Collective::gather, .ranks = 3, .count = 4}, gather_in_one_step);
  for (const Proof& proof : {sends, receives}) {
    EXPECT_EQ(words_of(proof), "");
    EXPECT_FALSE(proof.single_ported);
  }
}

TEST(Describe, OneLineWithRankStepSliceAndReason) {
  const ProofFailure failure{.kind = Kind::conflict, .rank = 2, .step = 3, .slice = "output[8..16)", .reason = "why"};
  EXPECT_EQ(describe(failure), "rank 2, step 3, output[8..16): conflict: why");
  EXPECT_EQ(describe(ProofFailure{.kind = Kind::wrong_result, .rank = 2, .reason = "why"}),
            "rank 2, at the end: wrong-result: why");
  EXPECT_EQ(describe(ProofFailure{.kind = Kind::malformed, .reason = "why"}), "malformed: why");
}

}  // namespace
}  // namespace tutti::testing
