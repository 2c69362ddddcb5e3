/// @file
/// What an arena keeps of blocks that were freed.

#include "heap/preloaded/arena.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

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

}  // namespace
}  // namespace tutti::heap
