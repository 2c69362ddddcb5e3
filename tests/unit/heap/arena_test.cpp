/// @file
/// Memory that an arena keeps of blocks that were freed.

#include "heap/arena/arena.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "heap/arena/system.hpp"

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
  void* const block = arena.allocate(bytes, 1, BlockContent::any);
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

long faults_of_this_thread() {
  struct rusage usage = {};
  EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
  return usage.ru_minflt;
}

// An arena has addresses for several times the machine's memory, and a word of marks for each 256 KiB of them. Each
// page of words that are looked at for the first time costs a fault, whatever they say.
TEST(Arena, LooksForKeptPagesOnlyWhereBlocksWere) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  const std::size_t before = bytes_held(arena);
  std::vector<void*> blocks;
  for (int k = 0; k < 5; ++k) blocks.push_back(touched(arena, 16 * mebibyte));
  const long faults = faults_of_this_thread();
  for (void* const block : blocks) arena.free(block);
  EXPECT_LT(faults_of_this_thread() - faults, 50);
  EXPECT_LT(bytes_held(arena), before + 80 * mebibyte) << "nothing was given back, so that nothing was looked for";
}

// A block that shrinks and grows again has its pages again.
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

// The block that was freed last is given first, because the processor's caches still have it; more blocks than are
// remembered are free as others are.
TEST(Arena, GivesShortBlocksAgain) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  for (std::size_t bytes = page; bytes <= RecentBlocks::longest; bytes += page) {
    std::vector<void*> blocks;
    for (int k = 0; k < 20; ++k) blocks.push_back(touched(arena, bytes));
    EXPECT_EQ(std::set(blocks.begin(), blocks.end()).size(), blocks.size());
    for (int k : {3, 17, 5, 4}) arena.free(blocks[static_cast<std::size_t>(k)]);
    for (int k : {4, 5, 17, 3})
      EXPECT_EQ(arena.allocate(bytes - 1, 1, BlockContent::any), blocks[static_cast<std::size_t>(k)]) << bytes;
    for (void* const block : blocks) arena.free(block);
  }
}

/// Whether the system makes large pages of a file's memory on request, as Linux does from 6.1 on where it has some.
bool has_large_pages(Arena& arena) {
  constexpr int collapse = 25;  // MADV_COLLAPSE
  void* const block = touched(arena, 2 * large_page);
  const bool has = madvise(block, large_page, collapse) == 0;
  arena.free(block);
  return has;
}

// A program that has used all of a long block uses the next of that size, too; of others nobody knows.
TEST(Arena, GivesALongBlockItsPagesAtOnceAfterOneOfItsSizeWasFull) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  if (!memory_has_one_node()) GTEST_SKIP() << "several NUMA nodes";
  if (!has_large_pages(arena)) GTEST_SKIP() << "no large pages";
  constexpr std::size_t bytes = 40 * mebibyte;
  arena.free(touched(arena, bytes));
  const std::size_t before = bytes_held(arena);
  for (const std::size_t other : {bytes - page, bytes + page, bytes - 4 * mebibyte}) {
    arena.free(arena.allocate(other, 1, BlockContent::any));
    EXPECT_EQ(bytes_held(arena), before) << other;
  }
  auto* const block = static_cast<unsigned char*>(arena.allocate(bytes, 1, BlockContent::any));
  EXPECT_GT(bytes_held(arena), before);
  EXPECT_EQ(std::count(block, block + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
  const std::size_t with = bytes_held(arena);
  void* const second = arena.allocate(bytes, 1, BlockContent::any);
  EXPECT_EQ(bytes_held(arena), with) << "one full block stands for one";
  arena.free(second);
  arena.free(block);
  EXPECT_EQ(bytes_held(arena), before);
}

// Blocks with pages keep them, and their contents.
TEST(Arena, TakesLargePagesWhereNothingIsTouched) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  if (!has_large_pages(arena)) GTEST_SKIP() << "no large pages";
  constexpr std::size_t bytes = 16 * mebibyte;
  auto* const block = static_cast<std::byte*>(arena.allocate(bytes, 1, BlockContent::any));
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % large_page, 0U);
  block[5 * mebibyte] = std::byte{7};
  const std::size_t before = bytes_held(arena);
  take_large_pages(block + page, bytes - page);
  EXPECT_GT(bytes_held(arena), before);
  EXPECT_LE(bytes_held(arena), before + bytes - 2 * large_page) << "neither the first, which is cut, nor the touched";
  EXPECT_EQ(block[5 * mebibyte], std::byte{7});
  block[5 * mebibyte] = std::byte{0};
  EXPECT_EQ(std::count(block, block + bytes, std::byte{0}), static_cast<std::ptrdiff_t>(bytes));
  for (const std::size_t few : {std::size_t{0}, page, large_page - page}) take_large_pages(block + page, few);
  arena.free(block);
}

TEST(Arena, ClearsABlockThatIsGivenAgainAsZeros) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  for (const std::size_t bytes : {4 * page, 4 * page + 1, RecentBlocks::longest, RecentBlocks::longest + page}) {
    for (int turn = 0; turn < 20; ++turn) {
      arena.free(touched(arena, bytes));
      auto* const block = static_cast<unsigned char*>(arena.allocate(bytes, 1, BlockContent::zeros));
      ASSERT_EQ(std::count(block, block + bytes, 0), static_cast<std::ptrdiff_t>(bytes)) << bytes;
      arena.free(std::memset(block, 1, bytes));
    }
  }
}

// Free pieces of an odd number of pages are more than a program that was never larger may keep, once it takes a long
// block beside them.
TEST(Arena, KeepsWholePagesAndGivesZerosWhateverWasFreed) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  constexpr std::size_t bytes = 41 * page;
  std::vector<void*> shorts;
  for (int k = 0; k < 101; ++k) {
    shorts.push_back(touched(arena, bytes));
    touched(arena, 17 * page);  // stays in use, so that pieces do not grow together
  }
  for (std::size_t turn = 0; turn < 10; ++turn) {
    for (void* const block : shorts) arena.free(std::memset(block, 1, bytes));
    void* const longer = touched(arena, (3'000 + turn) * page);
    EXPECT_EQ(arena.kept() % page, 0U) << turn;
    for (void*& block : shorts) {
      block = arena.allocate(bytes, 1, BlockContent::zeros);
      const auto* const begin = static_cast<const unsigned char*>(block);
      ASSERT_EQ(std::count(begin, begin + bytes, 0), static_cast<std::ptrdiff_t>(bytes)) << turn;
    }
    EXPECT_EQ(arena.kept(), 0U) << turn;
    arena.free(longer);
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

constexpr std::size_t reserved_first = 512 * mebibyte;

std::byte* beginning_of(Arena& arena) {
  ArenaDescription description;
  EXPECT_TRUE(arena.describe(description));
  EXPECT_GT(description.bytes, 4 * reserved_first) << "this machine has too little memory for the test";
  return reinterpret_cast<std::byte*>(description.base);  // NOLINT: an address is what it is
}

// Addresses that it has yet to reserve are not its own, and become so with the first block there.
TEST(Arena, ReservesAddressesWhenABlockNeedsThem) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  std::byte* const begin = beginning_of(arena);
  EXPECT_TRUE(arena.contains(begin));
  EXPECT_TRUE(arena.contains(begin + reserved_first - 1));
  EXPECT_FALSE(arena.contains(begin + reserved_first));
  auto* const block = static_cast<std::byte*>(arena.allocate(reserved_first, 1, BlockContent::zeros));
  ASSERT_EQ(block, begin + reserved_first);
  EXPECT_TRUE(arena.contains(block + reserved_first - 1));
  EXPECT_FALSE(arena.contains(block + reserved_first));
  block[reserved_first - 1] = std::byte{1};
  EXPECT_EQ(arena.bytes_of(block), reserved_first);
  arena.free(block);
}

// Mappings of the program at an address of its choice stay as they are, and blocks are had elsewhere.
TEST(Arena, GrowsOverNothingThatIsMapped) {
  static Arena arena;
  ASSERT_TRUE(arena.reserve());
  std::byte* const other = beginning_of(arena) + reserved_first + mebibyte;
  ASSERT_EQ(mmap(other, mebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
            other);
  std::memset(other, 7, mebibyte);
  EXPECT_EQ(arena.allocate(reserved_first, 1, BlockContent::any), nullptr);
  EXPECT_EQ(arena.used(), 0U);
  EXPECT_FALSE(arena.contains(other));
  EXPECT_EQ(std::count(other, other + mebibyte, std::byte{7}), static_cast<std::ptrdiff_t>(mebibyte));
  arena.free(touched(arena, mebibyte));
  munmap(other, mebibyte);
  void* const block = arena.allocate(reserved_first, 1, BlockContent::any);
  ASSERT_NE(block, nullptr);
  arena.free(block);
}

}  // namespace
}  // namespace tutti::heap
