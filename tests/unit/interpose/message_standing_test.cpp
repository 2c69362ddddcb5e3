/// @file
/// Which ranks wait for ever for messages, by what they tell of them.

#include "interpose/message_standing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "progress/circle.hpp"

namespace tutti::interpose {
namespace {

using runtime::circle_of;
using runtime::Need;
using runtime::Standing;
using Side = Message::Side;
using Ranks = std::vector<int>;

constexpr std::uint32_t world = 0xfedcba98U;

Message from(int rank, int tag = 1) { return {Side::received, rank, tag, world}; }
Message to(int rank, int tag = 1) { return {Side::sent, rank, tag, world}; }
Message begun_by(int rank, int number = 1) { return {Side::begun, rank, number, world}; }

/// What ranks tell, by rank; who tells nothing computes.
class Told {
 public:
  Told& awaits(int rank, const std::vector<Message>& messages, bool any_suffices = false) {
    EXPECT_TRUE(tell_awaited(standings_[rank], messages, any_suffices));
    return *this;
  }
  Told& beside(int rank, const std::vector<Message>& messages) {
    EXPECT_TRUE(tell_beside(standings_[rank], {messages, {}}));
    return *this;
  }
  Told& has_begun(int rank, int collectives, std::uint32_t communicator = world) {
    EXPECT_TRUE(tell_beside(standings_[rank], {{}, {{communicator, collectives}}}));
    return *this;
  }
  /// On other communicators than the one of the test, and more than are told.
  Told& has_begun_on_many(int rank) {
    Beside beside;
    for (std::uint32_t k = 1; k <= Standing::most_needs; ++k) beside.collectives.push_back({world + k, 1});
    EXPECT_TRUE(tell_beside(standings_[rank], beside));
    return *this;
  }
  Told& ended(int rank) {
    EXPECT_TRUE(tell_end(standings_[rank]));
    return *this;
  }
  Told& meets(int rank, std::uint32_t communicator, const Ranks& others) {
    EXPECT_TRUE(tell_meeting(standings_[rank], communicator, others));
    return *this;
  }
  /// As a rank that is in a collective, which another one has not begun.
  Told& in_call(int rank, int absent) {
    EXPECT_TRUE(standings_[rank].begin(runtime::collective_deed(0, 3)));
    standings_[rank].add({runtime::collective_deed(0, 3), absent, Need::Kind::begin});
    return *this;
  }
  Ranks circle(int rank) const {
    const auto raw = [&](int each) {
      const auto found = standings_.find(each);
      return found == standings_.end() ? nullptr : &found->second;
    };
    std::map<int, Standing> all;
    return circle_of(rank,
                     [&](int each) -> const Standing* {
                       if (raw(each) == nullptr) return nullptr;
                       return &(all[each] = understood(each, *raw(each), rank, raw));
                     })
        .ranks;
  }
  /// Of what is told, before anybody compares it: the engine of a rank that is in a collective sees that.
  Ranks circle_of_raw(int rank) const {
    return circle_of(rank,
                     [&](int each) {
                       const auto found = standings_.find(each);
                       return found == standings_.end() ? nullptr : &found->second;
                     })
        .ranks;
  }

 private:
  std::map<int, Standing> standings_;
};

TEST(MessageStanding, ARingOfWaitsIsACircle) {
  for (int p = 1; p <= 9; ++p) {
    Told sends;
    Told receives;
    for (int rank = 0; rank < p; ++rank) {
      sends.awaits(rank, {to((rank + 1) % p)});
      receives.awaits(rank, {from((rank + 1) % p)});
    }
    for (int rank = 0; rank < p; ++rank) {
      Ranks expected;
      for (int k = 0; k < p; ++k) expected.push_back((rank + k) % p);
      EXPECT_EQ(sends.circle(rank), expected);
      EXPECT_EQ(receives.circle(rank), expected);
      EXPECT_EQ(sends.circle_of_raw(rank), Ranks());
    }
  }
}

TEST(MessageStanding, ARankThatComputesEndsNoWait) {
  for (int p = 2; p <= 9; ++p) {
    Told told;
    for (int rank = 1; rank < p; ++rank) told.awaits(rank, {from((rank + 1) % p)});
    for (int rank = 0; rank < p; ++rank) EXPECT_EQ(told.circle(rank), Ranks());
  }
}

TEST(MessageStanding, WhatBothRanksHaveBegunIsNoHang) {
  const int any_tag = Message::any_tag;
  for (const Message& other : {to(0), to(Message::any_rank)}) {
    EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {other}).circle(0), Ranks());
    EXPECT_EQ(Told().awaits(0, {from(1, any_tag)}).awaits(1, {other}).circle(0), Ranks());
    for (const Message& mine : {from(1), from(1, any_tag)})
      EXPECT_EQ(Told().awaits(0, {mine}).awaits(1, {from(0, 7)}).beside(1, {other}).circle(0), Ranks());
    EXPECT_EQ(Told().awaits(0, {from(1)}).in_call(1, 0).beside(1, {other}).circle(0), Ranks());
  }
  EXPECT_EQ(Told().awaits(0, {to(1)}).awaits(1, {to(0)}).beside(1, {from(Message::any_rank, any_tag)}).circle(0),
            Ranks());
  EXPECT_EQ(Told().awaits(0, {from(1)}).ended(1).beside(1, {to(0)}).circle(0), Ranks());
}

TEST(MessageStanding, WhatDoesNotFitIsAHang) {
  const auto circle_with = [](const Message& other) {
    return Told().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, {other}).circle(0);
  };
  EXPECT_EQ(circle_with(to(0, 2)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(to(2)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(from(0)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with({Side::sent, 0, 1, world + 1}), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(to(0)), Ranks());
}

TEST(MessageStanding, OneThatNeverComesIsEnoughUnlessOneSuffices) {
  const auto told_with = [](bool any_suffices) {
    return Told().awaits(0, {from(1), from(2)}, any_suffices).awaits(1, {from(0)}).circle(0);
  };
  EXPECT_EQ(told_with(false), (Ranks{0, 1}));
  EXPECT_EQ(told_with(true), Ranks());
  Told all;
  all.awaits(0, {from(1), from(2)}, true).awaits(1, {from(0)}).awaits(2, {to(0, 9)});
  EXPECT_EQ(all.circle(0), (Ranks{0, 1, 2}));
  all.beside(2, {to(0)});
  EXPECT_EQ(all.circle(0), Ranks());
}

TEST(MessageStanding, NothingIsKnownOfOtherHosts) {
  EXPECT_EQ(Told().awaits(0, {from(Message::other_host)}).circle(0), Ranks());
  EXPECT_EQ(Told().awaits(0, {from(1), from(Message::other_host)}, true).awaits(1, {from(0)}).circle(0), Ranks());
  EXPECT_EQ(Told().awaits(0, {from(Message::other_host), from(1)}).awaits(1, {from(0)}).circle(0), (Ranks{0, 1}));
}

TEST(MessageStanding, AWaitForAnEndedRankNeverEnds) {
  Told told;
  told.awaits(2, {to(1)}).awaits(1, {from(0)}).ended(0);
  EXPECT_EQ(told.circle(1), (Ranks{1, 0}));
  EXPECT_EQ(told.circle(2), (Ranks{2, 1, 0}));
  EXPECT_EQ(told.circle_of_raw(2), Ranks());
  EXPECT_EQ(Told().awaits(1, {from(0), from(2)}, true).ended(0).circle(1), Ranks());
}

TEST(MessageStanding, ACollectiveAndAMessageMayWaitForOneAnother) {
  Told told;
  told.awaits(1, {from(0)}).in_call(0, 1).in_call(2, 1);
  EXPECT_EQ(told.circle(1), (Ranks{1, 0}));
  EXPECT_EQ(told.circle_of_raw(0), Ranks());
}

TEST(MessageStanding, WhoWaitsElsewhereHasNotComeToAFirstCollective) {
  EXPECT_EQ(Told().meets(0, 5, {1, 2}).awaits(1, {from(0)}).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().meets(0, 5, {1}).meets(1, 6, {0}).circle(1), (Ranks{1, 0}));
  EXPECT_EQ(Told().meets(0, 5, {1}).in_call(1, 0).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().meets(0, 5, {1}).ended(1).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().meets(0, 5, {1}).circle(0), Ranks());
  EXPECT_EQ(Told().meets(0, 5, {1, 2}).meets(1, 5, {0, 2}).circle(0), Ranks());
}

// What it has sent before may be what the other one waits for.
TEST(MessageStanding, WhoHasComeToAFirstCollectiveTellsWhatItHasUnderWay) {
  EXPECT_EQ(Told().meets(0, 5, {1}).beside(0, {to(1)}).awaits(1, {from(0)}).circle(0), Ranks());
  EXPECT_EQ(Told().meets(0, 5, {1}).beside(0, {to(1, 2)}).awaits(1, {from(0)}).circle(0), (Ranks{0, 1}));
}

// Of more messages than a standing has room for, nothing is known of the rest.
TEST(MessageStanding, WhoHasMoreThanCanBeToldIsDoubtful) {
  std::vector<Message> many;
  for (std::size_t k = 0; k <= Standing::most_needs; ++k) many.push_back(to(static_cast<int>(k) + 5));
  EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many).circle(0), Ranks());
  many.pop_back();
  many.pop_back();
  EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many).circle(0), (Ranks{0, 1}));
}

// Of many messages with one rank the tags are not told: whether any is there for that rank still is.
TEST(MessageStanding, ManyMessagesWithOneRankAreToldWithoutTags) {
  const auto many = [](const auto& one, int rank) {
    std::vector<Message> messages;
    for (std::size_t k = 0; k <= 3 * Standing::most_needs; ++k) messages.push_back(one(rank, static_cast<int>(k) + 2));
    return messages;
  };
  const auto from_one = [](int rank, int tag) { return from(rank, tag); };
  const auto to_one = [](int rank, int tag) { return to(rank, tag); };
  for (const bool any_suffices : {false, true}) {
    Told told;
    told.awaits(0, many(from_one, 1), any_suffices).awaits(1, many(from_one, 0), any_suffices);
    EXPECT_EQ(told.circle(0), (Ranks{0, 1}));
    EXPECT_EQ(told.beside(1, {to(0, 7)}).circle(0), Ranks());
  }
  EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many(to_one, 5)).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many(to_one, 0)).circle(0), Ranks());
}

TEST(MessageStanding, ACollectiveNeedsTheRanksThatHaveNotBegunIt) {
  const auto with = [](int number, int begun, std::uint32_t communicator) {
    return Told().awaits(0, {begun_by(1, number)}).awaits(1, {from(0)}).has_begun(1, begun, communicator).circle(0);
  };
  for (int number = 1; number <= 4; ++number) {
    for (int begun = 1; begun <= 4; ++begun) {
      EXPECT_EQ(with(number, begun, world), begun < number ? (Ranks{0, 1}) : Ranks()) << number << " " << begun;
      EXPECT_EQ(with(number, begun, world + 1), (Ranks{0, 1}));
    }
  }
  EXPECT_EQ(Told().awaits(0, {begun_by(1)}).ended(1).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().awaits(0, {begun_by(1)}).ended(1).has_begun(1, 1).circle(0), Ranks());
  EXPECT_EQ(Told().awaits(0, {begun_by(1)}).in_call(1, 0).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().awaits(0, {begun_by(1)}).in_call(1, 0).has_begun(1, 1).circle(0), Ranks());
  EXPECT_EQ(Told().awaits(0, {begun_by(1), begun_by(2)}).awaits(2, {from(0)}).circle(0), (Ranks{0, 2}));
  EXPECT_EQ(Told().awaits(0, {begun_by(1)}).circle(0), Ranks());
}

TEST(MessageStanding, ACollectiveAndAMessageDoNotMatch) {
  EXPECT_EQ(Told().awaits(0, {from(1)}).awaits(1, {begun_by(0)}).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(Told().awaits(0, {to(1)}).awaits(1, {begun_by(0)}).circle(0), (Ranks{0, 1}));
}

// Of more than there is room for, nothing is known.
TEST(MessageStanding, CollectivesThatAreNotToldMayHaveBegun) {
  Told all;
  all.awaits(0, {begun_by(1)}).awaits(1, {from(0)});
  all.has_begun_on_many(1);
  EXPECT_EQ(all.circle(0), Ranks());
}

}  // namespace
}  // namespace tutti::interpose
