/// @file
/// Agreement over a tree: ranks of one process, whose packets come in any order that MPI permits.

#include "agreement/call_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <memory>
#include <random>

namespace tutti::runtime {
namespace {

constexpr std::uint64_t batch = collective_slots / 2;

Signature signature_of(int root) {
  Signature signature;
  signature.collective = Collective::broadcast;
  signature.root = root;
  signature.seal();
  return signature;
}

/// p ranks, and the packets between them: those of one rank to another come in the order in which they were sent.
class Ranks {
 public:
  Ranks(int p, unsigned seed)
      : random_(seed), ways_(static_cast<std::size_t>(p * p)), sent_(static_cast<std::size_t>(p)) {
    for (int rank = 0; rank < p; ++rank) trees_.push_back(std::make_unique<CallTree>(7));
  }

  int size() const { return static_cast<int>(trees_.size()); }
  CallTree& operator[](int rank) { return *trees_[static_cast<std::size_t>(rank)]; }
  std::mt19937& random() { return random_; }
  bool heads() { return random_() % 2 == 0; }
  std::uint64_t sent_by(int rank) const { return sent_[static_cast<std::size_t>(rank)]; }

  void join(int rank) {
    (*this)[rank].join(rank, size(),
                       {.packet = [] { return std::make_unique<Packet>(); },
                        .send =
                            [this, rank](int to, PacketPointer packet) {
                              ++sent_[static_cast<std::size_t>(rank)];
                              way(rank, to).push_back(std::move(packet));
                            }});
  }
  void join_all() {
    for (int rank = 0; rank < size(); ++rank) join(rank);
  }

  /// Some rank, or that one, hears the next packet of some other; false if there is none.
  bool deliver(int to = -1) {
    std::vector<std::size_t> full;
    for (std::size_t k = 0; k < ways_.size(); ++k) {
      const bool is_asked = to < 0 || k % trees_.size() == static_cast<std::size_t>(to);
      if (is_asked && !ways_[k].empty()) full.push_back(k);
    }
    if (full.empty()) return false;
    const std::size_t k = full[random_() % full.size()];
    const PacketPointer packet = std::move(ways_[k].front());
    ways_[k].pop_front();
    trees_[k % trees_.size()]->hear(*packet);
    return true;
  }
  void deliver_all() {
    while (deliver()) continue;
  }

 private:
  std::deque<PacketPointer>& way(int from, int to) {
    return ways_[static_cast<std::size_t>(from) * trees_.size() + static_cast<std::size_t>(to)];
  }

  std::mt19937 random_;
  std::vector<std::unique_ptr<CallTree>> trees_;
  std::vector<std::deque<PacketPointer>> ways_;
  std::vector<std::uint64_t> sent_;
};

class CallTreeOf : public ::testing::TestWithParam<int> {
 protected:
  const unsigned seed = 1;
  Ranks ranks{GetParam(), seed};
  const int p = GetParam();
};

/// All ranks make `calls` calls, each when it may, in any order; `sign` signs one for a rank.
template <typename Sign>
void make_calls(Ranks& ranks, std::uint64_t calls, const Sign& sign, const std::function<void()>& look = {}) {
  std::vector<std::uint64_t> done(static_cast<std::size_t>(ranks.size()));
  std::uint64_t least = 0;
  for (int turn = 0; least < calls && turn < 1000000; ++turn) {
    const int rank = static_cast<int>(ranks.random()() % static_cast<unsigned>(ranks.size()));
    std::uint64_t& mine = done[static_cast<std::size_t>(rank)];
    CallTree& tree = ranks[rank];
    if (mine < calls && mine < tree.completed_by_all() + collective_slots && !tree.is_disputed_below(mine)) {
      sign(tree, rank, mine);
      tree.complete(++mine);
    } else if (mine < calls) {
      tree.publish();  // a rank that waits does so
      if (!ranks.deliver() && tree.is_disputed_below(mine)) return;
    }
    if (ranks.heads()) ranks.deliver();
    if (look) look();
    least = *std::min_element(done.begin(), done.end());
  }
  EXPECT_EQ(least, calls) << "no rank came any further";
}

/// Runs ranks whose calls `root` tells.
template <typename Root>
void call(Ranks& ranks, std::uint64_t calls, const Root& root, const std::function<void()>& look = {}) {
  const auto sign = [&](CallTree& tree, int rank, std::uint64_t number) {
    tree.sign(number, signature_of(root(rank, number)), {});
  };
  make_calls(ranks, calls, sign, look);
}

TEST_P(CallTreeOf, AllLearnHowFarAllHaveCome) {
  ranks.join_all();
  const std::uint64_t calls = 3 * kept_calls + 5;
  call(
      ranks, calls, [](int, std::uint64_t number) { return static_cast<int>(number % 3); },
      [&] {
        const int rank = static_cast<int>(ranks.random()() % static_cast<unsigned>(p));
        for (int other = 0; other < p; ++other) ASSERT_LE(ranks[rank].entered_by_all(), ranks[other].entered());
      });
  for (int rank = 0; rank < p; ++rank) ranks[rank].publish();
  ranks.deliver_all();
  for (int rank = 0; rank < p; ++rank) {
    EXPECT_EQ(ranks[rank].entered_by_all(), calls);
    EXPECT_EQ(ranks[rank].completed_by_all(), calls);
    EXPECT_FALSE(ranks[rank].is_disputed_below(calls));
    for (int other = 0; other < p; ++other) {
      EXPECT_TRUE(ranks[rank].has_signed(other, calls - 1));
      EXPECT_EQ(ranks[rank].signature(other, calls - 1).root, static_cast<int>((calls - 1) % 3));
    }
  }
}

/// A rank of a program that sends messages of its own between its calls: then it hears nothing.
struct Wanderer {
  std::uint64_t left = 0;  ///< so many calls
  int awaits = 0;          ///< a rank that is to have left as many
  bool has_signed = false;
};

/// Lets the rank do what it can; false if that is nothing.
bool go_on(Ranks& ranks, std::vector<Wanderer>& all, int rank) {
  Wanderer& mine = all[static_cast<std::size_t>(rank)];
  CallTree& tree = ranks[rank];
  const bool is_outside = !mine.has_signed && all[static_cast<std::size_t>(mine.awaits)].left < mine.left;
  if (is_outside) return false;
  if (!mine.has_signed && mine.left < tree.completed_by_all() + collective_slots) {
    tree.sign(mine.left, signature_of(0), {});
    mine.has_signed = true;
    return true;
  }
  if (mine.has_signed) {
    tree.complete(++mine.left);
    mine.awaits = static_cast<int>(ranks.random()() % all.size());
    mine.has_signed = false;
    return true;
  }
  return ranks.deliver(rank);
}

// The others must come to the end without what a rank outside would pass on.
TEST_P(CallTreeOf, NobodyNeedsARankThatWaitsOutside) {
  const std::uint64_t calls = 4 * kept_calls;
  for (unsigned round = 0; round < 20; ++round) {
    Ranks mine(p, seed + round);
    mine.join_all();
    std::vector<Wanderer> all(static_cast<std::size_t>(p));
    // A rank goes on as far as it can before another does: then it has heard least.
    for (bool has_moved = true; has_moved;) {
      has_moved = false;
      const int first = static_cast<int>(mine.random()() % all.size());
      for (int k = 0; k < p; ++k) {
        const int rank = (first + k) % p;
        while (all[static_cast<std::size_t>(rank)].left < calls && go_on(mine, all, rank)) has_moved = true;
      }
    }
    for (int rank = 0; rank < p; ++rank)
      ASSERT_EQ(all[static_cast<std::size_t>(rank)].left, calls) << "rank " << rank << ", seed " << seed + round;
  }
}

// Expects that, if nobody waits, a rank sends for a batch of calls one packet up, and the root's to each of its
// children.
void expect_few_packets(int p, std::uint64_t batches) {
  Ranks ranks(p, 1);
  ranks.join_all();
  for (std::uint64_t number = 0; number < batches * batch; ++number) {
    for (int rank = 0; rank < p; ++rank) {
      ASSERT_LT(number, ranks[rank].completed_by_all() + collective_slots) << "nobody tells";
      ranks[rank].sign(number, signature_of(0), {});
      ranks[rank].complete(number + 1);
    }
    ranks.deliver_all();
  }
  const auto children = static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(p - 1)));
  // Entering a batch and completing it may come apart.
  for (int rank = 0; rank < p; ++rank) EXPECT_LE(ranks.sent_by(rank), 2 * batches * (1 + children)) << "rank " << rank;
}

TEST_P(CallTreeOf, ABatchOfCallsCostsARankFewPackets) { expect_few_packets(p, 40); }

TEST(CallTreeOfHundreds, ABatchOfCallsCostsARankFewPackets) { expect_few_packets(256, 3); }

TEST_P(CallTreeOf, ADisputeIsKnownToAllAndEachRanksSideOfIt) {
  for (const std::uint64_t disputed : {std::uint64_t{0}, std::uint64_t{5}, 2 * kept_calls + 3}) {
    Ranks mine(p, seed);
    mine.join_all();
    const int odd = static_cast<int>(mine.random()() % static_cast<unsigned>(p));
    const auto root = [&](int rank, std::uint64_t number) { return rank == odd && number >= disputed ? 1 : 0; };
    if (p > 1) {
      call(mine, disputed + 2 * collective_slots, root, [&] {
        for (int rank = 0; rank < p; ++rank) {
          ASSERT_TRUE(mine[rank].entered_by_all() <= disputed || mine[rank].is_disputed_below(disputed + 1));
        }
      });
    }
    mine.deliver_all();
    for (int rank = 0; p > 1 && rank < p; ++rank) {
      ASSERT_EQ(mine[rank].disputed(), std::optional(disputed)) << "rank " << rank << " of " << p;
      for (int other = 0; other < p; ++other) {
        EXPECT_TRUE(mine[rank].has_signed(other, disputed));
        EXPECT_EQ(mine[rank].signature(other, disputed).root, other == odd ? 1 : 0);
      }
    }
  }
}

/// Returns a signature that all ranks sign alike but for the balance; those of p ranks add up to 0.
Signature balanced_signature(int p, int rank, std::uint64_t number) {
  Signature signature{.collective = Collective::all_to_all, .by_counts = true};
  const auto word = [&](int of) { return (static_cast<std::uint64_t>(of) + 7) * (number + 3) * 0x9e3779b97f4a7c15U; };
  signature.balance = word(rank) - word((rank + 1) % p);
  signature.seal();
  return signature;
}

// Nobody sees it but the root of the tree.
TEST_P(CallTreeOf, CountsThatDoNotMatchAreDisputedByAll) {
  for (const std::uint64_t disputed : {std::uint64_t{0}, std::uint64_t{5}, 2 * kept_calls + 3}) {
    Ranks mine(p, seed);
    mine.join_all();
    const int odd = static_cast<int>(mine.random()() % static_cast<unsigned>(p));
    const auto counts_of = [](int rank, std::uint64_t number) {
      return std::vector<std::int64_t>{rank, static_cast<std::int64_t>(number)};
    };
    const auto sign = [&](CallTree& tree, int rank, std::uint64_t number) {
      Signature signature = balanced_signature(p, rank, number);
      if (rank == odd && number == disputed) ++signature.balance;
      tree.sign(number, signature, counts_of(rank, number));
    };
    make_calls(mine, disputed, sign, [&] {
      for (int rank = 0; rank < p; ++rank) ASSERT_FALSE(mine[rank].is_disputed_below(disputed));
    });
    for (int rank = 0; rank < p; ++rank) {
      sign(mine[rank], rank, disputed);
      mine[rank].publish();
    }
    mine.deliver_all();
    for (int rank = 0; rank < p; ++rank) {
      ASSERT_EQ(mine[rank].disputed(), std::optional(disputed)) << "rank " << rank << " of " << p;
      for (int other = 0; other < p; ++other)
        EXPECT_EQ(mine[rank].counts(other, disputed), counts_of(other, disputed)) << "rank " << rank << " of " << p;
    }
  }
}

TEST_P(CallTreeOf, CountsOfARanksOwnAreNotTakenForThoseOfAnother) {
  ranks.join_all();
  for (int rank = 0; rank < p; ++rank) {
    const std::vector<std::int64_t> counts = {rank};
    ranks[rank].sign(0, balanced_signature(p, rank, 0), counts);
    ranks[rank].publish();
  }
  ranks.deliver_all();
  for (int other = 0; other < p; ++other) {
    EXPECT_TRUE(ranks[0].has_signed(other, 0));
    EXPECT_EQ(ranks[0].counts(other, 0), other == 0 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>());
  }
}

/// Returns the contribution of a rank to a meeting; each is another's.
Signature brought_to_meeting(std::uint64_t number, int rank) {
  Signature signature = signature_of(0);
  signature.purpose = Purpose::split;
  signature.color = rank % 3;
  signature.key = 100 * static_cast<std::int64_t>(number) - rank;
  signature.seal();
  return signature;
}

/// Whatever a rank knows of another's part in a meeting is what that has brought.
void expect_known_colors_right(Ranks& ranks, int rank, std::uint64_t number) {
  for (int other = 0; other < ranks.size(); ++other) {
    if (!ranks[rank].has_signed(other, number)) continue;
    ASSERT_EQ(ranks[rank].signature(other, number).color, other % 3) << "of " << other << " at " << rank;
    ASSERT_EQ(ranks[rank].signature(other, number).key, brought_to_meeting(number, other).key);
  }
}

// Some ranks wait for so long that they tell all others in full, while the words of others are on their way in the
// tree.
TEST_P(CallTreeOf, AColorIsNeverGuessed) {
  const unsigned rounds = p > 16 ? 2 : 20;
  for (unsigned round = 0; round < rounds; ++round) {
    Ranks mine(p, seed + round);
    SCOPED_TRACE(::testing::Message() << "seed " << seed + round);
    mine.join_all();
    for (std::uint64_t number = 0; number < 3; ++number) {
      for (int rank = 0; rank < p; ++rank) {
        mine[rank].sign(number, brought_to_meeting(number, rank), {});
        if (mine.heads()) mine[rank].tell_everyone();
      }
      while (mine.deliver()) {
        expect_known_colors_right(mine, static_cast<int>(mine.random()() % static_cast<unsigned>(p)), number);
      }
      for (int rank = 0; rank < p; ++rank) {
        for (int other = 0; other < p; ++other) ASSERT_TRUE(mine[rank].has_signed(other, number));
        expect_known_colors_right(mine, rank, number);
        mine[rank].complete(number + 1);
      }
    }
  }
}

TEST_P(CallTreeOf, WhatARankTellsInFullIsKnownOfItAlone) {
  ranks.join_all();
  const int teller = p / 2;
  for (std::uint64_t number = 0; number < 3; ++number) {
    const std::vector<std::int64_t> counts = {1, static_cast<std::int64_t>(number)};
    Signature signature = signature_of(4);
    signature.by_counts = true;
    ranks[teller].sign(number, signature, counts);
  }
  ranks[teller].tell_everyone();
  ranks.deliver_all();
  for (int rank = 0; rank < p; ++rank) {
    for (int other = 0; other < p; ++other) EXPECT_EQ(ranks[rank].has_signed(other, 2), other == teller);
    EXPECT_FALSE(ranks[rank].has_signed(teller, 3));
    EXPECT_EQ(ranks[rank].signature(teller, 2).root, 4);
    EXPECT_EQ(ranks[rank].counts(teller, 2), (std::vector<std::int64_t>{1, 2}));
  }
}

// Its child's subtree is heard of before all are.
TEST_P(CallTreeOf, WhatAllBelowHaveEnteredIsKnownOfThem) {
  ranks.join_all();
  for (int rank = 0; rank < std::min(p, 2); ++rank) {
    ranks[rank].sign(0, signature_of(4), {});
    ranks[rank].publish();
  }
  ranks.deliver_all();
  for (int other = 0; other < p; ++other) EXPECT_EQ(ranks[0].has_signed(other, 0), other < 2) << other;
  EXPECT_EQ(ranks[0].signature(std::min(1, p - 1), 0).root, 4);
}

TEST_P(CallTreeOf, IsOverWhenAllHaveLeftAndNotBefore) {
  const int last = static_cast<int>(ranks.random()() % static_cast<unsigned>(p));
  for (int rank = 0; rank < p; ++rank) {
    if (rank == last) continue;
    ranks.join(rank);
    ranks[rank].leave();
    if (ranks.heads()) ranks.deliver();
  }
  ranks.deliver_all();
  for (int rank = 0; rank < p; ++rank) EXPECT_FALSE(ranks[rank].is_over());
  ranks.join(last);  // after what others have told it
  ranks[last].leave();
  ranks.deliver_all();
  for (int rank = 0; rank < p; ++rank) EXPECT_TRUE(ranks[rank].is_over());
}

INSTANTIATE_TEST_SUITE_P(Ranks, CallTreeOf, ::testing::Values(1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 64));

}  // namespace
}  // namespace tutti::runtime
