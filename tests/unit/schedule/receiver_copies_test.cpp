/// @file
/// Copies that the receivers of messages may make, and those that they may not.

#include "schedule/rewrite/rewrites.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/table.hpp"
#include "schedule/record/script.hpp"
#include "schedule/rewrite/program_compiler.hpp"
#include "support/by_hand.hpp"

namespace tutti {
namespace {

using testing::in;
using testing::out;
using testing::Text;

/// For each send of rank 0, the fold of its step that is lent with it.
std::vector<std::int32_t> lent_by(const Text& text) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 3, .count = 8};
  const CompiledProgram program = compile(record_rank([&](Script& me, const Problem&) { text(me); }, problem, 0));
  std::vector<std::int32_t> copies;
  for (const SendStep& send : program.sends) copies.push_back(send.copy);
  return copies;
}

using Copies = std::vector<std::int32_t>;

int lent_in(const Algorithm& algorithm, const Problem& problem, int rank) {
  const CompiledProgram program = compile(record_rank(algorithm.record, problem, rank));
  return static_cast<int>(
      std::count_if(program.sends.begin(), program.sends.end(), [](const SendStep& send) { return send.copy >= 0; }));
}

TEST(LentCopies, AreTheOwnBlocksOfAnAllGather) {
  for (int p = 2; p <= 9; ++p) {
    const Problem problem{.collective = Collective::all_gather, .ranks = p, .count = 5};
    for (int rank = 0; rank < p; ++rank) EXPECT_EQ(lent_in(algorithms::all_gather_linear, problem, rank), 1);
  }
}

TEST(LentCopies, AreWhatTheFirstRankOfAScanKeepsElsewhere) {
  for (const bool in_place : {false, true}) {
    for (int p = 2; p <= 9; ++p) {
      const Problem problem{.collective = Collective::scan, .ranks = p, .count = 5, .in_place = in_place};
      for (int rank = 0; rank < p; ++rank) {
        EXPECT_EQ(lent_in(algorithms::scan_chain, problem, rank), rank == 0 && !in_place ? 1 : 0)
            << "rank " << rank << " of " << p;
      }
    }
  }
}

TEST(LentCopies, AreLentOnceAndWithOneMessageEach) {
  EXPECT_EQ(lent_by([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.send(in(0, 4), 1);
              me.send(in(0, 4), 2);
            }),
            (Copies{0, -1}));
  EXPECT_EQ(lent_by([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.copy(out(4, 4), in(0, 4));
              me.send(in(0, 4), 1);
              me.send(in(0, 4), 2);
            }),
            (Copies{0, 1}));
}

// Claims on a copy are forgotten with the next message to the peer.
TEST(LentCopies, AreLentWithNoMessageThatOneToTheSamePeerFollowsInTheStep) {
  EXPECT_EQ(lent_by([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.copy(out(4, 4), in(4, 4));
              me.send(in(0, 4), 1);
              me.send(in(4, 4), 1);
            }),
            (Copies{-1, 1}));
  EXPECT_EQ(lent_by([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.send(in(0, 4), 1);
              me.send(in(0, 4), 2);
              me.send(in(4, 4), 1);
            }),
            (Copies{-1, 0, -1}));
  EXPECT_EQ(lent_by([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.send(in(0, 4), 1);
              me.wait();
              me.send(in(4, 4), 1);
            }),
            (Copies{0, -1}));
}

TEST(LentCopies, AreOfJustWhatIsSentInTheSameStep) {
  const auto lent = [](const Text& text) { return lent_by(text).front(); };
  EXPECT_EQ(lent([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.send(in(0, 3), 1);
            }),
            -1)
      << "less is sent";
  EXPECT_EQ(lent([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.send(in(0, 5), 1);
            }),
            -1)
      << "more is sent";
  EXPECT_EQ(lent([](Script& me) {
              me.copy(out(0, 4), in(0, 4));
              me.wait();
              me.send(in(0, 4), 1);
            }),
            -1)
      << "it is sent later";
  EXPECT_EQ(lent([](Script& me) {
              me.copy({out(0, 2), out(4, 2)}, in(0, 4));
              me.send(in(0, 4), 1);
            }),
            -1)
      << "it is copied to two places";
  EXPECT_EQ(lent([](Script& me) {
              me.reduce(out(0, 4), in(0, 4), in(4, 4));
              me.send(in(0, 4), 1);
            }),
            -1)
      << "it is no copy";
  EXPECT_EQ(lent([](Script& me) {
              me.receive(out(0, 4), 2);
              me.send(in(0, 4), 1);
            }),
            -1)
      << "it is received";
}

TEST(LentCopies, AreNotPartsOfChains) {
  const auto lent = [](bool chained) {
    return lent_by([chained](Script& me) {
             me.send(in(0, 4), 1);
             me.chain([&] {
               me.copy(out(0, 4), in(0, 4));
               if (chained) me.receive_reduce(out(0, 4), out(0, 4), 2);
             });
           })
        .front();
  };
  EXPECT_EQ(lent(false), 0);
  EXPECT_EQ(lent(true), -1);
}

}  // namespace
}  // namespace tutti
