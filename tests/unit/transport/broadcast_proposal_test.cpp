/// @file
/// Proposal of rank 0: it reaches all ranks, or the reason why there is none does. The MPI here is memory, and ranks
/// call one after another.

#include "transport/mpi/loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

std::vector<std::byte> sent;
int calling = 0;

/// Rank 0 calls first.
void broadcast(void* bytes, std::size_t count) {
  if (calling == 0) sent.resize(count);
  ASSERT_EQ(sent.size(), count);
  calling == 0 ? std::memcpy(sent.data(), bytes, count) : std::memcpy(bytes, sent.data(), count);
}

Proposal proposal_of(int rank, Propose propose) {
  Plugin plugin;
  plugin.broadcast = broadcast;
  calling = rank;
  return broadcast_proposal(plugin, rank, propose);
}

/// Returns what rank 0 and another rank are told by an exception of this type.
template <typename OfRank0>
std::string told_where(Propose fails) {
  EXPECT_THROW((void)proposal_of(0, fails), OfRank0);
  try {
    (void)proposal_of(3, fails);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::peer_failed);
    return error.what();
  }
  return "nothing";
}

TEST(BroadcastProposal, IsTheSameOnAllRanks) {
  const Propose propose = [] {
    Proposal all;
    for (std::size_t k = 0; k < all.bytes.size(); ++k) all.bytes[k] = static_cast<std::byte>(k * 7);
    return all;
  };
  EXPECT_EQ(proposal_of(0, propose).bytes, propose().bytes);
  for (const int rank : {1, 5}) EXPECT_EQ(proposal_of(rank, no_proposal).bytes, propose().bytes);
}

TEST(BroadcastProposal, ThatFailsFailsOnAllRanks) {
  EXPECT_EQ(told_where<Error>([]() -> Proposal { fail(ErrorCode::invalid_argument, "a reason"); }),
            "rank 0 failed: a reason");
  EXPECT_THAT(told_where<std::bad_alloc>([]() -> Proposal { throw std::bad_alloc(); }),
              testing::StartsWith("rank 0 failed: "));
  const std::string cut =
      told_where<Error>([]() -> Proposal { throw Error(ErrorCode::unsupported, std::string(9999, 'x')); });
  EXPECT_THAT(cut, testing::StartsWith("rank 0 failed: xxx"));
}

}  // namespace
}  // namespace tutti::runtime
