#include "unit/heap/allocating_forks.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <vector>

#include "support/refuse_call.hpp"

namespace tutti::test {
namespace {

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

}  // namespace

void expect_success(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  expect(status == 0, "the child has found something wrong");
}

void fork_often(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  for (int round = 0; round < rounds; ++round) fork_once(random, blocks, round % 16 == 0);
  const auto shared =
      std::count_if(blocks.begin(), blocks.end(), [](const Block& block) { return is_shared(block.memory); });
  std::fprintf(stderr, "shared %d\n", static_cast<int>(shared));
}

void fork_without_descriptors(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  const rlimit limit{1024, 1024};
  setrlimit(RLIMIT_NOFILE, &limit);
  for (int number = 3; number < 1024; ++number) close(number);
  while (open("/dev/null", O_RDWR) >= 0) continue;
  for (int round = 0; round < rounds; ++round) fork_once(random, blocks, round % 16 == 0);
}

void fork_in_vain(Random& random, int rounds) {
  std::vector<Block> blocks = some_blocks(random);
  while (open("/dev/null", O_RDWR) >= 0) continue;
  for (const std::uint32_t call : {SYS_clone, SYS_clone3}) refuse_call({call, EAGAIN});
  alarm(25);
  for (int round = 0; round < rounds; ++round) {
    errno = 0;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) return expect_success(child);  // fork() is not refused here
    expect(errno == EAGAIN, "fork() says another reason than the system");
    churn(random, 2, 2);
    expect_whole(blocks, "a fork() that has failed has changed a block");
  }
}

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

}  // namespace tutti::test
