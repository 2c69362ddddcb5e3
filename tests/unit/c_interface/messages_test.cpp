/// @file
/// Messages, groups and memory through the C interface.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "c_ranks.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(CMessages, GoFromRankToRankUnderTags) {
  on_c_ranks(3, [](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    std::vector<std::int32_t> data(3, rank);
    if (rank == 1) {
      EXPECT_OK(tutti_send(comm, data.data(), 3, TUTTI_INT32, 0, 5));
    }
    if (rank == 0) {
      tutti_envelope envelope = {-7, -7, -7};
      EXPECT_OK(tutti_probe(comm, TUTTI_ANY_RANK, TUTTI_ANY_TAG, &envelope));
      EXPECT_EQ(envelope.rank, 1);
      EXPECT_EQ(envelope.tag, 5);
      EXPECT_EQ(envelope.count, 3);
      envelope = {};
      EXPECT_OK(tutti_receive(comm, data.data(), 3, TUTTI_INT32, TUTTI_ANY_RANK, 5, &envelope));
      EXPECT_EQ(envelope.rank, 1);
      EXPECT_EQ(data[2], 1);
    }
    EXPECT_OK(tutti_barrier(comm));  // the probe sees no message of what follows
    std::vector<std::int32_t> theirs(3, -1);
    EXPECT_OK(
        tutti_send_receive(comm, data.data(), 3, (rank + 1) % 3, theirs.data(), 3, (rank + 2) % 3, TUTTI_INT32, 0));
    EXPECT_EQ(theirs[0], rank == 1 ? 1 : rank == 2 ? 1 : 2);
  });
}

TEST(CMessages, MayBeUnderWayTogether) {
  on_c_ranks(4, [](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    const double mine = rank;
    double theirs = -1;
    tutti_handle receiving = nullptr;
    tutti_handle sending = nullptr;
    EXPECT_OK(tutti_receive_start(comm, &theirs, 1, TUTTI_DOUBLE, (rank + 3) % 4, 2, &receiving));
    EXPECT_OK(tutti_send_start(comm, &mine, 1, TUTTI_DOUBLE, (rank + 1) % 4, 2, &sending));
    std::int32_t done = 0;
    tutti_envelope envelope = {};
    while (done == 0) EXPECT_OK(tutti_test(&receiving, &done, &envelope));
    EXPECT_EQ(receiving, nullptr);
    EXPECT_EQ(envelope.rank, (rank + 3) % 4);
    EXPECT_EQ(theirs, (rank + 3) % 4);
    EXPECT_OK(tutti_wait(&sending, nullptr));
    // A handle of nothing is done.
    EXPECT_OK(tutti_wait(&sending, nullptr));
    EXPECT_OK(tutti_test(&sending, &done, nullptr));
    EXPECT_EQ(done, 1);
    EXPECT_OK(tutti_wait_all(comm));
  });
}

TEST(CGroups, HaveTheRanksOfAColorInTheOrderOfTheirKeys) {
  on_c_ranks(5, [](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    tutti_communicator part = nullptr;
    EXPECT_OK(tutti_split(comm, rank == 4 ? -1 : rank % 2, -rank, &part));
    if (rank == 4) {
      EXPECT_EQ(part, nullptr);
    } else {
      EXPECT_EQ(tutti_size(part), 2);
      EXPECT_EQ(tutti_rank(part), rank < 2 ? 1 : 0);
      EXPECT_EQ(tutti_abandon(part, "no"), TUTTI_INVALID_ARGUMENT);
    }
    EXPECT_OK(tutti_free(&part));
    tutti_communicator node = nullptr;
    EXPECT_OK(tutti_split_by_node(comm, &node));
    EXPECT_EQ(tutti_size(node), 5);
    EXPECT_OK(tutti_free(&node));
    EXPECT_EQ(node, nullptr);
    EXPECT_OK(tutti_set_timeout(comm, 50));
    EXPECT_EQ(tutti_set_timeout(comm, 0), TUTTI_INVALID_ARGUMENT);
    tutti_communicator given = comm;
    EXPECT_EQ(tutti_free(&given), TUTTI_INVALID_ARGUMENT);
    EXPECT_OK(tutti_barrier(comm));
  });
}

TEST(CMemory, IsZeroAlignedAndFreedOnce) {
  on_c_ranks(2, [](tutti_communicator comm) {
    void* memory = nullptr;
    void* none = nullptr;
    EXPECT_OK(tutti_allocate(comm, 800, &memory));
    EXPECT_OK(tutti_allocate(comm, 0, &none));
    EXPECT_NE(none, nullptr);
    auto* const data = static_cast<double*>(memory);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
    EXPECT_EQ(data[99], 0);
    data[0] = 1;
    EXPECT_OK(tutti_all_reduce(comm, data, data, 1, TUTTI_DOUBLE, TUTTI_SUM));
    EXPECT_EQ(data[0], 2);
    EXPECT_OK(tutti_barrier(comm));
    EXPECT_OK(tutti_free_memory(memory));
    EXPECT_OK(tutti_free_memory(none));
    EXPECT_OK(tutti_free_memory(nullptr));
    double other = 0;
    EXPECT_EQ(tutti_free_memory(&other), TUTTI_INVALID_ARGUMENT);
    EXPECT_THAT(tutti_last_error(), HasSubstr("is not of tutti_allocate()"));
  });
}

}  // namespace
}  // namespace tutti::testing
