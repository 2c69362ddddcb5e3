/// @file
/// Collectives and messages of several ranks over channels that refuse, delay and cut messages, or lose a rank.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "support/sanitizers.hpp"
#include "unit/calls/ranks_of_one_thread.hpp"

namespace tutti::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Calls : public ::testing::TestWithParam<int> {};

// More calls are begun than there are call slots, on each rank at its own time.
TEST_P(Calls, ManyInFlightComeToTheirResults) {
  const int p = GetParam();
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(p));
  for (int round = 0; round < (test::has_seen_enough ? 1 : 4); ++round) {
    const std::uint64_t lots = random();
    RanksOfOneThread ranks(p, lots, some_faults(random));
    constexpr std::size_t calls = 2 * collective_slots + 3;
    std::vector<std::vector<std::vector<std::int64_t>>> data(static_cast<std::size_t>(p));
    std::vector<std::vector<std::shared_ptr<CollectiveOperation>>> begun(data.size());
    for (auto& of_rank : data) of_rank.resize(calls);
    int looks = 0;
    const auto is_done = [&](int rank) {
      const auto& mine = begun[static_cast<std::size_t>(rank)];
      return mine.size() == calls &&
             std::none_of(mine.begin(), mine.end(), [](const auto& each) { return each->active(); });
    };
    for (int done = 0; done < p && looks < most_looks; ++looks) {
      const auto rank = static_cast<int>(random() % static_cast<std::uint64_t>(p));
      auto& mine = begun[static_cast<std::size_t>(rank)];
      if (mine.size() < calls && random() % 8 == 0) {
        auto& values = data[static_cast<std::size_t>(rank)][mine.size()];
        values.assign(mine.size() * 5, rank + static_cast<std::int64_t>(mine.size()));
        mine.push_back(ranks[rank].begin(all_reduce_of(values)));
      }
      ranks.look();
      for (done = 0; done < p && is_done(done);) ++done;
    }
    ASSERT_LT(looks, most_looks) << "seed " << lots << ": stands still";
    for (int rank = 0; rank < p; ++rank) {
      for (std::size_t call = 0; call < calls; ++call) {
        const std::int64_t wanted = p * static_cast<std::int64_t>(call) + p * (p - 1) / 2;
        EXPECT_EQ(data[static_cast<std::size_t>(rank)][call], std::vector<std::int64_t>(call * 5, wanted))
            << "seed " << lots;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Calls, ::testing::Values(1, 2, 3, 5, 8));

TEST(Messages, ComeInOrderOverFaultyChannels) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 30; ++round) {
    const std::uint64_t lots = random();
    RanksOfOneThread ranks(2, lots, some_faults(random));
    std::deque<std::vector<std::int64_t>> sent;
    std::deque<std::vector<std::int64_t>> received;
    std::vector<std::shared_ptr<Operation>> all;
    for (std::int64_t k = 0; k < 12; ++k) {
      received.emplace_back(static_cast<std::size_t>(k));
      all.push_back(ranks[1].receive(received.back(), 0));
    }
    for (std::int64_t k = 0; k < 12; ++k) {
      sent.emplace_back(static_cast<std::size_t>(k), 100 + k);
      all.push_back(ranks[0].send(sent.back(), 1));
    }
    const auto goes_on = [](const auto& each) { return each->active(); };
    int looks = 0;
    while (looks < most_looks && std::any_of(all.begin(), all.end(), goes_on)) {
      ranks.look();
      ++looks;
    }
    ASSERT_LT(looks, most_looks) << "seed " << lots << ": stands still";
    EXPECT_EQ(sent, received) << "seed " << lots;
  }
}

TEST(FailingCalls, OfRanksThatDifferFailOnAllOfThem) {
  for (std::uint64_t lots = seed; lots < seed + 20; ++lots) {
    RanksOfOneThread ranks(3, lots, {30, 30, 50, 50, 50});
    std::vector<std::vector<std::int64_t>> data(3, std::vector<std::int64_t>(4));
    data[2].resize(5);
    std::vector<std::shared_ptr<CollectiveOperation>> begun;
    for (int rank = 0; rank < 3; ++rank)
      begun.push_back(ranks[rank].begin(all_reduce_of(data[static_cast<std::size_t>(rank)])));
    for (int look = 0; look < most_looks && !ranks[0].state->failure().failed(); ++look) ranks.look();
    for (int look = 0; look < 100; ++look) ranks.look();
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(begun[static_cast<std::size_t>(rank)]->state(), Operation::State::failed) << "seed " << lots;
      EXPECT_THAT(error_of(*begun[static_cast<std::size_t>(rank)]),
                  AllOf(HasSubstr("rank 2 called all_reduce with count 5"), HasSubstr("ranks 0, 1 with count 4")));
      EXPECT_TRUE(ranks.network.has_withdrawn(rank));
    }
  }
}

// Whenever it happens: all that is under way ends with the reason, and with the memory given up.
TEST(FailingCalls, EndWhereARankIsLost) {
  for (std::uint64_t lots = seed; lots < seed + 40; ++lots) {
    RanksOfOneThread ranks(4, lots, {30, 30, 50, 50, 50});
    std::vector<std::vector<std::int64_t>> data(4, std::vector<std::int64_t>(40, 1));
    std::vector<std::shared_ptr<CollectiveOperation>> begun;
    for (int rank = 0; rank < 4; ++rank) {
      if (rank == 2 && lots % 2 == 0) continue;
      begun.push_back(ranks[rank].begin(all_reduce_of(data[static_cast<std::size_t>(rank)])));
    }
    for (std::uint64_t look = 0; look < lots % 7; ++look) ranks.look();
    ranks.network.cut(2);
    ranks.world->fail(2, "the power went out");
    ranks.world->end(2);
    for (const int rank : {0, 1, 3}) {
      const auto& mine = begun[rank == 3 ? begun.size() - 1 : static_cast<std::size_t>(rank)];
      if (!mine->active()) continue;  // a call that was done before
      try {
        ranks[rank].engine.wait(*mine);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::peer_failed);
        EXPECT_THAT(error.what(), HasSubstr("rank 2 failed: the power went out")) << "seed " << lots;
        EXPECT_TRUE(ranks.network.has_withdrawn(rank));
      }
      EXPECT_FALSE(mine->active());
    }
    EXPECT_LT(ranks.clock.passed().count(), 1);
  }
}

}  // namespace
}  // namespace tutti::runtime
