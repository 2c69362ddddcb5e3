/// @file
/// Pool of blocks for tensors, over a source that the tests make scarce.

#include "bindings/torch/extension/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tutti::torch_backend {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// A source that counts, and that may be empty or scarce.
struct Source {
  std::set<void*> live;
  std::size_t room = SIZE_MAX;  // bytes that it still has
  bool is_scarce = false;

  BlockSource functions() {
    return {[this](std::size_t bytes) -> void* {
              if (bytes > room) return nullptr;
              void* const block = std::malloc(1);
              live.insert(block);
              return block;
            },
            [this](void* block) {
              EXPECT_EQ(live.erase(block), 1U);
              std::free(block);
            },
            [this] { return is_scarce; }};
  }
};

TEST(BlockPool, HasSizesThatWasteAnEighthAtMost) {
  for (std::size_t bytes = std::size_t{16} << 10; bytes < mebibyte << 12; bytes += bytes / 7 + 1) {
    const std::size_t size = BlockPool::size_class(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size, std::max(bytes + bytes / 8, bytes + 4096)) << bytes;
    EXPECT_EQ(BlockPool::size_class(size), size) << bytes;
    EXPECT_EQ(size % 4096, 0U);
  }
}

TEST(BlockPool, GivesTheLatestBlockOfASizeAgain) {
  Source source;
  BlockPool pool(source.functions());
  void* const a = pool.take(mebibyte);
  void* const b = pool.take(mebibyte);
  EXPECT_TRUE(pool.give_back(a));
  EXPECT_TRUE(pool.give_back(b));
  EXPECT_FALSE(pool.give_back(b));
  EXPECT_FALSE(pool.give_back(&source));
  EXPECT_EQ(pool.take(mebibyte), b);
  EXPECT_NE(pool.take(2 * mebibyte), a);
  EXPECT_EQ(pool.statistics().reuses, 1U);
}

TEST(BlockPool, GivesTheLongestIdleBackBeyondItsLimit) {
  Source source;
  BlockPool pool(source.functions());
  void* const old = pool.take(BlockPool::most_idle / 2);
  void* const later = pool.take(BlockPool::most_idle / 2);
  void* const latest = pool.take(mebibyte);
  pool.give_back(old);
  pool.give_back(later);
  EXPECT_EQ(source.live.size(), 3U);
  pool.give_back(latest);
  EXPECT_EQ(source.live.count(old), 0U);
  EXPECT_EQ(source.live.size(), 2U);
  EXPECT_EQ(pool.statistics().returned_bytes, BlockPool::most_idle / 2);
}

TEST(BlockPool, KeepsAsMuchAsIsInUse) {
  Source source;
  BlockPool pool(source.functions());
  pool.take(4 * BlockPool::most_idle);
  pool.give_back(pool.take(3 * BlockPool::most_idle));
  EXPECT_EQ(pool.statistics().idle_bytes, 3 * BlockPool::most_idle);
}

TEST(BlockPool, GivesAllIdleBlocksBackForOneThatTheSourceLacks) {
  Source source;
  BlockPool pool(source.functions());
  pool.give_back(pool.take(mebibyte));
  source.room = 0;
  EXPECT_EQ(pool.take(2 * mebibyte), nullptr);
  EXPECT_TRUE(source.live.empty());
  EXPECT_EQ(pool.statistics().refusals, 1U);
  EXPECT_EQ(pool.statistics().used_bytes, 0U);
}

TEST(BlockPool, KeepsNothingWhereMemoryIsScarce) {
  Source source;
  BlockPool pool(source.functions());
  pool.give_back(pool.take(mebibyte));
  EXPECT_EQ(pool.statistics().idle_bytes, mebibyte);
  void* const block = pool.take(2 * mebibyte);
  source.is_scarce = true;
  std::this_thread::sleep_for(2 * BlockPool::look_interval);  // a later look is as good
  pool.give_back(block);
  EXPECT_EQ(pool.statistics().idle_bytes, 0U);
  EXPECT_TRUE(source.live.empty());
}

TEST(BlockPool, HasNothingIdleInAFork) {
  Source source;
  BlockPool pool(source.functions());
  pool.give_back(pool.take(mebibyte));
  pool.prepare_fork();
  EXPECT_TRUE(source.live.empty());
  pool.finish_fork();
  EXPECT_NE(pool.take(mebibyte), nullptr);
}

TEST(BlockPool, CountsWhatRandomThreadsHave) {
  Source source;
  BlockPool pool(source.functions());
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number) {
    threads.emplace_back([&pool, seed, number] {
      std::mt19937 random(seed + number);
      std::vector<void*> mine;
      for (int k = 0; k < 20000; ++k) {
        if (mine.empty() || random() % 2 == 0) {
          mine.push_back(pool.take((std::size_t{16} << 10) + random() % mebibyte));
        } else {
          std::swap(mine[random() % mine.size()], mine.back());
          EXPECT_TRUE(pool.give_back(mine.back()));
          mine.pop_back();
        }
      }
      for (void* const block : mine) EXPECT_TRUE(pool.give_back(block));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.statistics().used_bytes, 0U);
  pool.release_idle();
  EXPECT_TRUE(source.live.empty());
}

}  // namespace
}  // namespace tutti::torch_backend
