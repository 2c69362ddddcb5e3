/// @file
/// Places that a receiver opens for messages before they are sent, and copies that a sender lends with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "transport/shared/shared_channel.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

constexpr std::int64_t bytes = 128 * 1024;
constexpr std::int64_t long_bytes = 2 * 1024 * 1024;  // copies are lent with messages of that length

/// Two ranks of one thread.
class TwoRanks : public ::testing::Test {
 protected:
  TwoRanks() {
    for (int rank = 0; rank < 2; ++rank) {
      held_memory_.push_back(std::make_unique<HeldMemory>(memory_));
      channels_.push_back(
          std::make_unique<SharedChannel>(control_, rank, members_, memory_, *held_memory_.back(), alarm_, false));
    }
    std::iota(sent_.begin(), sent_.end(), std::uint8_t{3});
  }

  /// Rank 1 sends `message` to rank 0, and has put it in its place before if `in_its_place`.
  PostResult post(std::uint64_t number, bool in_its_place) {
    Outgoing message{std::span(&slice_, 1), &bindings_, bytes, 5};
    message.in_its_place = in_its_place;
    return channels_[1]->post({0, 0, number, number - 1, number == 1}, message);
  }
  static Route route(int peer, std::uint64_t number) { return {peer, 0, number, number - 1, number == 1}; }
  void open(std::uint64_t number, std::int64_t n = bytes) {
    channels_[0]->open_place(route(1, number), {MemoryRange::of(at(received_), n), true});
  }
  std::optional<OpenPlace> place(std::uint64_t number) { return channels_[1]->place_of(route(0, number)); }
  Arrival arrival(std::uint64_t number) {
    Arrival arrival;
    EXPECT_TRUE(channels_[0]->arrived(route(1, number), {}, arrival));
    return arrival;
  }
  /// Lends a long message, of which rank 1 keeps a copy.
  PostResult lend(std::uint64_t number) {
    sent_.resize(long_bytes);
    kept_.resize(long_bytes);
    slice_.count = long_bytes;
    bindings_.base[1] = at(sent_);
    Outgoing message{std::span(&slice_, 1), &bindings_, long_bytes, 5};
    message.copy = MemoryRange::of(at(kept_), long_bytes);
    return channels_[1]->post(route(0, number), message);
  }
  std::optional<std::int64_t> claim(std::uint64_t number, std::int64_t n) {
    return channels_[1]->claim_copy(route(0, number), n);
  }
  static std::byte* at(std::vector<std::uint8_t>& data) { return reinterpret_cast<std::byte*>(data.data()); }

  ThreadsMemory memory_{{}};
  ControlSegment control_{memory_.allocate(ControlSegment::bytes(2)), 2};
  std::vector<RankRecord> records_{2};
  std::vector<int> members_{0, 1};
  Alarm alarm_{control_, records_, members_};
  std::vector<std::unique_ptr<HeldMemory>> held_memory_;
  std::vector<std::unique_ptr<SharedChannel>> channels_;
  std::vector<std::uint8_t> sent_ = std::vector<std::uint8_t>(bytes);
  std::vector<std::uint8_t> received_ = std::vector<std::uint8_t>(bytes);
  std::vector<std::uint8_t> kept_;
  Slice slice_{Buffer::output, 0, bytes};
  Bindings bindings_{{nullptr, at(sent_), nullptr}, 1};
};

TEST_F(TwoRanks, FindAPlaceForTheMessageForWhichItWasOpened) {
  EXPECT_EQ(post(1, false), PostResult::offered);
  EXPECT_FALSE(place(2).has_value());
  open(2);
  EXPECT_FALSE(place(3).has_value());
  const auto found = place(2);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->where.pointer(), at(received_));
  EXPECT_EQ(found->where.bytes, bytes);
  EXPECT_TRUE(found->is_sent);
}

TEST_F(TwoRanks, HaveAMessageInItsPlaceAtOnce) {
  post(1, false);
  open(2);
  channels_[0]->release(route(1, 1));
  std::copy(sent_.begin(), sent_.end(), received_.begin());
  EXPECT_EQ(post(2, true), PostResult::delivered);
  const Arrival come = arrival(2);
  EXPECT_TRUE(come.in_its_place);
  EXPECT_FALSE(come.in_place);
  EXPECT_EQ(come.bytes, bytes);
  EXPECT_EQ(come.digest, 5U);
  EXPECT_TRUE(come.ranges.empty());
  channels_[0]->release(route(1, 2));
  EXPECT_EQ(post(3, false), PostResult::offered);
  EXPECT_FALSE(arrival(3).in_its_place);
}

// The sender may be about to look at the place before.
TEST_F(TwoRanks, OpenAPlaceOnlyOnceTheLastIsDoneWith) {
  post(1, false);
  open(2);
  open(3);
  EXPECT_TRUE(place(2).has_value());
  EXPECT_FALSE(place(3).has_value());
  channels_[0]->release(route(1, 1));
  post(2, false);
  open(3);
  EXPECT_TRUE(place(3).has_value());
}

TEST_F(TwoRanks, OpenNoPlaceForShortMessagesNorBeforeAnyHasCome) {
  open(2);
  EXPECT_FALSE(place(2).has_value());
  post(1, false);
  open(2, 100);
  EXPECT_FALSE(place(2).has_value());
}

TEST_F(TwoRanks, MakeACopyTogether) {
  EXPECT_EQ(lend(1), PostResult::offered);
  EXPECT_TRUE(channels_[1]->lends_copy(route(0, 1)));
  EXPECT_EQ(claim(1, 1000), 0);
  EXPECT_EQ(claim(1, 500), 1000);
  const Arrival come = arrival(1);
  EXPECT_TRUE(come.in_place);
  EXPECT_TRUE(come.is_lent);
  const auto taken = channels_[0]->take_copy(route(1, 1));
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->from, 1500);
  EXPECT_EQ(taken->into.pointer(), at(kept_));
  EXPECT_EQ(taken->into.bytes, long_bytes);
  EXPECT_EQ(claim(1, 1), std::nullopt);
  channels_[0]->release(route(1, 1));
  EXPECT_TRUE(channels_[1]->delivered(route(0, 1)));
  EXPECT_EQ(claim(1, 1), std::nullopt) << "nor once the message is delivered";
}

TEST_F(TwoRanks, LeaveACopyToItsSenderOnceThatHasBegunTheRest) {
  lend(1);
  EXPECT_EQ(claim(1, long_bytes - 1), 0);
  EXPECT_EQ(claim(1, 1000), long_bytes - 1);
  EXPECT_TRUE(arrival(1).is_lent);
  EXPECT_FALSE(channels_[0]->take_copy(route(1, 1)).has_value());
}

TEST_F(TwoRanks, LendWithEachMessageAnew) {
  lend(1);
  EXPECT_EQ(claim(1, long_bytes), 0);
  EXPECT_TRUE(arrival(1).is_lent);
  channels_[0]->release(route(1, 1));
  lend(2);
  EXPECT_EQ(claim(2, 1), 0);
  channels_[0]->release(route(1, 2));
  post(3, false);
  EXPECT_FALSE(channels_[1]->lends_copy(route(0, 3))) << "a message without a copy";
  EXPECT_FALSE(arrival(3).is_lent);
}

TEST_F(TwoRanks, LendNothingWithAMessageThatStaysInTheCaches) {
  Outgoing message{std::span(&slice_, 1), &bindings_, bytes, 5};
  message.copy = MemoryRange::of(at(received_), bytes);
  channels_[1]->post(route(0, 1), message);
  EXPECT_FALSE(channels_[1]->lends_copy(route(0, 1)));
}

}  // namespace
}  // namespace tutti::runtime
