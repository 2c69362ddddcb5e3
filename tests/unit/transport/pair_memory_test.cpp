/// @file
/// The memory of pairs of ranks: it comes with the first message, is the same for both, and goes when all have left.

#include "transport/shared/pair_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "transport/shared/short_slots.hpp"
#include "transport/threads/threads_world.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

/// Threads' memory that counts what is in use, and may have no more to give.
class CountedMemory final : public PeerMemory {
 public:
  std::uint64_t address_of(const void* pointer) const noexcept override { return memory_.address_of(pointer); }
  std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const override {
    if (is_shut) throw Error(ErrorCode::unsupported, "no room for addresses");
    return memory_.pointer_to(address, bytes);
  }
  bool reaches_private() const noexcept override { return true; }
  bool is_reached_by(int) const noexcept override { return true; }
  bool read(int, std::uint64_t, void*, std::size_t) const noexcept override { return false; }
  std::size_t write(int, std::uint64_t, const void*, std::size_t, std::uint64_t) const noexcept override { return 0; }
  std::byte* allocate(std::size_t bytes) override {
    if (is_shut) throw Error(ErrorCode::unsupported, "no room");
    std::byte* const memory = memory_.allocate(bytes);
    const std::lock_guard lock(mutex_);
    return *used_.insert(memory).first;
  }
  void free(std::byte* memory) noexcept override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(used_.erase(memory), 1U) << "freed twice";
    memory_.free(memory);
  }
  bool is_common() const noexcept override { return true; }
  bool ended(int) const noexcept override { return false; }
  bool lost(int) const noexcept override { return false; }

  std::size_t used() const {
    const std::lock_guard lock(mutex_);
    return used_.size();
  }
  std::atomic<bool> is_shut = false;

 private:
  ThreadsMemory memory_{{}};
  mutable std::mutex mutex_;
  std::set<std::byte*> used_;
};

/// All ranks of a communicator, by hand.
struct Room {
  explicit Room(int ranks)
      : control(memory.allocate(ControlSegment::bytes(ranks)), ranks), records(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) members.push_back(rank);
    for (int rank = 0; rank < ranks; ++rank) {
      held_memory.push_back(std::make_unique<HeldMemory>(memory));
      pairs.push_back(std::make_unique<PairMemory>(control, rank, memory, *held_memory.back()));
    }
  }
  CountedMemory memory;
  ControlSegment control;
  std::vector<RankRecord> records;
  std::vector<int> members;
  std::vector<std::unique_ptr<HeldMemory>> held_memory;
  std::vector<std::unique_ptr<PairMemory>> pairs;
};

TEST(PairMemory, ComesWithTheFirstMessageOfAPairAndForNoOther) {
  for (const int ranks : {1, 2, 3, 7, 16, 33}) {
    Room room(ranks);
    for (int from = 0; from < ranks; ++from) {
      for (int to = 0; to < ranks; ++to) {
        PairMemory& sender = *room.pairs[static_cast<std::size_t>(from)];
        PairMemory& receiver = *room.pairs[static_cast<std::size_t>(to)];
        ASSERT_EQ(sender.slot_to(to, 0), nullptr);
        ASSERT_EQ(receiver.slot_from(from, 0), nullptr);
        const std::size_t before = room.memory.used();
        for (int slot = 0; slot < call_slots; ++slot) {
          MessageSlot& mine = sender.take_slot_to(to, slot);
          ASSERT_EQ(&mine, sender.slot_to(to, slot));
          ASSERT_EQ(&mine, receiver.slot_from(from, slot));
          ASSERT_EQ(&mine, receiver.known_slot_from(from, slot));
          ASSERT_EQ(mine.posted.load(), 0U);
          ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&mine) % line_pair, 0U);
        }
        ASSERT_EQ(room.memory.used(), before + 1);
      }
    }
  }
}

TEST(PairMemory, CellsComeWithTheFirstLongerMessageAndLieApart) {
  for (const int ranks : {2, 4, 64}) {
    Room room(ranks);
    PairMemory& sender = *room.pairs[0];
    PairMemory& receiver = *room.pairs[1];
    EXPECT_EQ(sender.cell_to(1, 0), nullptr);
    for (int slot = 0; slot < call_slots; ++slot) {
      std::byte* const cell = sender.take_cell_to(1, slot);
      ASSERT_EQ(cell, sender.cell_to(1, slot));
      ASSERT_NE(receiver.slot_from(0, slot), nullptr);
      ASSERT_EQ(cell, receiver.cell_from(0, slot));
      ASSERT_EQ(cell - sender.cell_to(1, 0), static_cast<std::ptrdiff_t>(sender.cell_bytes()) * slot);
      std::fill_n(cell, sender.cell_bytes(), std::byte{1});
    }
    EXPECT_EQ(room.control.pair(1, 0).load(), 0U) << "the other way is another pair";
  }
}

TEST(PairMemory, WithoutRoomThrowsAndIsThereLater) {
  Room room(2);
  room.memory.is_shut = true;
  EXPECT_THROW(room.pairs[0]->take_slot_to(1, 0), Error);
  EXPECT_EQ(room.pairs[1]->slot_from(0, 0), nullptr);
  room.memory.is_shut = false;
  room.pairs[0]->take_slot_to(1, 0);
  room.memory.is_shut = true;
  EXPECT_THROW(room.pairs[1]->slot_from(0, 0), Error);
  room.memory.is_shut = false;
  EXPECT_EQ(room.pairs[1]->slot_from(0, 0), room.pairs[0]->slot_to(1, 0));
}

TEST(Leftovers, GoWhenAllHaveLeftInWhateverOrder) {
  constexpr unsigned seed = 20260411;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int ranks = 1; ranks <= 9; ++ranks) {
    for (int turn = 0; turn < 20; ++turn) {
      Room room(ranks);
      // Processes have leftovers of their own each.
      std::vector<std::unique_ptr<Leftovers>> leftovers;
      std::vector<int> order;
      for (int rank = 0; rank < ranks; ++rank) {
        leftovers.push_back(std::make_unique<Leftovers>(room.memory));
        order.push_back(rank);
        for (int to = 0; to < ranks; ++to) room.pairs[static_cast<std::size_t>(rank)]->take_slot_to(to, 0);
      }
      const std::size_t all = room.memory.used();
      std::shuffle(order.begin(), order.end(), random);
      for (const int rank : order) {
        const auto at = static_cast<std::size_t>(rank);
        ASSERT_EQ(room.memory.used(), all) << "freed while a rank was there";
        leftovers[at]->leave(room.control, room.held_memory[at]->let_go(),
                             rank == 0 ? Leftovers::Owner::this_rank : Leftovers::Owner::other);
        if (rank != order.back()) leftovers[at]->sweep();
      }
      std::shuffle(order.begin(), order.end(), random);
      for (const int rank : order) leftovers[static_cast<std::size_t>(rank)]->sweep();
      leftovers[0]->sweep();  // the founder may only free it once all others have looked
      EXPECT_EQ(room.memory.used(), 0U) << ranks << " ranks";
    }
  }
}

// Every rank sends to every other through memory that comes while the other already looks for it.
TEST(PairMemory, IsFoundWholeByWhoLooksForItMeanwhile) {
  constexpr int ranks = 4;
  constexpr int turns = 60;
  for (int turn = 0; turn < turns; ++turn) {
    Room room(ranks);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&room, rank] {
        HeldMemory held_memory(room.memory);
        ShortSlots slots(room.control, rank, room.memory, held_memory, Alarm(room.control, room.records, room.members));
        for (const std::size_t bytes : {std::size_t{8}, std::size_t{1000}}) {
          const std::uint64_t number = bytes;
          const int slot = bytes == 8 ? 0 : 1;
          std::vector<std::byte> content(bytes, static_cast<std::byte>(rank + 1));
          Bindings bindings;
          bindings.base[0] = content.data();
          const Slice all{static_cast<Buffer>(0), 0, static_cast<std::int64_t>(bytes)};
          for (int to = 0; to < ranks; ++to) {
            slots.make_room(to, static_cast<std::int64_t>(bytes));
            slots.put({to, slot, number, 0, true},
                      {{&all, 1}, &bindings, static_cast<std::int64_t>(bytes), 7, {}, true});
          }
          for (int from = 0; from < ranks; ++from) {
            const std::byte* come = nullptr;
            while (come == nullptr) {
              come = slots.come({from, slot, number, 0, true}, 7, static_cast<std::int64_t>(bytes));
              if (come == nullptr) std::this_thread::yield();
            }
            EXPECT_EQ(std::count(come, come + bytes, static_cast<std::byte>(from + 1)),
                      static_cast<std::ptrdiff_t>(bytes));
            slots.release({from, slot, number, 0, true});
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace tutti::runtime
