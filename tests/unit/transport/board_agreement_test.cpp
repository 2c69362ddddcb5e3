/// @file
/// Agreement on a board: what ranks that share memory have told one another of their calls.

#include "transport/shared/board_agreement.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

// A rank may be slow in the last call of a communicator that the others have left.
TEST(BoardAgreement, KeepsTheCountsOfARankThatHasLeft) {
  constexpr int ranks = 7;
  const std::shared_ptr<World> world = threads_world(ranks);
  std::vector<Membership> members;
  for (int rank = 0; rank < ranks; ++rank) members.push_back(world->whole(rank));
  Signature signature{.by_counts = true};
  signature.seal();
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < ranks; ++rank) counts.push_back(100 + rank);
  for (Membership& member : members) member.connection->agreement().sign(0, signature, counts);
  for (int rank = 0; rank + 1 < ranks; ++rank) members[static_cast<std::size_t>(rank)].connection.reset();
  for (int rank = 0; rank < ranks; ++rank)
    EXPECT_EQ(members.back().connection->agreement().counts(rank, 0), counts) << rank;
}

/// Returns the signature of rank `rank` in an all-to-all in which all ranks expect what is sent to them, or rank 1
/// something else.
Signature signed_with(std::uint64_t balance) {
  Signature signature{.collective = Collective::all_to_all, .by_counts = true};
  signature.balance = balance;
  signature.seal();
  return signature;
}

TEST(BoardAgreement, DisputesCountsThatDoNotMatch) {
  for (const bool match : {true, false}) {
    const std::shared_ptr<World> world = threads_world(3);
    std::vector<Membership> members;
    for (int rank = 0; rank < 3; ++rank) members.push_back(world->whole(rank));
    const std::uint64_t balances[] = {5, 7, std::uint64_t{0} - 12};
    const std::vector<std::int64_t> counts(6, 1);
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const bool is_odd = !match && rank == 1;
      members[rank].connection->agreement().sign(0, signed_with(balances[rank] + (is_odd ? 1 : 0)), counts);
    }
    for (Membership& member : members) {
      EXPECT_EQ(member.connection->agreement().settled(), match);
      EXPECT_EQ(member.connection->agreement().disputed().has_value(), !match);
    }
  }
}

// The signatures are alike; where the same place of the board has had one of them before, the counts are those of now.
TEST(BoardAgreement, TellsCountsThatChangeWhileTheSignatureDoesNot) {
  const std::shared_ptr<World> world = threads_world(2);
  const Membership members[] = {world->whole(0), world->whole(1)};
  for (std::uint64_t number = 0; number < 3 * kept_calls; ++number) {
    const std::vector<std::int64_t> counts(4, static_cast<std::int64_t>(number));
    for (const int rank : {0, 1}) {
      Agreement& agreement = members[rank].connection->agreement();
      ASSERT_TRUE(agreement.may_enter(number));
      agreement.sign(number, signed_with(rank == 0 ? number : std::uint64_t{0} - number), counts);
    }
    for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(members[0].connection->agreement().counts(rank, number), counts);
    for (const Membership& member : members) {
      member.connection->agreement().complete(number + 1);
      member.connection->agreement().flush();
    }
  }
}

Signature named(const char* name, std::int64_t color, std::int64_t key) {
  Signature signature = named_meeting(name);
  signature.color = color;
  signature.key = key;
  signature.seal();
  return signature;
}

// Numbers that share a call slot have had other meetings in it. Who came for something else is told by the digest.
TEST(BoardAgreement, TellsTheWordsOfTheMeetingThatIsAskedFor) {
  const std::shared_ptr<World> world = threads_world(2);
  const Membership members[] = {world->whole(0), world->whole(1)};
  for (std::uint64_t number = 0; number < 3 * kept_calls; ++number) {
    const bool is_odd = number % 5 == 4;
    for (const int rank : {0, 1}) {
      Agreement& agreement = members[rank].connection->agreement();
      const auto color = static_cast<std::int64_t>(number) + rank;
      agreement.sign(number, is_odd && rank == 1 ? signed_with(number) : named("meet", color, -color), {});
    }
    for (const int rank : {0, 1}) {
      const MeetingWords words = members[0].connection->agreement().meeting_words(rank, number);
      const Signature& signature = members[0].connection->agreement().signature(rank, number);
      EXPECT_EQ(words.digest, signature.digest);
      if (is_odd && rank == 1) continue;
      EXPECT_EQ(words.color, signature.color);
      EXPECT_EQ(words.key, signature.key);
    }
    for (const Membership& member : members) {
      member.connection->agreement().complete(number + 1);
      member.connection->agreement().flush();
    }
  }
}

// Whom each of p ranks woke would be woken p times.
TEST(BoardAgreement, WakesThoseWhoHaveComeToAMeetingWhenTheLastOneComes) {
  constexpr int ranks = 4;
  const std::shared_ptr<World> world = threads_world(ranks);
  std::vector<Membership> members;
  for (int rank = 0; rank < ranks; ++rank) members.push_back(world->whole(rank));
  for (std::uint64_t number = 0; number < 3; ++number) {
    members[0].connection->agreement().sign(number, named("meet", 0, 0), {});
    members[0].connection->channel().prepare_sleep(WokenBy::messages);
    if (!world->prepare_sleep(0, WokenBy::messages)) GTEST_SKIP() << "ranks are not woken here";
    for (std::size_t rank = 1; rank < ranks; ++rank) {
      EXPECT_TRUE(world->record(0).sleep_word().is_woken_by(WokenBy::messages)) << rank;
      members[rank].connection->agreement().sign(number, named("meet", 0, 0), {});
    }
    EXPECT_FALSE(world->record(0).sleep_word().is_woken_by(WokenBy::messages)) << number;
    world->finish_sleep(0);
    members[0].connection->channel().finish_sleep(WokenBy::messages);
  }
}

}  // namespace
}  // namespace tutti::runtime
