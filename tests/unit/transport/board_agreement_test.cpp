/// @file
/// What ranks that share memory have told one another of their calls.

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

}  // namespace
}  // namespace tutti::runtime
