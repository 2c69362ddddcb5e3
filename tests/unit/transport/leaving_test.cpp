/// @file
/// Leftovers: what a rank has told a peer stays there until both have left the communicator: a peer that has not yet
/// seen the failure may be reading it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <vector>

#include "transport/shared/shared_connection.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

/// Threads' memory that counts what is in use. Where it is shut, ranks reach nothing but what is allocated here.
class CountedMemory final : public PeerMemory {
 public:
  explicit CountedMemory(bool is_shut) : is_shut_(is_shut) {}

  std::uint64_t address_of(const void* pointer) const noexcept override { return memory_.address_of(pointer); }
  std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const override {
    return memory_.pointer_to(address, bytes);
  }
  bool lies_open(const void*, int) const override { return !is_shut_; }
  bool reaches_private() const noexcept override { return !is_shut_; }
  bool is_reached_by(int) const noexcept override { return !is_shut_; }
  bool read(int, std::uint64_t, void*, std::size_t) const noexcept override { return false; }
  std::size_t write(int, std::uint64_t, const void*, std::size_t, std::uint64_t) const noexcept override { return 0; }
  std::byte* allocate(std::size_t bytes) override { return *used_.insert(memory_.allocate(bytes)).first; }
  void free(std::byte* memory) noexcept override {
    if (memory == nullptr) return;
    EXPECT_EQ(used_.erase(memory), 1U) << "freed twice";
    memory_.free(memory);
  }
  bool is_common() const noexcept override { return !is_shut_; }
  bool ended(int) const noexcept override { return false; }
  bool lost(int) const noexcept override { return false; }

  std::size_t used() const { return used_.size(); }

 private:
  bool is_shut_;
  ThreadsMemory memory_{{}};
  std::set<std::byte*> used_;
};

/// Two ranks of one thread.
struct TwoRanks {
  explicit TwoRanks(bool is_shut) : memory(is_shut) {
    for (const int rank : {0, 1}) {
      SharedPlace place{control, rank, {0, 1}, rank == 0 ? Leftovers::Owner::this_rank : Leftovers::Owner::other};
      RankNames names = place.names();
      ranks.push_back(std::make_unique<SharedConnection>(std::move(place), std::move(names),
                                                         SharedGround{records, memory, leftovers}));
    }
  }
  /// Rank 0 fails the communicator and goes.
  void lose_first() {
    ranks[0]->failure().fail(ErrorCode::peer_failed, "rank 0 failed");
    ranks[0]->failure().withdraw();
    ranks[0].reset();
    leftovers.sweep();
  }
  /// The other one goes, too; says how much is in use then.
  std::size_t left_over() {
    ranks[1].reset();
    leftovers.sweep();
    leftovers.sweep();  // the founder may only free it once all others have looked
    return memory.used();
  }

  CountedMemory memory;
  std::vector<RankRecord> records{2};
  ControlSegment control{memory.allocate(ControlSegment::bytes(2)), 2};
  Leftovers leftovers{memory};
  std::vector<std::unique_ptr<SharedConnection>> ranks;
};

Route first_to(int peer) { return {peer, 0, 1, 0, true}; }

TEST(Leaving, KeepsTheListOfAMessageOfManyPieces) {
  constexpr std::int64_t n = 1000;
  TwoRanks two(false);
  std::vector<double> data(5 * n);
  Bindings bindings;
  bindings.base[0] = reinterpret_cast<std::byte*>(data.data());
  bindings.element_size = sizeof(double);
  const std::array<Slice, 3> slices{Slice{Buffer::input, 0, n}, Slice{Buffer::input, 2 * n, n},
                                    Slice{Buffer::input, 4 * n, n}};
  Outgoing message{slices, &bindings, 3 * n * bindings.element_size, 7};
  message.may_buffer = false;
  ASSERT_EQ(two.ranks[0]->channel().post(first_to(1), message), PostResult::offered);
  two.lose_first();

  Arrival arrival;
  ASSERT_TRUE(two.ranks[1]->channel().arrived(first_to(0), {}, arrival));
  ASSERT_EQ(arrival.ranges.size(), slices.size());
  for (std::size_t k = 0; k < slices.size(); ++k) {
    EXPECT_EQ(arrival.ranges[k].pointer(), bindings.at(slices[k]));
    EXPECT_EQ(arrival.ranges[k].bytes, n * bindings.element_size);
  }
  EXPECT_EQ(two.left_over(), 0U);
}

TEST(Leaving, KeepsTheRingOfAMessageWhoseElementsFitIntoNoOther) {
  constexpr auto element = static_cast<std::int64_t>(CopyRings::ring_bytes) + 8;
  TwoRanks two(true);
  std::vector<std::byte> data(2 * element, std::byte{5});
  Bindings bindings;
  bindings.base[0] = data.data();
  bindings.element_size = element;
  const Slice all{Buffer::input, 0, 2};
  const Outgoing message{{&all, 1}, &bindings, 2 * element, 7};
  ASSERT_EQ(two.ranks[0]->channel().post(first_to(1), message), PostResult::offered);
  Arrival arrival;
  ASSERT_TRUE(two.ranks[1]->channel().arrived(first_to(0), {}, arrival));
  ASSERT_TRUE(arrival.in_parts);
  const std::span<const std::byte> part = two.ranks[1]->capabilities().streams->part(first_to(0));
  ASSERT_EQ(part.size(), static_cast<std::size_t>(element));
  two.lose_first();

  EXPECT_TRUE(std::all_of(part.begin(), part.end(), [](std::byte each) { return each == std::byte{5}; }));
  EXPECT_EQ(two.left_over(), 0U);
}

// Rings that were taken when a message was read are not kept until the end.
TEST(Leaving, FindsNoRingOfAMessageThatWasTaken) {
  constexpr auto element = static_cast<std::int64_t>(CopyRings::ring_bytes) + 8;
  TwoRanks two(true);
  std::vector<std::byte> data(element);
  Bindings bindings;
  bindings.base[0] = data.data();
  bindings.element_size = element;
  const Slice all{Buffer::input, 0, 1};
  const std::size_t before = two.memory.used();
  ASSERT_EQ(two.ranks[0]->channel().post(first_to(1), {{&all, 1}, &bindings, element, 7}), PostResult::offered);
  Arrival arrival;
  ASSERT_TRUE(two.ranks[1]->channel().arrived(first_to(0), {}, arrival));
  const std::size_t sent = two.memory.used();
  two.ranks[1]->capabilities().streams->take(first_to(0), element);
  two.ranks[1]->channel().release(first_to(0));
  EXPECT_TRUE(two.ranks[0]->channel().delivered(first_to(1)));
  EXPECT_EQ(two.memory.used() + 1, sent);
  EXPECT_GT(sent, before);
}

}  // namespace
}  // namespace tutti::runtime
