/// @file
/// Cycles of ranks that wait for one another for ever, by what they tell.

#include "progress/deadlock.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tutti::runtime {
namespace {

using Kind = Dependency::Kind;

/// Telling of ranks, built part by part; the first part of a rank is its wait.
class Told {
 public:
  Told& operation(int rank, OperationId id, const std::vector<Dependency>& dependencies) {
    EXPECT_TRUE(wait_states_[rank].begin(id));
    for (const Dependency& dependency : dependencies) wait_states_[rank].add(dependency);
    return *this;
  }
  /// One of the needs of the rank's latest part is enough.
  Told& any(int rank) {
    wait_states_[rank].let_any_suffice();
    return *this;
  }
  /// The rank waits for the first of so many parts that ends.
  Told& awaits(int rank, std::uint32_t parts) {
    wait_states_[rank].awaited = parts;
    return *this;
  }
  Told& doubt(int rank) {
    wait_states_[rank].doubt();
    return *this;
  }
  std::vector<int> cycle(int rank) const { return of(rank).ranks; }
  WaitCycle of(int rank) const {
    return wait_cycle_of(rank, [&](int each) {
      const auto found = wait_states_.find(each);
      return found == wait_states_.end() ? nullptr : &found->second;
    });
  }

 private:
  std::map<int, WaitState> wait_states_;
};

using Ranks = std::vector<int>;

/// Rank `from` sends to `to`, and `to` is to receive.
Told& send(Told& told, int from, int to) {
  return told.operation(from, send_id(0, 1, from, to), {{receive_id(0, 1, from, to), to, Kind::begin}});
}
Told& receive(Told& told, int from, int to) {
  return told.operation(to, receive_id(0, 1, from, to), {{send_id(0, 1, from, to), from, Kind::begin}});
}

/// Rank `to` is to receive from whoever sends first.
Told& receive_any(Told& told, int p, int to) {
  std::vector<Dependency> dependencies;
  for (int from = 0; from < p; ++from) dependencies.push_back({send_id(0, 1, from, to), from, Kind::begin});
  return told.operation(to, receive_id(0, 0, -1, to), dependencies).any(to);
}

TEST(WaitCycle, OfOneThatReceivesFromAnyIsOneOnceAllWaitForIt) {
  for (int p = 1; p <= 9; ++p) {
    Told told;
    for (int rank = 1; rank < p; ++rank) {
      EXPECT_EQ((receive_any(told, p, 0), told.cycle(0)), Ranks()) << "with " << rank << " ranks that wait of " << p;
      told = Told();
      for (int other = 1; other <= rank; ++other)
        told.operation(other, collective_id(0, 0), {{collective_id(0, 0), 0, Kind::begin}});
    }
    receive_any(told, p, 0);
    Ranks all;
    for (int rank = 0; rank < p; ++rank) all.push_back(rank);
    EXPECT_EQ(told.cycle(0), all);
    // Another rank has begun to send, which is on its way.
    if (p == 1) continue;
    told.operation(p - 1, send_id(0, 1, p - 1, 0), {{receive_id(0, 0, -1, 0), 0, Kind::begin}});
    EXPECT_EQ(told.cycle(0), Ranks());
  }
}

TEST(WaitCycle, OfSeveralOfWhichOneSufficesNeedsAllOfThem) {
  const auto told_with = [](bool other_waits) {
    Told told;
    receive(told, 1, 0);
    receive(told, 2, 0);
    told.awaits(0, 2);
    receive(told, 0, 1);
    if (other_waits) receive(told, 0, 2);
    return told.cycle(0);
  };
  EXPECT_EQ(told_with(false), Ranks());
  EXPECT_EQ(told_with(true), (Ranks{0, 1, 2}));
}

// Nothing is known of ranks beyond those that a wait state has room for.
TEST(WaitCycle, OfOneThatReceivesFromMoreThanAreToldIsNone) {
  const int p = static_cast<int>(WaitState::most_dependencies) + 1;
  Told told;
  receive_any(told, p, 0);
  for (int rank = 1; rank < p; ++rank)
    told.operation(rank, collective_id(0, 0), {{collective_id(0, 0), 0, Kind::begin}});
  EXPECT_EQ(told.cycle(0), Ranks());
}

TEST(WaitCycle, OfSendsGoesRoundForAnyNumberOfRanks) {
  for (int p = 1; p <= 17; ++p) {
    Told told;
    for (int rank = 0; rank < p; ++rank) send(told, rank, (rank + 1) % p);
    for (int rank = 0; rank < p; ++rank) {
      Ranks expected;
      for (int k = 0; k < p; ++k) expected.push_back((rank + k) % p);
      EXPECT_EQ(told.cycle(rank), expected) << p;
    }
  }
}

TEST(WaitCycle, IsNoneWhereOneRankDoesNotWait) {
  for (int p = 2; p <= 9; ++p) {
    for (int busy = 0; busy < p; ++busy) {
      Told told;
      for (int rank = 0; rank < p; ++rank) {
        if (rank != busy) send(told, rank, (rank + 1) % p);
      }
      for (int rank = 0; rank < p; ++rank) EXPECT_EQ(told.cycle(rank), Ranks()) << p << " " << busy;
    }
  }
}

TEST(WaitCycle, IsNoneWhereBothSidesOfAMessageHaveBegun) {
  Told told;
  send(told, 0, 1);
  receive(told, 0, 1);
  EXPECT_EQ(told.cycle(0), Ranks());
  EXPECT_EQ(told.cycle(1), Ranks());
}

// Rank 0 waits for rank 1, which waits for another message, but has begun to send what rank 0 needs.
TEST(WaitCycle, IsNoneThroughWhatARankHasUnderWayBesideItsWait) {
  Told told;
  receive(told, 1, 0);
  told.operation(1, receive_id(0, 2, 0, 1), {{send_id(0, 2, 0, 1), 0, Kind::begin}});
  EXPECT_EQ(told.cycle(0), Ranks({0, 1}));
  send(told, 1, 0);
  EXPECT_EQ(told.cycle(0), Ranks());
  EXPECT_EQ(told.cycle(1), Ranks());
}

TEST(WaitCycle, DoesNotHaveARankThatHangsOnIt) {
  Told told;
  send(told, 0, 1);
  send(told, 1, 0);
  receive(told, 0, 2);
  EXPECT_EQ(told.cycle(2), Ranks());
  EXPECT_EQ(told.cycle(0), Ranks({0, 1}));
}

TEST(WaitCycle, GoesThroughACollectiveThatARankHasNotEntered) {
  const OperationId barrier = collective_id(0, 7);
  Told told;
  receive(told, 1, 0);
  told.operation(1, barrier, {{barrier, 2, Kind::message}});
  told.operation(2, barrier, {{barrier, 0, Kind::message}});
  told.operation(3, barrier, {{barrier, 9, Kind::message}});  // rank 9 does not wait
  EXPECT_EQ(told.cycle(0), Ranks({0, 1, 2}));
  EXPECT_EQ(told.cycle(1), Ranks({1, 2, 0}));
  EXPECT_EQ(told.cycle(3), Ranks());
}

TEST(WaitCycle, IsNoneWithinOneCollective) {
  const OperationId call = collective_id(0, 1);
  Told told;
  told.operation(0, call, {{call, 1, Kind::message}});
  told.operation(1, call, {{call, 0, Kind::reading}});
  EXPECT_EQ(told.cycle(0), Ranks()) << "a long message is on its way";
}

// A part reads what it was sent as long as anything of its step can move, even if it never leaves the step.
TEST(WaitCycle, NeedsAllOfAStepToStandBeforeNothingIsRead) {
  const OperationId call = collective_id(0, 1);
  Told told;
  receive(told, 2, 0);
  told.operation(1, call, {{call, 0, Kind::message}, {call, 9, Kind::message}});  // rank 9 does not wait
  told.operation(2, call, {{call, 1, Kind::reading}});
  EXPECT_EQ(told.cycle(0), Ranks());
  EXPECT_EQ(told.cycle(1), Ranks());
  Told all;
  receive(all, 2, 0);
  all.operation(1, call, {{call, 0, Kind::message}});
  all.operation(2, call, {{call, 1, Kind::reading}});
  EXPECT_EQ(all.cycle(0), Ranks({0, 2, 1}));
}

TEST(WaitCycle, IsNoneInDoubt) {
  Told told;
  send(told, 0, 1);
  send(told, 1, 0);
  told.doubt(1);
  EXPECT_EQ(told.cycle(0), Ranks());
}

TEST(WaitCycle, InvolvesWhatARankHasUnderWayBesideItsWait) {
  const OperationId call = collective_id(0, 1);
  Told told;
  told.operation(0, send_id(0, 1, 0, 9), {{receive_id(0, 1, 0, 9), 9, Kind::begin}});
  told.operation(0, call, {{call, 1, Kind::message}});
  receive(told, 2, 1);
  told.operation(2, call, {{call, 0, Kind::message}});
  EXPECT_EQ(told.cycle(0), Ranks()) << "rank 9 may receive";
  EXPECT_TRUE(told.of(0).involves_it);
  EXPECT_EQ(told.cycle(1), Ranks({1, 2, 0})) << "whatever rank 9 does, rank 0 cannot send before it hears from rank 1";
}

// Each rank waits for one other at most. The way from a rank comes back to it, runs into a cycle, or ends.
TEST(WaitCycle, IsFoundWhereverOneIsAndNowhereElse) {
  constexpr unsigned seed = 20240611;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    const int p = 1 + static_cast<int>(random() % 12);
    std::vector<int> next(static_cast<std::size_t>(p));
    Told told;
    for (int rank = 0; rank < p; ++rank) {
      int& to = next[static_cast<std::size_t>(rank)];
      to = random() % 6 == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(p));
      if (to >= 0)
        told.operation(rank, send_id(0, static_cast<std::uint64_t>(rank), rank, to), {{99, to, Kind::begin}});
    }
    for (int rank = 0; rank < p; ++rank) {
      bool comes_back = false;
      for (int k = 0, at = rank; k < p && at >= 0 && !comes_back; ++k) {
        at = next[static_cast<std::size_t>(at)];
        comes_back = at == rank;
      }
      EXPECT_EQ(!told.cycle(rank).empty(), comes_back);
    }
  }
}

}  // namespace
}  // namespace tutti::runtime
