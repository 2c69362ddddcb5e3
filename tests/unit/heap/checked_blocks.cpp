#include "unit/heap/checked_blocks.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "heap/arena/recent_blocks.hpp"
#include "heap/arena_description.hpp"
#include "heap/pages.hpp"

namespace tutti::test {
namespace {

void fail(const char* words) {
  std::fprintf(stderr, "wrong: %s\n", words);
  std::fflush(stderr);
  _exit(1);
}

/// Mostly around the sizes from which on blocks are shared, and are given back when they are freed; some far above.
std::size_t drawn_size(Random& random) {
  const std::size_t borders[] = {tutti::heap::shared_from, tutti::heap::RecentBlocks::longest};
  switch (random() % 6) {
    case 0:
      return random() % 5000;
    case 1:
      return borders[random() % 2] - 64 + random() % 128;
    case 2:
      return std::size_t{1} << (random() % 22);
    case 3:
      return random() % (std::size_t{5} << 20);
    default:
      return random() % (std::size_t{300} << 10);
  }
}

unsigned char* drawn_block(Random& random, std::size_t bytes) {
  const std::size_t alignment = std::size_t{8} << random() % 15;
  void* memory = nullptr;
  switch (random() % 6) {
    case 0:
      memory = calloc(1, bytes);
      expect(is_zero(static_cast<unsigned char*>(memory), bytes), "calloc() gave what is not zero");
      break;
    case 1:
      memory = memalign(alignment, bytes);
      break;
    case 2:
      expect(posix_memalign(&memory, alignment, bytes) == 0, "posix_memalign() has failed");
      break;
    case 3:
      memory = aligned_alloc(alignment, bytes);
      break;
    case 4:
      memory = valloc(bytes);
      break;
    default:
      memory = malloc(bytes);
      return static_cast<unsigned char*>(memory);
  }
  const std::size_t expected = memory == nullptr ? 1 : std::min<std::size_t>(alignment, 1);
  expect(reinterpret_cast<std::uintptr_t>(memory) % expected == 0, "a block is not aligned");
  return static_cast<unsigned char*>(memory);
}

}  // namespace

void expect(bool is_right, const char* words) {
  if (!is_right) fail(words);
}

bool is_shared(const void* block) {
  tutti::heap::ArenaDescription arena;
  auto* const describe =
      reinterpret_cast<tutti::heap::DescribeArena*>(dlsym(RTLD_DEFAULT, tutti::heap::describe_arena_name));
  return describe != nullptr && describe(&arena) && reinterpret_cast<std::uintptr_t>(block) - arena.base < arena.bytes;
}

bool is_zero(const unsigned char* memory, std::size_t bytes) {
  return std::all_of(memory, memory + bytes, [](unsigned char byte) { return byte == 0; });
}

void resize(Random& random, Block& block, std::uint64_t filling) {
  const std::size_t before = block.bytes;
  const std::size_t bytes = drawn_size(random) + 1;
  auto* const memory = static_cast<unsigned char*>(random() % 2 == 0 ? realloc(block.memory, bytes)
                                                                     : reallocarray(block.memory, bytes, 1));
  expect(memory != nullptr, "realloc() has failed");
  const Block seen{memory, before, block.filling};
  const std::size_t kept = std::min(before, bytes);
  expect(seen.is_whole(kept < before ? kept / 8 * 8 : kept), "realloc() lost what the block held");
  block = {memory, bytes, 0};
  block.fill(filling);
}

int churn(Random& random, int rounds, std::size_t most_blocks) {
  std::vector<Block> blocks;
  int shared = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t what = random() % 8;
    if (blocks.empty() || (what < 4 && blocks.size() < most_blocks)) {
      Block block{nullptr, drawn_size(random), 0};
      block.memory = drawn_block(random, block.bytes);
      expect(block.memory != nullptr || block.bytes == 0, "no memory");
      if (block.memory == nullptr) continue;
      expect(malloc_usable_size(block.memory) >= block.bytes, "a block is smaller than asked for");
      block.fill(random());
      shared += is_shared(block.memory) ? 1 : 0;
      blocks.push_back(block);
      continue;
    }
    std::swap(blocks[random() % blocks.size()], blocks.back());
    expect(blocks.back().is_whole(), "a block was overwritten");
    if (what < 6) {
      resize(random, blocks.back(), random());
    } else {
      errno = 77;
      free(blocks.back().memory);
      expect(errno == 77, "free() changes errno");
      blocks.pop_back();
    }
  }
  for (const Block& block : blocks) {
    expect(block.is_whole(), "a block was overwritten");
    free(block.memory);
  }
  return shared;
}

std::vector<Block> some_blocks(Random& random) {
  std::vector<Block> blocks;
  for (const std::size_t bytes : {100UL, 5000UL, 65536UL, 65537UL, 150'000UL}) {
    Block block{static_cast<unsigned char*>(malloc(bytes)), bytes, 0};
    block.fill(random());
    blocks.push_back(block);
  }
  return blocks;
}

void expect_whole(const std::vector<Block>& blocks, const char* words) {
  for (const Block& block : blocks) expect(block.is_whole(), words);
}

}  // namespace tutti::test
