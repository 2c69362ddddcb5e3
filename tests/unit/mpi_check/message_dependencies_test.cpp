/// @file
/// Circles of ranks that wait for ever for messages, by what they tell of them.

#include "mpi_check/waits/message_dependencies.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "progress/deadlock.hpp"

namespace tutti::interpose {
namespace {

using runtime::Dependency;
using runtime::wait_cycle_of;
using runtime::WaitState;
using Side = PendingMessage::Side;
using Ranks = std::vector<int>;

constexpr std::uint32_t world = 0xfedcba98U;

PendingMessage from(int rank, int tag = 1) { return {Side::received, rank, tag, world}; }
PendingMessage to(int rank, int tag = 1) { return {Side::sent, rank, tag, world}; }
PendingMessage begun_by(int rank, int number = 1) { return {Side::begun, rank, number, world}; }

/// Telling of ranks, by rank; a rank that tells nothing computes.
class WaitStates {
 public:
  WaitStates& awaits(int rank, const std::vector<PendingMessage>& messages, bool any_suffices = false) {
    EXPECT_TRUE(tell_awaited(wait_states_[rank], messages, any_suffices));
    return *this;
  }
  WaitStates& beside(int rank, const std::vector<PendingMessage>& messages) {
    EXPECT_TRUE(tell_under_way(wait_states_[rank], {messages, {}}));
    return *this;
  }
  WaitStates& has_begun(int rank, int collectives, std::uint32_t communicator = world) {
    EXPECT_TRUE(tell_under_way(wait_states_[rank], {{}, {{communicator, collectives}}}));
    return *this;
  }
  /// On other communicators than the one of the test, and more than are told.
  WaitStates& has_begun_on_many(int rank) {
    WorkUnderWay beside;
    for (std::uint32_t k = 1; k <= WaitState::most_dependencies; ++k) beside.collectives.push_back({world + k, 1});
    EXPECT_TRUE(tell_under_way(wait_states_[rank], beside));
    return *this;
  }
  WaitStates& ended(int rank) {
    EXPECT_TRUE(tell_end(wait_states_[rank]));
    return *this;
  }
  WaitStates& meets(int rank, std::uint32_t communicator, const Ranks& others) {
    EXPECT_TRUE(tell_meeting(wait_states_[rank], communicator, others));
    return *this;
  }
  /// Adds a rank that is in a collective, which another one has not begun.
  WaitStates& in_call(int rank, int absent) {
    EXPECT_TRUE(wait_states_[rank].begin(runtime::collective_id(0, 3)));
    wait_states_[rank].add({runtime::collective_id(0, 3), absent, Dependency::Kind::begin});
    return *this;
  }
  Ranks circle(int rank) const {
    const auto raw = [&](int each) {
      const auto found = wait_states_.find(each);
      return found == wait_states_.end() ? nullptr : &found->second;
    };
    std::map<int, WaitState> all;
    return wait_cycle_of(rank,
                         [&](int each) -> const WaitState* {
                           if (raw(each) == nullptr) return nullptr;
                           return &(all[each] = with_messages_resolved(each, *raw(each), rank, raw));
                         })
        .ranks;
  }
  /// Returns the circle in the raw telling, before anybody compares it: the engine of a rank that is in a collective
  /// sees that.
  Ranks cycle_of_raw(int rank) const {
    return wait_cycle_of(rank,
                         [&](int each) {
                           const auto found = wait_states_.find(each);
                           return found == wait_states_.end() ? nullptr : &found->second;
                         })
        .ranks;
  }

 private:
  std::map<int, WaitState> wait_states_;
};

TEST(MessageDependencies, ARingOfWaitsIsACircle) {
  for (int p = 1; p <= 9; ++p) {
    WaitStates sends;
    WaitStates receives;
    for (int rank = 0; rank < p; ++rank) {
      sends.awaits(rank, {to((rank + 1) % p)});
      receives.awaits(rank, {from((rank + 1) % p)});
    }
    for (int rank = 0; rank < p; ++rank) {
      Ranks expected;
      for (int k = 0; k < p; ++k) expected.push_back((rank + k) % p);
      EXPECT_EQ(sends.circle(rank), expected);
      EXPECT_EQ(receives.circle(rank), expected);
      EXPECT_EQ(sends.cycle_of_raw(rank), Ranks());
    }
  }
}

TEST(MessageDependencies, ARankThatComputesEndsNoWait) {
  for (int p = 2; p <= 9; ++p) {
    WaitStates told;
    for (int rank = 1; rank < p; ++rank) told.awaits(rank, {from((rank + 1) % p)});
    for (int rank = 0; rank < p; ++rank) EXPECT_EQ(told.circle(rank), Ranks());
  }
}

TEST(MessageDependencies, WhatBothRanksHaveBegunIsNoHang) {
  const int any_tag = PendingMessage::any_tag;
  for (const PendingMessage& other : {to(0), to(PendingMessage::any_rank)}) {
    EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {other}).circle(0), Ranks());
    EXPECT_EQ(WaitStates().awaits(0, {from(1, any_tag)}).awaits(1, {other}).circle(0), Ranks());
    for (const PendingMessage& mine : {from(1), from(1, any_tag)})
      EXPECT_EQ(WaitStates().awaits(0, {mine}).awaits(1, {from(0, 7)}).beside(1, {other}).circle(0), Ranks());
    EXPECT_EQ(WaitStates().awaits(0, {from(1)}).in_call(1, 0).beside(1, {other}).circle(0), Ranks());
  }
  EXPECT_EQ(
      WaitStates().awaits(0, {to(1)}).awaits(1, {to(0)}).beside(1, {from(PendingMessage::any_rank, any_tag)}).circle(0),
      Ranks());
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).ended(1).beside(1, {to(0)}).circle(0), Ranks());
}

TEST(MessageDependencies, WhatDoesNotFitIsAHang) {
  const auto circle_with = [](const PendingMessage& other) {
    return WaitStates().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, {other}).circle(0);
  };
  EXPECT_EQ(circle_with(to(0, 2)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(to(2)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(from(0)), (Ranks{0, 1}));
  EXPECT_EQ(circle_with({Side::sent, 0, 1, world + 1}), (Ranks{0, 1}));
  EXPECT_EQ(circle_with(to(0)), Ranks());
}

TEST(MessageDependencies, OneThatNeverComesIsEnoughUnlessOneSuffices) {
  const auto told_with = [](bool any_suffices) {
    return WaitStates().awaits(0, {from(1), from(2)}, any_suffices).awaits(1, {from(0)}).circle(0);
  };
  EXPECT_EQ(told_with(false), (Ranks{0, 1}));
  EXPECT_EQ(told_with(true), Ranks());
  WaitStates all;
  all.awaits(0, {from(1), from(2)}, true).awaits(1, {from(0)}).awaits(2, {to(0, 9)});
  EXPECT_EQ(all.circle(0), (Ranks{0, 1, 2}));
  all.beside(2, {to(0)});
  EXPECT_EQ(all.circle(0), Ranks());
}

TEST(MessageDependencies, NothingIsKnownOfOtherHosts) {
  EXPECT_EQ(WaitStates().awaits(0, {from(PendingMessage::other_host)}).circle(0), Ranks());
  EXPECT_EQ(WaitStates().awaits(0, {from(1), from(PendingMessage::other_host)}, true).awaits(1, {from(0)}).circle(0),
            Ranks());
  EXPECT_EQ(WaitStates().awaits(0, {from(PendingMessage::other_host), from(1)}).awaits(1, {from(0)}).circle(0),
            (Ranks{0, 1}));
}

TEST(MessageDependencies, AWaitForAnEndedRankNeverEnds) {
  WaitStates told;
  told.awaits(2, {to(1)}).awaits(1, {from(0)}).ended(0);
  EXPECT_EQ(told.circle(1), (Ranks{1, 0}));
  EXPECT_EQ(told.circle(2), (Ranks{2, 1, 0}));
  EXPECT_EQ(told.cycle_of_raw(2), Ranks());
  EXPECT_EQ(WaitStates().awaits(1, {from(0), from(2)}, true).ended(0).circle(1), Ranks());
}

TEST(MessageDependencies, ACollectiveAndAMessageMayWaitForOneAnother) {
  WaitStates told;
  told.awaits(1, {from(0)}).in_call(0, 1).in_call(2, 1);
  EXPECT_EQ(told.circle(1), (Ranks{1, 0}));
  EXPECT_EQ(told.cycle_of_raw(0), Ranks());
}

TEST(MessageDependencies, WhoWaitsElsewhereHasNotComeToAFirstCollective) {
  EXPECT_EQ(WaitStates().meets(0, 5, {1, 2}).awaits(1, {from(0)}).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).meets(1, 6, {0}).circle(1), (Ranks{1, 0}));
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).in_call(1, 0).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).ended(1).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).circle(0), Ranks());
  EXPECT_EQ(WaitStates().meets(0, 5, {1, 2}).meets(1, 5, {0, 2}).circle(0), Ranks());
}

// Earlier messages of a rank may be those that the other one waits for.
TEST(MessageDependencies, WhoHasComeToAFirstCollectiveTellsWhatItHasUnderWay) {
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).beside(0, {to(1)}).awaits(1, {from(0)}).circle(0), Ranks());
  EXPECT_EQ(WaitStates().meets(0, 5, {1}).beside(0, {to(1, 2)}).awaits(1, {from(0)}).circle(0), (Ranks{0, 1}));
}

// Nothing is known of messages beyond those that a standing has room for.
TEST(MessageDependencies, WhoHasMoreThanCanBeToldIsDoubtful) {
  std::vector<PendingMessage> many;
  for (std::size_t k = 0; k <= WaitState::most_dependencies; ++k) many.push_back(to(static_cast<int>(k) + 5));
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many).circle(0), Ranks());
  many.pop_back();
  many.pop_back();
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many).circle(0), (Ranks{0, 1}));
}

// Tags are not told of many messages with one rank: whether any is there for that rank still is.
TEST(MessageDependencies, ManyMessagesWithOneRankAreToldWithoutTags) {
  const auto many = [](const auto& one, int rank) {
    std::vector<PendingMessage> messages;
    for (std::size_t k = 0; k <= 3 * WaitState::most_dependencies; ++k)
      messages.push_back(one(rank, static_cast<int>(k) + 2));
    return messages;
  };
  const auto from_one = [](int rank, int tag) { return from(rank, tag); };
  const auto to_one = [](int rank, int tag) { return to(rank, tag); };
  for (const bool any_suffices : {false, true}) {
    WaitStates told;
    told.awaits(0, many(from_one, 1), any_suffices).awaits(1, many(from_one, 0), any_suffices);
    EXPECT_EQ(told.circle(0), (Ranks{0, 1}));
    EXPECT_EQ(told.beside(1, {to(0, 7)}).circle(0), Ranks());
  }
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many(to_one, 5)).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {from(0)}).beside(1, many(to_one, 0)).circle(0), Ranks());
}

TEST(MessageDependencies, ACollectiveNeedsTheRanksThatHaveNotBegunIt) {
  const auto with = [](int number, int begun, std::uint32_t communicator) {
    return WaitStates()
        .awaits(0, {begun_by(1, number)})
        .awaits(1, {from(0)})
        .has_begun(1, begun, communicator)
        .circle(0);
  };
  for (int number = 1; number <= 4; ++number) {
    for (int begun = 1; begun <= 4; ++begun) {
      EXPECT_EQ(with(number, begun, world), begun < number ? (Ranks{0, 1}) : Ranks()) << number << " " << begun;
      EXPECT_EQ(with(number, begun, world + 1), (Ranks{0, 1}));
    }
  }
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1)}).ended(1).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1)}).ended(1).has_begun(1, 1).circle(0), Ranks());
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1)}).in_call(1, 0).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1)}).in_call(1, 0).has_begun(1, 1).circle(0), Ranks());
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1), begun_by(2)}).awaits(2, {from(0)}).circle(0), (Ranks{0, 2}));
  EXPECT_EQ(WaitStates().awaits(0, {begun_by(1)}).circle(0), Ranks());
}

TEST(MessageDependencies, ACollectiveAndAMessageDoNotMatch) {
  EXPECT_EQ(WaitStates().awaits(0, {from(1)}).awaits(1, {begun_by(0)}).circle(0), (Ranks{0, 1}));
  EXPECT_EQ(WaitStates().awaits(0, {to(1)}).awaits(1, {begun_by(0)}).circle(0), (Ranks{0, 1}));
}

// Nothing is known of collectives beyond those that there is room for.
TEST(MessageDependencies, CollectivesThatAreNotToldMayHaveBegun) {
  WaitStates all;
  all.awaits(0, {begun_by(1)}).awaits(1, {from(0)});
  all.has_begun_on_many(1);
  EXPECT_EQ(all.circle(0), Ranks());
}

}  // namespace
}  // namespace tutti::interpose
