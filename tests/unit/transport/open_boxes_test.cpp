/// @file
/// A packet's communicator has a box from the first packet on, whoever comes first, and none once all have left it.

#include "transport/mpi/plugin/open_boxes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>

namespace tutti::runtime {
namespace {

struct Box {
  std::uint64_t communicator = 0;
  int packets = 0;
};

OpenBoxes<Box> no_boxes() {
  return OpenBoxes<Box>([](std::uint64_t communicator) { return Box{communicator, 0}; });
}

TEST(OpenBoxes, AreTheSameForPacketsAndMembers) {
  OpenBoxes<Box> boxes = no_boxes();
  Box* const early = boxes.of_packet(7);
  ASSERT_NE(early, nullptr);
  early->packets = 3;
  EXPECT_EQ(&boxes.of_member(7), early);
  EXPECT_EQ(boxes.of_packet(7), early);
  Box& other = boxes.of_member(8);
  EXPECT_EQ(boxes.of_packet(8), &other);
  EXPECT_EQ(early->communicator, 7U);
  EXPECT_EQ(other.communicator, 8U);
}

TEST(OpenBoxes, OfEndedCommunicatorsAreNotMadeForLatePackets) {
  OpenBoxes<Box> boxes = no_boxes();
  for (std::uint64_t communicator = 1; communicator <= 3'000; ++communicator) {
    boxes.of_member(communicator);
    boxes.end(communicator);
    for (std::uint64_t late = communicator < 10 ? 1 : communicator - 9; late <= communicator; ++late)
      EXPECT_EQ(boxes.of_packet(late), nullptr);
  }
  EXPECT_EQ(std::distance(boxes.begin(), boxes.end()), 0);
  EXPECT_NE(boxes.of_packet(3'001), nullptr);
}

}  // namespace
}  // namespace tutti::runtime
