/// @file
/// What an arena keeps of blocks that were freed.

#include "heap/preloaded/arena.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

namespace tutti::heap {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Bytes of pages that the arena's file has.
std::size_t bytes_held(Arena& arena) {
  ArenaDescription description;
  struct stat status = {};
  EXPECT_TRUE(arena.describe(description) && fstat(description.file, &status) == 0);
  return static_cast<std::size_t>(status.st_blocks) * 512;
}

void* touched(Arena& arena, std::size_t bytes) {
  void* const block = arena.allocate(bytes, 1, Content::any);
  EXPECT_NE(block, nullptr);
  return std::memset(block, 1, bytes);
}

TEST(Arena, KeepsPagesOfShortBlocksAndNoneOfLongOnes) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  const std::size_t before = bytes_held(arena);
  arena.free(touched(arena, mebibyte));
  EXPECT_EQ(bytes_held(arena), before + mebibyte);
  arena.free(touched(arena, 40 * mebibyte));
  EXPECT_EQ(bytes_held(arena), before + mebibyte);
}

// What a block gives up by shrinking it gets again by growing, with its pages.
TEST(Arena, KnowsWhatItKeepsAfterBlocksShrinkAndGrow) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  const std::size_t before = bytes_held(arena);
  for (int turn = 0; turn < 3; ++turn) {
    void* const block = touched(arena, 41 * mebibyte);
    ASSERT_TRUE(arena.resize(block, 40 * mebibyte));
    ASSERT_TRUE(arena.resize(block, 41 * mebibyte));
    arena.free(block);
    arena.free(touched(arena, 16 * page));
    EXPECT_EQ(bytes_held(arena), before + 16 * page) << turn;
  }
}

// What was freed last is given first, because the processor's caches still have it; more blocks than are remembered are
// free as others are.
TEST(Arena, GivesShortBlocksAgain) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  for (std::size_t bytes = page; bytes <= RecentBlocks::longest; bytes += page) {
    std::vector<void*> blocks;
    for (int k = 0; k < 20; ++k) blocks.push_back(touched(arena, bytes));
    EXPECT_EQ(std::set(blocks.begin(), blocks.end()).size(), blocks.size());
    for (int k : {3, 17, 5, 4}) arena.free(blocks[static_cast<std::size_t>(k)]);
    for (int k : {4, 5, 17, 3})
      EXPECT_EQ(arena.allocate(bytes - 1, 1, Content::any), blocks[static_cast<std::size_t>(k)]) << bytes;
    for (void* const block : blocks) arena.free(block);
  }
}

TEST(Arena, ClearsABlockThatIsGivenAgainAsZeros) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  for (const std::size_t bytes : {4 * page, 4 * page + 1, RecentBlocks::longest, RecentBlocks::longest + page}) {
    for (int turn = 0; turn < 20; ++turn) {
      arena.free(touched(arena, bytes));
      auto* const block = static_cast<unsigned char*>(arena.allocate(bytes, 1, Content::zeros));
      ASSERT_EQ(std::count(block, block + bytes, 0), static_cast<std::ptrdiff_t>(bytes)) << bytes;
      arena.free(std::memset(block, 1, bytes));
    }
  }
}

TEST(Arena, EndsTheProcessThatFreesABlockTwice) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  for (const std::size_t bytes : {4 * page, mebibyte}) {
    void* const block = touched(arena, bytes);
    void* const other = touched(arena, bytes);
    arena.free(block);
    EXPECT_DEATH(arena.free(block), "free\\(\\)") << bytes;
    arena.free(other);
  }
}

}  // namespace
}  // namespace tutti::heap
