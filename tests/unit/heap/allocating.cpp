/// @file
/// A program that knows nothing of tutti and allocates: `allocating WAY SEED ROUNDS`. It prints what any heap must say
/// alike, and on standard error whether blocks of it were shared.

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "heap/arena_description.hpp"
#include "heap/pages.hpp"
#include "heap/preloaded/recent_blocks.hpp"
#include "support/refuse_call.hpp"

namespace {

using Random = std::mt19937_64;

void fail(const char* words) {
  std::fprintf(stderr, "wrong: %s\n", words);
  std::fflush(stderr);
  _exit(1);
}

void expect(bool is_right, const char* words) {
  if (!is_right) fail(words);
}

bool is_shared(const void* block) {
  tutti::heap::ArenaDescription arena;
  auto* const describe =
      reinterpret_cast<tutti::heap::DescribeArena*>(dlsym(RTLD_DEFAULT, tutti::heap::describe_arena_name));
  return describe != nullptr && describe(&arena) && reinterpret_cast<std::uintptr_t>(block) - arena.base < arena.bytes;
}

/// Bytes that say which block they belong to and where they lie in it.
struct Block {
  unsigned char* memory = nullptr;
  std::size_t bytes = 0;
  std::uint64_t filling = 0;

  std::uint64_t word(std::size_t k) const { return filling * 0x9e3779b97f4a7c15 + k; }
  void fill(std::uint64_t with, std::size_t from = 0) {
    filling = with;
    const std::size_t words = bytes / sizeof(std::uint64_t);
    auto* const to = reinterpret_cast<std::uint64_t*>(memory);
    for (std::size_t k = from / sizeof(std::uint64_t); k < words; ++k) to[k] = word(k);
    for (std::size_t k = words * sizeof(std::uint64_t); k < bytes; ++k) memory[k] = static_cast<unsigned char>(with);
  }
  bool is_whole(std::size_t first_bytes) const {
    const std::size_t words = std::min(bytes, first_bytes) / sizeof(std::uint64_t);
    const auto* const from = reinterpret_cast<const std::uint64_t*>(memory);
    for (std::size_t k = 0; k < words; ++k) {
      if (from[k] != word(k)) return false;
    }
    for (std::size_t k = bytes / 8 * 8; k < std::min(bytes, first_bytes); ++k) {
      if (memory[k] != static_cast<unsigned char>(filling)) return false;
    }
    return true;
  }
  bool is_whole() const { return is_whole(bytes); }
};

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

bool is_zero(const unsigned char* memory, std::size_t bytes) {
  return std::all_of(memory, memory + bytes, [](unsigned char byte) { return byte == 0; });
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

/// Random calls; content, alignment and sizes are checked. Returns how many blocks were shared.
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

/// What glibc says of odd calls; printed, so that it can be compared.
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

void expect_success(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  expect(status == 0, "the child has found something wrong");
}

/// Each process writes into all of its blocks while the other does, and sees nothing of that.
void fork_once(Random& random, std::vector<Block>& blocks, bool grand) {
  Block& changed = blocks[random() % blocks.size()];
  if (random() % 2 == 0) {
    resize(random, changed, random());
  } else {
    changed.fill(random());
  }
  const pid_t child = fork();
  expect(child >= 0, "fork() has failed");
  const bool is_child = child == 0;
  if (is_child) expect_whole(blocks, "the child has other bytes than its parent had");
  for (Block& block : blocks) block.fill(block.filling + (is_child ? 1 : 2));
  if (is_child) {
    churn(random, 2, 2);
    if (grand) fork_once(random, blocks, false);
    expect_whole(blocks, "the parent has written into the child's memory");
    _exit(0);
  }
  churn(random, 2, 2);
  expect_success(child);
  expect_whole(blocks, "the child has written into its parent's memory");
}

void fork_often(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  for (int round = 0; round < rounds; ++round) fork_once(random, blocks, round % 16 == 0);
  const auto shared =
      std::count_if(blocks.begin(), blocks.end(), [](const Block& block) { return is_shared(block.memory); });
  std::fprintf(stderr, "shared %d\n", static_cast<int>(shared));
}

/// The program has closed all that it has not opened, has files of its own under those numbers, and no numbers left.
void fork_without_descriptors(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  const rlimit limit{1024, 1024};
  setrlimit(RLIMIT_NOFILE, &limit);
  for (int number = 3; number < 1024; ++number) close(number);
  while (open("/dev/null", O_RDWR) >= 0) continue;
  for (int round = 0; round < rounds; ++round) fork_once(random, blocks, round % 16 == 0);
}

/// A fork() that the system refuses fails at once, though there are no descriptors left, and says why. What the heap
/// holds of it is free again. The alarm ends the program where it waits for a child that is not there.
void fork_in_vain(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  while (open("/dev/null", O_RDWR) >= 0) continue;
  for (const std::uint32_t call : {SYS_clone, SYS_clone3}) tutti::test::refuse_call({call, EAGAIN});
  alarm(25);
  for (int round = 0; round < rounds; ++round) {
    errno = 0;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) return expect_success(child);  // it is not refused here
    expect(errno == EAGAIN, "fork() says another reason than the system");
    churn(random, 2, 2);
    expect_whole(blocks, "a fork() that has failed has changed a block");
  }
}

/// Threads allocate while others fork.
void fork_among_threads(std::uint64_t seed, int rounds) {
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (std::uint64_t k = 0; k < 3; ++k) {
    threads.emplace_back([&is_over, seed, k] {
      Random random(seed + k);
      while (!is_over) churn(random, 100, 8);
    });
  }
  for (std::uint64_t k = 0; k < 2; ++k) {
    threads.emplace_back([seed, rounds, k] {
      Random random(seed + 10 + k);
      std::vector<Block> blocks = some_blocks(random);
      for (int round = 0; round < rounds; ++round) fork_once(random, blocks, false);
    });
  }
  for (std::size_t k = 3; k < threads.size(); ++k) threads[k].join();
  is_over = true;
  for (std::size_t k = 0; k < 3; ++k) threads[k].join();
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

int main(int count, char** words) {
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
