/// @file
/// Algorithms of a program's own: proved where they are right, refused where they are not, and run.

#include "tutti/lab.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tutti/error.hpp"
#include "tutti/tutti.hpp"

namespace tutti::lab {
namespace {

using testing::HasSubstr;

// Sums go up a line of ranks and come back; `wrong` mistakes are made on the way.
enum class Mistake { none, lost_contribution, deadlock, wrong_order };

Text there_and_back(Mistake mistake) {
  return [mistake](Rank& me) {
    const int last = me.size() - 1;
    if (mistake == Mistake::deadlock && last > 0) {
      me.send(me.input(), (me.rank() + 1) % me.size());
      me.wait();
      me.receive(me.output(), (me.rank() + last) % me.size());
      return;
    }
    if (me.rank() == 0) me.copy(me.output(), me.input());
    if (me.rank() > 0 && mistake == Mistake::lost_contribution) me.receive(me.output(), me.rank() - 1);
    if (me.rank() > 0 && mistake == Mistake::none) me.receive_reduce(me.output(), me.input(), me.rank() - 1);
    if (me.rank() > 0 && mistake == Mistake::wrong_order) {
      me.receive(me.scratch(0, me.input().count), me.rank() - 1);
      me.wait();
      me.reduce(me.output(), me.input(), me.scratch(0, me.input().count));
    }
    me.wait();
    if (me.rank() < last) me.send(me.output(), me.rank() + 1);
    me.wait();
    if (me.rank() < last) me.receive(me.output(), me.rank() + 1);
    me.wait();
    if (me.rank() > 0) me.send(me.output(), me.rank() - 1);
  };
}

const Algorithm& line() {
  static const Algorithm algorithm(Collective::all_reduce, "lab-line", there_and_back(Mistake::none));
  return algorithm;
}

TEST(Lab, ProvesWhatIsRightAndSaysWhereItIsWrong) {
  EXPECT_TRUE(prove(line(), 1, 9)) << prove(line(), 1, 9).reason;
  EXPECT_TRUE(prove(line(), {.ranks = 5, .count = 7, .commutative = false}));
  const auto reason = [](const char* name, Mistake mistake) {
    const Proof proof = prove(Algorithm(Collective::all_reduce, name, there_and_back(mistake)), 2, 4);
    EXPECT_FALSE(proof);
    return proof.reason;
  };
  EXPECT_THAT(reason("lab-lost", Mistake::lost_contribution), HasSubstr("wrong-result"));
  EXPECT_THAT(reason("lab-stuck", Mistake::deadlock), HasSubstr("deadlock"));
  EXPECT_THAT(reason("lab-order", Mistake::wrong_order), HasSubstr("over 2 ranks"));
  EXPECT_TRUE(prove(Algorithm(Collective::all_reduce, "lab-order-2", there_and_back(Mistake::wrong_order)),
                    {.ranks = 4, .count = 3, .commutative = true}));
}

TEST(Lab, SimulatesAndPrices) {
  const Problem problem{.ranks = 6, .count = 100, .element_bytes = 8};
  const Times times = simulate(line(), problem, "linear:6", {.ts = 2e-6, .tw = 1e-9});
  EXPECT_NEAR(times.seconds, 10 * (2e-6 + 800e-9), 1e-15);
  EXPECT_EQ(times.messages, 10);
  EXPECT_EQ(times.bytes, 8000);
  EXPECT_EQ(times.rounds, 10);
  EXPECT_LE(times.bound_seconds, times.seconds);
  const std::vector<Price> prices = price(line(), problem, "linear:6");
  EXPECT_GT(prices.size(), 5u);
  int own = 0;
  for (std::size_t k = 0; k < prices.size(); ++k) {
    EXPECT_GE(prices[k].seconds, prices[k == 0 ? 0 : k - 1].seconds);
    if (prices[k].algorithm == "lab-line") ++own;
  }
  EXPECT_EQ(own, 1);
}

TEST(Lab, DrawsAndLists) {
  const Problem problem{.ranks = 3, .count = 3};
  EXPECT_THAT(draw(line(), problem, "linear:3"), HasSubstr("by lab-line on linear:3"));
  EXPECT_THAT(draw_page(line(), problem), HasSubstr("by lab-line on full:3"));
  EXPECT_THAT(listing(line(), problem), HasSubstr("send output[0..3) to 1"));
}

TEST(Lab, RefusesBadInput) {
  const auto refuses = [](const auto& act, const std::string& sentence) {
    try {
      act();
      ADD_FAILURE() << sentence;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(sentence));
    }
  };
  refuses([] { Algorithm(Collective::all_reduce, "", [](Rank&) {}); }, "needs a name");
  refuses([] { Algorithm(Collective::all_reduce, "lab-none", nullptr); }, "needs a text");
  refuses([] { Algorithm(Collective::all_reduce, "ring", [](Rank&) {}); }, "has an algorithm 'ring' already");
  refuses([] { Algorithm(Collective::all_reduce, line(), [](Rank&) {}); }, "has an algorithm 'lab-line' already");
  refuses([] { prove(line(), {.ranks = 0}); }, "at least one rank");
  refuses([] { prove(line(), 3, 2); }, "ranks go from 1");
  refuses([] { simulate(line(), {.ranks = 4}, "ring:5"); }, "4 ranks");
  refuses([] { simulate(line(), {.ranks = 4}, "rong:4"); }, "the nearest is 'ring'");
  refuses([] { simulate(line(), {.ranks = 4}, {}, {.ts = -1}); }, "");
  refuses(
      [] {
        run(2, [](Communicator& comm) {
          std::vector<int> numbers(4);
          comm.broadcast(std::span(numbers), 0, {.algorithm = line()});
        });
      },
      "broadcast has no algorithm 'lab-line', which all-reduce has");
}

// Rather than reading counts where none are, or leaving out what is sent, they refuse the text itself.
TEST(Lab, RefusesSlicesThatNoBufferHas) {
  const auto refusal = [](const char* name, Text text) {
    const Algorithm wrong(Collective::all_gather, name, std::move(text));
    try {
      prove(wrong, {.ranks = 3, .count = 2});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  constexpr const char* slices = "a slice begins at element 0 or behind it and has 0 elements or more, not ";
  EXPECT_EQ(refusal("lab-far", [](Rank& me) { me.output(3); }),
            "rank 0 has 3 blocks of output, counted from 0, and so no block 3");
  EXPECT_EQ(refusal("lab-low", [](Rank& me) { me.input(-1); }),
            "rank 0 has 1 block of input, counted from 0, and so no block -1");
  EXPECT_EQ(refusal("lab-less", [](Rank& me) { me.send(Slice{.count = -3}, 1); }), slices + std::string("-3 from 0"));
  EXPECT_EQ(refusal("lab-before", [](Rank& me) { me.scratch(-1, 4); }), slices + std::string("4 from -1"));
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(refusal("lab-endless", [](Rank& me) { me.send(Slice{.first = most - 1, .count = 4}, 1); }),
            "a slice ends at element 2^62 or before it, not 4 elements from 9223372036854775806 on");
  EXPECT_EQ(refusal("lab-vast", [](Rank& me) { me.scratch(0, most); }),
            "a slice ends at element 2^62 or before it, not 9223372036854775807 elements from 0 on");
  EXPECT_EQ(prove(Algorithm(Collective::gather, "lab-gather",
                            [](Rank& me) {
                              for (int k = 0; k < me.size(); ++k) {
                                if (me.rank() == me.root())
                                  k == me.rank() ? me.copy(me.output(k), me.input()) : me.receive(me.output(k), k);
                              }
                              if (me.rank() != me.root()) me.send(me.input(), me.root());
                              me.output(me.rank());
                            }),
                  1, 4)
                .reason,
            "")
      << "a rank without an output has blocks of no elements there";
}

// By name, in any form of a call, on as many ranks as there are.
TEST(Lab, RunsWhatItProved) {
  const Algorithm& mine = line();
  for (const int ranks : {1, 2, 3, 5}) {
    tutti::run(ranks, [&](Communicator& comm) {
      std::vector<long> values{comm.rank() + 1L, 10L * comm.rank(), -1};
      comm.all_reduce(values, sum, {.algorithm = mine});
      const long p = ranks;
      EXPECT_EQ(values, (std::vector<long>{p * (p + 1) / 2, 10 * p * (p - 1) / 2, -p}));
      EXPECT_EQ(comm.all_reduce_async(values, sum, {.algorithm = "lab-line"}).algorithm(), "lab-line");
      comm.wait_all();
    });
  }
}

// Returns the errors of the call of `mine` on `ranks` ranks, on each of them; they then go on with a call of the
// library's.
std::vector<std::string> refusals(const Algorithm& mine, int ranks) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  tutti::run(ranks, [&](Communicator& comm) {
    std::vector<long> values{comm.rank() + 1L, 2};
    try {
      comm.all_reduce(values, sum, {.algorithm = mine});
    } catch (const Error& error) {
      said[static_cast<std::size_t>(comm.rank())] = error.what();
    }
    EXPECT_EQ(comm.all_reduce(1, sum), ranks);
  });
  return said;
}

// Nobody has proved it, and no rank hangs or computes anything: every one is told where the text is wrong.
TEST(Lab, DoesNotRunWhatIsWrong) {
  const Algorithm lost(Collective::all_reduce, "lab-run-lost", there_and_back(Mistake::lost_contribution));
  for (const std::string& said : refusals(lost, 3)) {
    EXPECT_THAT(
        said,
        HasSubstr(
            "'lab-run-lost' is wrong for all-reduce of 2 elements over 3 ranks, in place, and was not run: rank "));
    EXPECT_THAT(said, HasSubstr("wrong-result"));
  }
  const Algorithm stuck(Collective::all_reduce, "lab-run-stuck", there_and_back(Mistake::deadlock));
  for (const std::string& said : refusals(stuck, 4))
    EXPECT_THAT(said, HasSubstr("rank 0, step 1, output[0..2): deadlock"));
  EXPECT_EQ(refusals(stuck, 1), std::vector<std::string>{""}) << "a rank alone sends nothing to anybody";
}

TEST(Lab, RunsUnprovedWhereAskedTo) {
  const Algorithm lost(Collective::all_reduce, "lab-unproved", there_and_back(Mistake::lost_contribution),
                       Proving::never);
  EXPECT_EQ(refusals(lost, 3), std::vector<std::string>(3));
}

// Each rank does nothing but copy its own numbers, as often as one likes.
TEST(Lab, RefusesToProveByTheWayWhatIsTooLarge) {
  const Algorithm large(Collective::all_reduce, "lab-large", [](Rank& me) {
    for (int k = 0; k < 600'000; ++k) {
      me.copy(me.scratch(0, me.input().count), me.input());
      me.wait();
    }
  });
  for (const std::string& said : refusals(large, 2))
    EXPECT_THAT(
        said,
        HasSubstr(
            "'lab-large' has more than 1048576 operations for all-reduce of 2 elements over 2 ranks, in place, too"));
}

// Whatever is asked of it, a text that names no rank is refused.
TEST(Lab, RefusesPeersThatAreNoRanks) {
  for (const int peer : {-1, 99, 1'000'000'000}) {
    const Algorithm wrong(Collective::broadcast, "lab-peer" + std::to_string(peer), [peer](Rank& me) {
      if (me.rank() == 0) me.send(me.message(), peer);
    });
    const Problem problem{.ranks = 4, .count = 3};
    EXPECT_FALSE(prove(wrong, problem));
    EXPECT_THAT(listing(wrong, problem), HasSubstr(std::to_string(peer)));
    EXPECT_THROW(simulate(wrong, problem), Error);
    EXPECT_THROW(price(wrong, problem), Error);
  }
}

TEST(Lab, RefusesNetworksOfOtherRanksBeforeItRecordsAnything) {
  EXPECT_THROW(simulate(line(), {.ranks = 2'000'000'000}, "full:3"), Error);
}

TEST(Lab, RefusesToDrawTooManyRanksBeforeItRecordsAnything) {
  const Algorithm unseen(Collective::barrier, "lab-unseen", [](Rank&) { FAIL() << "a rank's text has run"; });
  EXPECT_THROW(draw(unseen, {.ranks = 1025}), Error);
  EXPECT_THROW(draw_page(unseen, {.ranks = 1025}), Error);
}

// Some blocks are larger, or a rank has more than it needs: the problem that is told is the one that fails.
TEST(Lab, TellsWhichBlocksAreLarger) {
  const Algorithm equal(Collective::gather, "lab-equal", [](Rank& me) {
    if (me.rank() != me.root()) return me.send(me.input(), me.root());
    for (int from = 0; from < me.size(); ++from) {
      const Slice place{Buffer::output, from * me.input().count, me.input().count};
      if (from == me.rank()) {
        me.copy(place, me.input());
      } else {
        me.receive(place, from);
      }
    }
  });
  EXPECT_TRUE(prove(equal, {.ranks = 3, .count = 3}));
  EXPECT_THAT(prove(equal, 1, 4).reason, HasSubstr("elements, the first 1 block of "));
}

}  // namespace
}  // namespace tutti::lab
