/// @file
/// Steps of MSCCL that touch the same chunks: a file is read only where the file itself orders them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/schedule_file/msccl_text.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void expect_proved(const std::string& text) {
  const Proof proof = verify(read_msccl(text, "mine.xml", 0));
  EXPECT_TRUE(proof.proved()) << (proof.failure ? describe(*proof.failure) : "");
}

// Rank 0 tells rank 1, which passes both chunks on through one chunk of scratch, and keeps a copy of each. `second`
// orders the receive that takes in the second chunk.
std::string through_one_chunk(Wait second) {
  const auto pair = [](const std::string& type, char from, char to) {
    return step(0, type, from, 0, to, 0) + step(1, type, from, 1, to, 1);
  };
  const std::string relays = block(0, -1, 0, step(0, "r", 'i', 0, 's', 0) + step(1, "r", 'i', 1, 's', 0, second)) +
                             block(1, 2, -1,
                                   step(0, "cpy", 's', 0, 'o', 0, {0, 0}) + step(1, "s", 's', 0, 'o', 0) +
                                       step(2, "cpy", 's', 0, 'o', 1, {0, 1}) + step(3, "s", 's', 0, 'o', 1));
  return algorithm("broadcast", 3, 2, false,
                   gpu(0, 0, block(0, 1, -1, pair("s", 'i', 'o'))) + gpu(1, 1, relays) +
                       gpu(2, 0, block(0, -1, 1, pair("r", 'i', 'o'))));
}

TEST(MscclRaces, AChunkIsOverwrittenWhenWhoReadsItIsDone) {
  expect_proved(through_one_chunk({1, 1}));
  // The copy is done, but what sends the chunk may not be.
  EXPECT_EQ(complaint_about(through_one_chunk({1, 0})),
            "mine.xml: rank 1, thread block 1, step 1: nothing orders 's', which reads chunk 0 of 's', and step 1 of "
            "thread block 0, 'r', which writes it; one of them needs depid and deps, or a 'nop' with these before it");
  EXPECT_THAT(complaint_about(through_one_chunk({})),
              AllOf(HasSubstr("mine.xml: rank 1, thread block 1, step 0: "), HasSubstr("step 1 of thread block 0")));
}

// Both ranks write their own block into their output; thread block 0 of rank 0 writes there, too.
TEST(MscclRaces, TwoWritesOfAChunkAreOrdered) {
  const auto both = [](Wait wait) {
    const std::string first = block(0, 1, 1, step(0, "s", 'i', 0, 'o', 0) + step(1, "r", 'i', 0, 'o', 1, wait)) +
                              block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', 1) + step(1, "cpy", 'i', 0, 'o', 0));
    const std::string second = block(0, 0, 0, step(0, "r", 'i', 0, 'o', 0) + step(1, "s", 'i', 0, 'o', 1)) +
                               block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', 1));
    return algorithm("allgather", 2, 2, false, gpu(0, 0, first) + gpu(1, 0, second));
  };
  expect_proved(both({1, 0}));
  EXPECT_THAT(complaint_about(both({})), AllOf(HasSubstr("rank 0, thread block "), HasSubstr("writes chunk 1 of 'o'"),
                                               HasSubstr("thread block 1"), HasSubstr("depid and deps")));
}

// In place, a rank's input is a part of its output, and 'i' and 'o' are names of the same chunks.
TEST(MscclRaces, ChunksHaveTwoNamesInPlace) {
  const auto file = [](bool in_place) {
    std::string gpus;
    for (int r = 0; r < 2; ++r) {
      const std::string exchange = step(0, "s", 'i', 0, 'o', r) + step(1, "r", 'i', 0, 'o', 1 - r);
      gpus += gpu(r, 0, block(0, 1 - r, 1 - r, exchange) + block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', r)));
    }
    return algorithm("allgather", 2, 2, in_place, gpus);
  };
  expect_proved(file(false));
  EXPECT_THAT(complaint_about(file(true)),
              HasSubstr("'cpy', which writes chunk 0 of 'o', and step 0 of thread block 0, 's', which reads it"));
}

// A message goes from thread block 0 to the other rank, and an answer comes back to thread block 1: what follows the
// answer there comes after what precedes the message. That the message was received orders nothing at its sender.
TEST(MscclRaces, MessagesOrderWhatFollowsThem) {
  const auto file = [](bool answers) {
    const std::string first = block(0, 1, -1, step(0, "cpy", 'i', 1, 's', 0) + step(1, "s", 's', 0, 'o', 0)) +
                              block(1, -1, 1, step(0, "r", 'i', 0, 's', 0) + step(1, "cpy", 's', 0, 'o', 1)) +
                              block(2, -1, -1, step(0, "cpy", 'i', 0, 'o', 0));
    const std::string receives = step(0, "r", 'i', 0, 'o', 0);
    const std::string second = (answers ? block(0, 0, 0, receives + step(1, "s", 'i', 0, 's', 0))
                                        : block(0, -1, 0, receives) + block(1, 0, -1, step(0, "s", 'i', 0, 's', 0))) +
                               block(answers ? 1 : 2, -1, -1, step(0, "cpy", 'i', 1, 'o', 1));
    return algorithm("alltoall", 2, 2, false, gpu(0, 1, first) + gpu(1, 0, second));
  };
  expect_proved(file(true));
  EXPECT_THAT(complaint_about(file(false)), HasSubstr("of thread block 0"));
}

// The root of a broadcast of two buffers may copy what it sends: these are two chunks, although one buffer holds both
// in the schedule.
TEST(MscclRaces, BuffersApartAreNotShared) {
  const std::string sends =
      block(0, 1, -1, step(0, "s", 'i', 0, 'o', 0)) + block(1, -1, -1, step(0, "cpy", 'i', 0, 'o', 0));
  expect_proved(
      algorithm("broadcast", 2, 1, false, gpu(0, 0, sends) + gpu(1, 0, block(0, -1, 0, step(0, "r", 'i', 0, 'o', 0)))));
}

}  // namespace
}  // namespace tutti
