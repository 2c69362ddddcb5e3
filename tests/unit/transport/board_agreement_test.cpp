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

}  // namespace
}  // namespace tutti::runtime
