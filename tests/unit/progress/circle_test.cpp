/// @file
/// Which ranks wait for one another for ever, by what they tell.

#include "progress/circle.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tutti::runtime {
namespace {

using Kind = Need::Kind;

/// What ranks tell, built part by part; the first part of a rank is what it waits for.
class Told {
 public:
  Told& part(int rank, Deed deed, const std::vector<Need>& needs) {
    EXPECT_TRUE(standings_[rank].begin(deed));
    for (const Need& need : needs) standings_[rank].add(need);
    return *this;
  }
  /// One of the needs of the rank's latest part is enough.
  Told& any(int rank) {
    standings_[rank].let_any_suffice();
    return *this;
  }
  /// The rank waits for the first of so many parts that ends.
  Told& awaits(int rank, std::uint32_t parts) {
    standings_[rank].awaited = parts;
    return *this;
  }
  Told& doubt(int rank) {
    standings_[rank].doubt();
    return *this;
  }
  std::vector<int> circle(int rank) const { return of(rank).ranks; }
  Circle of(int rank) const {
    return circle_of(rank, [&](int each) {
      const auto found = standings_.find(each);
      return found == standings_.end() ? nullptr : &found->second;
    });
  }

 private:
  std::map<int, Standing> standings_;
};

using Ranks = std::vector<int>;

/// Rank `from` sends to `to`, and `to` is to receive.
Told& send(Told& told, int from, int to) {
  return told.part(from, send_deed(0, 1, from, to), {{receive_deed(0, 1, from, to), to, Kind::begin}});
}
Told& receive(Told& told, int from, int to) {
  return told.part(to, receive_deed(0, 1, from, to), {{send_deed(0, 1, from, to), from, Kind::begin}});
}

/// Rank `to` is to receive from whoever sends first.
Told& receive_any(Told& told, int p, int to) {
  std::vector<Need> needs;
  for (int from = 0; from < p; ++from) needs.push_back({send_deed(0, 1, from, to), from, Kind::begin});
  return told.part(to, receive_deed(0, 0, -1, to), needs).any(to);
}

TEST(Circle, OfOneThatReceivesFromAnyIsOneOnceAllWaitForIt) {
  for (int p = 1; p <= 9; ++p) {
    Told told;
    for (int rank = 1; rank < p; ++rank) {
      EXPECT_EQ((receive_any(told, p, 0), told.circle(0)), Ranks()) << "with " << rank << " ranks that wait of " << p;
      told = Told();
      for (int other = 1; other <= rank; ++other)
        told.part(other, collective_deed(0, 0), {{collective_deed(0, 0), 0, Kind::begin}});
    }
    receive_any(told, p, 0);
    Ranks all;
    for (int rank = 0; rank < p; ++rank) all.push_back(rank);
    EXPECT_EQ(told.circle(0), all);
    // Another rank has begun to send, which is on its way.
    if (p == 1) continue;
    told.part(p - 1, send_deed(0, 1, p - 1, 0), {{receive_deed(0, 0, -1, 0), 0, Kind::begin}});
    EXPECT_EQ(told.circle(0), Ranks());
  }
}

TEST(Circle, OfSeveralOfWhichOneSufficesNeedsAllOfThem) {
  const auto told_with = [](bool other_waits) {
    Told told;
    receive(told, 1, 0);
    receive(told, 2, 0);
    told.awaits(0, 2);
    receive(told, 0, 1);
    if (other_waits) receive(told, 0, 2);
    return told.circle(0);
  };
  EXPECT_EQ(told_with(false), Ranks());
  EXPECT_EQ(told_with(true), (Ranks{0, 1, 2}));
}

// Of more ranks than a standing has room for, nothing is known of the rest.
TEST(Circle, OfOneThatReceivesFromMoreThanAreToldIsNone) {
  const int p = static_cast<int>(Standing::most_needs) + 1;
  Told told;
  receive_any(told, p, 0);
  for (int rank = 1; rank < p; ++rank)
    told.part(rank, collective_deed(0, 0), {{collective_deed(0, 0), 0, Kind::begin}});
  EXPECT_EQ(told.circle(0), Ranks());
}

TEST(Circle, OfSendsGoesRoundForAnyNumberOfRanks) {
  for (int p = 1; p <= 17; ++p) {
    Told told;
    for (int rank = 0; rank < p; ++rank) send(told, rank, (rank + 1) % p);
    for (int rank = 0; rank < p; ++rank) {
      Ranks expected;
      for (int k = 0; k < p; ++k) expected.push_back((rank + k) % p);
      EXPECT_EQ(told.circle(rank), expected) << p;
    }
  }
}

TEST(Circle, IsNoneWhereOneRankDoesNotWait) {
  for (int p = 2; p <= 9; ++p) {
    for (int busy = 0; busy < p; ++busy) {
      Told told;
      for (int rank = 0; rank < p; ++rank) {
        if (rank != busy) send(told, rank, (rank + 1) % p);
      }
      for (int rank = 0; rank < p; ++rank) EXPECT_EQ(told.circle(rank), Ranks()) << p << " " << busy;
    }
  }
}

TEST(Circle, IsNoneWhereBothSidesOfAMessageHaveBegun) {
  Told told;
  send(told, 0, 1);
  receive(told, 0, 1);
  EXPECT_EQ(told.circle(0), Ranks());
  EXPECT_EQ(told.circle(1), Ranks());
}

// Rank 0 waits for rank 1, which waits for another message, but has begun to send what rank 0 needs.
TEST(Circle, IsNoneThroughWhatARankHasUnderWayBesideItsWait) {
  Told told;
  receive(told, 1, 0);
  told.part(1, receive_deed(0, 2, 0, 1), {{send_deed(0, 2, 0, 1), 0, Kind::begin}});
  EXPECT_EQ(told.circle(0), Ranks({0, 1}));
  send(told, 1, 0);
  EXPECT_EQ(told.circle(0), Ranks());
  EXPECT_EQ(told.circle(1), Ranks());
}

TEST(Circle, DoesNotHaveARankThatHangsOnIt) {
  Told told;
  send(told, 0, 1);
  send(told, 1, 0);
  receive(told, 0, 2);
  EXPECT_EQ(told.circle(2), Ranks());
  EXPECT_EQ(told.circle(0), Ranks({0, 1}));
}

TEST(Circle, GoesThroughACollectiveThatARankHasNotEntered) {
  const Deed barrier = collective_deed(0, 7);
  Told told;
  receive(told, 1, 0);
  told.part(1, barrier, {{barrier, 2, Kind::message}});
  told.part(2, barrier, {{barrier, 0, Kind::message}});
  told.part(3, barrier, {{barrier, 9, Kind::message}});  // rank 9 does not wait
  EXPECT_EQ(told.circle(0), Ranks({0, 1, 2}));
  EXPECT_EQ(told.circle(1), Ranks({1, 2, 0}));
  EXPECT_EQ(told.circle(3), Ranks());
}

TEST(Circle, IsNoneWithinOneCollective) {
  const Deed call = collective_deed(0, 1);
  Told told;
  told.part(0, call, {{call, 1, Kind::message}});
  told.part(1, call, {{call, 0, Kind::reading}});
  EXPECT_EQ(told.circle(0), Ranks()) << "a long message is on its way";
}

// A part reads what it was sent as long as anything of its step can move, even if it never leaves the step.
TEST(Circle, NeedsAllOfAStepToStandBeforeNothingIsRead) {
  const Deed call = collective_deed(0, 1);
  Told told;
  receive(told, 2, 0);
  told.part(1, call, {{call, 0, Kind::message}, {call, 9, Kind::message}});  // rank 9 does not wait
  told.part(2, call, {{call, 1, Kind::reading}});
  EXPECT_EQ(told.circle(0), Ranks());
  EXPECT_EQ(told.circle(1), Ranks());
  Told all;
  receive(all, 2, 0);
  all.part(1, call, {{call, 0, Kind::message}});
  all.part(2, call, {{call, 1, Kind::reading}});
  EXPECT_EQ(all.circle(0), Ranks({0, 2, 1}));
}

TEST(Circle, IsNoneInDoubt) {
  Told told;
  send(told, 0, 1);
  send(told, 1, 0);
  told.doubt(1);
  EXPECT_EQ(told.circle(0), Ranks());
}

TEST(Circle, InvolvesWhatARankHasUnderWayBesideItsWait) {
  const Deed call = collective_deed(0, 1);
  Told told;
  told.part(0, send_deed(0, 1, 0, 9), {{receive_deed(0, 1, 0, 9), 9, Kind::begin}});
  told.part(0, call, {{call, 1, Kind::message}});
  receive(told, 2, 1);
  told.part(2, call, {{call, 0, Kind::message}});
  EXPECT_EQ(told.circle(0), Ranks()) << "rank 9 may receive";
  EXPECT_TRUE(told.of(0).involves_it);
  EXPECT_EQ(told.circle(1), Ranks({1, 2, 0})) << "whatever rank 9 does, rank 0 cannot send before it hears from rank 1";
}

// Each rank waits for one other at most. The way from a rank comes back to it, runs into a circle, or ends.
TEST(Circle, IsFoundWhereverOneIsAndNowhereElse) {
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
      if (to >= 0) told.part(rank, send_deed(0, static_cast<std::uint64_t>(rank), rank, to), {{99, to, Kind::begin}});
    }
    for (int rank = 0; rank < p; ++rank) {
      bool comes_back = false;
      for (int k = 0, at = rank; k < p && at >= 0 && !comes_back; ++k) {
        at = next[static_cast<std::size_t>(at)];
        comes_back = at == rank;
      }
      EXPECT_EQ(!told.circle(rank).empty(), comes_back);
    }
  }
}

}  // namespace
}  // namespace tutti::runtime
