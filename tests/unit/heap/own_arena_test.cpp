/// @file
/// Arena of a process without the preloaded heap: blocks on request, told to ranks, copied for children.

#include "heap/own_arena.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "heap/pages.hpp"

namespace tutti::heap {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// The order of the tests matters: before the first block there is no arena.
TEST(OwnArena, IsThereFromTheFirstBlockOn) {
  int on_stack = 0;
  EXPECT_EQ(own_arena().base, 0U);
  EXPECT_FALSE(own_arena_test()(&on_stack));
  void* const block = allocate_in_own_arena(mebibyte);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % page, 0U);
  const ArenaDescription told = own_arena();
  EXPECT_NE(told.base, 0U);
  EXPECT_LT(reinterpret_cast<std::uintptr_t>(block) - told.base, told.bytes);
  EXPECT_TRUE(own_arena_test()(block));
  EXPECT_FALSE(own_arena_test()(&on_stack));
  free_in_own_arena(block);
  free_in_own_arena(nullptr);
}

TEST(OwnArena, ServesShortBlocksToo) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, shared_from - 1, shared_from, shared_from + 1}) {
    void* const block = allocate_in_own_arena(bytes);
    ASSERT_NE(block, nullptr) << bytes;
    EXPECT_TRUE(own_arena_test()(block)) << bytes;
    std::memset(block, 1, bytes);
    free_in_own_arena(block);
  }
}

TEST(OwnArena, FreesOnOtherThreads) {
  std::vector<void*> blocks;
  for (int k = 0; k < 100; ++k) blocks.push_back(std::memset(allocate_in_own_arena(mebibyte), k, mebibyte));
  std::thread([&] {
    for (void* const block : blocks) free_in_own_arena(block);
  }).join();
}

TEST(OwnArena, GivesAChildACopyOfItsOwn) {
  auto* const block = static_cast<char*>(allocate_in_own_arena(mebibyte));
  std::memset(block, 'p', mebibyte);
  int to_child[2] = {};
  ASSERT_EQ(pipe(to_child), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    char byte = 0;
    const bool is_told = read(to_child[0], &byte, 1) == 1;  // the parent has written its block
    const bool is_copy = block[0] == 'p' && block[mebibyte - 1] == 'p';
    std::memset(block, 'c', mebibyte);
    void* const more = allocate_in_own_arena(mebibyte);
    free_in_own_arena(block);
    _exit(is_told && is_copy && more != nullptr ? 0 : 1);
  }
  std::memset(block, 'q', mebibyte);
  ASSERT_EQ(write(to_child[1], "x", 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(block[0], 'q');
  EXPECT_EQ(block[mebibyte - 1], 'q');
  free_in_own_arena(block);
  close(to_child[0]);
  close(to_child[1]);
}

}  // namespace
}  // namespace tutti::heap
