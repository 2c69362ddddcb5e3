/// @file
/// A program that knows nothing of tutti and allocates: `allocating WAY SEED ROUNDS`. It prints what any heap must say
/// alike, and on standard error whether blocks of it were shared.

#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "unit/heap/allocating_forks.hpp"

namespace tutti::test {
namespace {

/// Blocks that are to have large pages keep what they hold; zeros that nobody has touched get no pages by that.
void ask_for_large_pages() {
  constexpr std::size_t bytes = std::size_t{64} << 20;  // never of pages that were used before
  auto* const zeros = static_cast<unsigned char*>(calloc(1, bytes));
  auto* const inside = zeros + 4096 - reinterpret_cast<std::uintptr_t>(zeros) % 4096;
  constexpr std::size_t most = bytes - 8192;
  std::printf("madvise(): %d\n", madvise(inside, most, MADV_HUGEPAGE));
  std::vector<unsigned char> are_there(most / 4096);
  expect(mincore(inside, most, are_there.data()) == 0 && is_zero(are_there.data(), are_there.size()),
         "zeros that nobody has touched have pages");
  free(zeros);
  Block block{static_cast<unsigned char*>(aligned_alloc(4096, bytes)), std::size_t{9} << 20, 0};
  block.fill(5);
  std::printf("madvise(): %d\n", madvise(block.memory, bytes, MADV_HUGEPAGE));
  expect(block.is_whole(), "a block that was to have large pages has changed");
  expect(is_zero(block.memory + block.bytes, bytes - block.bytes), "a fresh large page is not zero");
  free(block.memory);
  // A program may ask for more than its block: what lies behind is not its own, and may be no memory at all.
  block = {static_cast<unsigned char*>(aligned_alloc(4096, std::size_t{5} << 20)), std::size_t{5} << 20, 0};
  block.fill(6);
  madvise(block.memory, std::size_t{200} << 20, MADV_HUGEPAGE);
  expect(block.is_whole(), "a block that was to have large pages behind it has changed");
  free(block.memory);
}

/// Asks odd calls of the allocator, and prints the answers, so that they can be compared with glibc's.
void ask_odd_things() {
  const auto tell = [](const char* what, void* memory) {
    std::printf("%s: %s, errno %d\n", what, memory == nullptr ? "null" : "a block", errno);
    free(memory);
    errno = 0;
  };
  volatile std::size_t huge = SIZE_MAX;
  volatile std::size_t none = 0;
  volatile std::size_t much = std::size_t{100} << 10;
  errno = 0;
  tell("malloc(0)", malloc(none));
  tell("malloc(SIZE_MAX)", malloc(huge));
  tell("malloc(PTRDIFF_MAX + 1)", malloc(huge / 2 + 1));
  tell("malloc(PTRDIFF_MAX)", malloc(huge / 2));
  tell("calloc(SIZE_MAX, 2)", calloc(huge, 2));
  tell("calloc(2^33, 2^33)", calloc(huge >> 31, huge >> 31));
  tell("calloc(0, 1)", calloc(none, 1));
  tell("reallocarray(0, SIZE_MAX, 2)", reallocarray(nullptr, huge, 2));
  tell("realloc(0, n)", realloc(nullptr, much));
  tell("realloc(p, 0)", realloc(malloc(much), none));
  Block kept{static_cast<unsigned char*>(malloc(much)), much, 0};
  kept.fill(1);
  const auto address = reinterpret_cast<std::uintptr_t>(kept.memory);
  tell("realloc(p, SIZE_MAX)", realloc(kept.memory, huge));
  kept.memory = reinterpret_cast<unsigned char*>(address);  // because compilers know that realloc() may free it
  expect(kept.is_whole(), "realloc() has failed and changed the block");
  tell("and then p", kept.memory);
  tell("memalign(2^40, n)", memalign(std::size_t{1} << 40, much));
  tell("aligned_alloc(2^22, n)", aligned_alloc(std::size_t{1} << 22, much));
  for (const std::size_t alignment : {0UL, 1UL, 4UL, 24UL, 4096UL}) {
    void* memory = nullptr;
    const int error = posix_memalign(&memory, alignment, much);
    std::printf("posix_memalign(%zu): %d, %s\n", alignment, error, memory == nullptr ? "null" : "a block");
    free(memory);
  }
  Block given{static_cast<unsigned char*>(aligned_alloc(4096, 65536 * 4)), 65536 * 4, 0};
  given.fill(3);
  std::printf("madvise(): %d\n", madvise(given.memory + 65536, 65536, MADV_DONTNEED));
  expect(is_zero(given.memory + 65536, 65536), "what was given back is not zero");
  expect(given.is_whole(65536), "what was not given back is gone");
  free(given.memory);
  ask_for_large_pages();
  std::printf("malloc_usable_size(0): %zu\n", malloc_usable_size(nullptr));
  free(nullptr);
}

std::atomic<int> forks = 0;

/// Programs are started without any copy.
void start_programs() {
  pthread_atfork([] { ++forks; }, nullptr, nullptr);
  Block block{static_cast<unsigned char*>(malloc(std::size_t{64} << 20)), std::size_t{64} << 20, 0};
  block.fill(1);
  expect(system("exit 3") == 3 << 8, "system() has failed");
  std::FILE* const pipe = popen("echo said", "r");
  std::array<char, 16> said{};
  expect(pipe != nullptr && std::fgets(said.data(), said.size(), pipe) != nullptr &&
             std::string_view(said.data()) == "said\n" && pclose(pipe) == 0,
         "popen() has failed");
  pid_t child = 0;
  std::array<char, 5> name{"true"};
  const std::array<char*, 2> words{name.data(), nullptr};
  expect(posix_spawnp(&child, name.data(), nullptr, nullptr, words.data(), environ) == 0, "posix_spawn() has failed");
  expect_success(child);
  const pid_t other = vfork();
  if (other == 0) _exit(0);
  expect_success(other);
  expect(forks == 0, "a program was started with fork()");
  expect(block.is_whole(), "a program has changed its parent's memory");
}

/// Allocates until there is no more, in blocks of different sizes, or small ones; says how much that was.
void use_up(Random& random, bool is_small) {
  std::vector<Block> blocks;
  std::size_t sum = 0;
  for (int refused = 0; refused < 20;) {
    const std::size_t bytes = is_small ? 20'000 : 1000 + random() % (std::size_t{1} << (10 + random() % 13));
    Block block{static_cast<unsigned char*>(malloc(bytes)), bytes, 0};
    if (block.memory == nullptr) {
      ++refused;
      continue;
    }
    block.fill(random());
    sum += bytes;
    blocks.push_back(block);
  }
  expect_whole(blocks, "a block was overwritten");
  for (const Block& block : blocks) free(block.memory);
  void* const again = malloc(sum / 4);
  expect(again != nullptr, "what was freed cannot be had again");
  free(again);
  std::printf("%zu\n", sum >> 20);
}

}  // namespace
}  // namespace tutti::test

int main(int count, char** words) {
  using namespace tutti::test;
  if (count != 4) return 2;
  const std::string_view way = words[1];
  const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
  const int rounds = std::atoi(words[3]);
  Random random(seed);
  if (way == "churn") {
    ask_odd_things();
    std::fprintf(stderr, "shared %d\n", churn(random, rounds, 40));
  } else if (way == "fork") {
    fork_often(random, rounds);
  } else if (way == "fork-without-descriptors") {
    fork_without_descriptors(random, rounds);
  } else if (way == "fork-in-vain") {
    fork_in_vain(random, rounds);
  } else if (way == "fork-among-threads") {
    fork_among_threads(seed, rounds);
  } else if (way == "start") {
    start_programs();
  } else if (way == "use-up") {
    use_up(random, rounds == 0);
  } else {
    return 2;
  }
  std::printf("as expected\n");
  return 0;
}
