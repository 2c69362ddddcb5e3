/// @file
/// Worlds that processes join by an exchange of their own: here through a page that forked children share.

#include "tutti/join.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr int most_ranks = 8;
constexpr std::size_t slot_bytes = 1024;

/// Memory that all children share.
struct Page {
  std::atomic<int> come;
  std::array<std::array<char, slot_bytes>, most_ranks> slots;
  std::array<std::size_t, most_ranks> sizes;
  std::array<std::array<char, slot_bytes>, most_ranks> results;
};

/// Exchange of `size` ranks through a page; each of them makes its own.
class PageExchange {
 public:
  PageExchange(Page& page, int rank, int size) : page_(page), rank_(rank), size_(size) {}

  std::vector<std::string> operator()(const std::string& mine) {
    const auto own = static_cast<std::size_t>(rank_);
    std::memcpy(page_.slots[own].data(), mine.data(), mine.size());
    page_.sizes[own] = mine.size();
    meet();
    std::vector<std::string> told;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(size_); ++rank)
      told.emplace_back(page_.slots[rank].data(), page_.sizes[rank]);
    meet();
    return told;
  }
  void meet() {
    ++rounds_;
    ++page_.come;
    while (page_.come < rounds_ * size_) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  Page& page_;
  int rank_;
  int size_;
  int rounds_ = 0;
};

/// Runs `rank` in as many children at once; returns what each of them returned, or the text of what it threw.
std::vector<std::string> texts_of(int size, const std::function<std::string(PageExchange&, int)>& rank) {
  void* const memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Page& page = *new (memory) Page();
  std::vector<pid_t> children;
  for (int number = 0; number < size; ++number) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    std::string text;
    try {
      PageExchange exchange(page, number, size);
      text = rank(exchange, number);
    } catch (const std::exception& error) {
      text = error.what();
    }
    text.copy(page.results[static_cast<std::size_t>(number)].data(), slot_bytes - 1);
    _exit(0);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  std::vector<std::string> texts;
  for (std::size_t number = 0; number < static_cast<std::size_t>(size); ++number)
    texts.emplace_back(page.results[number].data());
  munmap(memory, sizeof(Page));
  return texts;
}

class Join : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Join, ::testing::Values(1, 2, 3, 4, 7),
                         [](const auto& cell) { return std::to_string(cell.param); });

TEST_P(Join, MakesAWorldAgainAndAgain) {
  const int p = GetParam();
  const auto texts = texts_of(p, [&](PageExchange& exchange, int rank) -> std::string {
    int sums = 0;
    for (int round = 0; round < 3; ++round) {
      JoinedWorld world = join(rank, p, std::ref(exchange));
      sums += world.communicator().all_reduce(rank + round, sum);
      std::vector<int> all(static_cast<std::size_t>(p));
      world.communicator().all_gather(rank, all);
      if (all.back() != p - 1) return "wrong all-gather";
      world.leave();
      world.leave();
    }
    return std::to_string(sums);
  });
  EXPECT_THAT(texts, Each(std::to_string(3 * p * (p - 1) / 2 + 3 * p)));
}

TEST_P(Join, LetsWorldsLiveSideBySide) {
  const int p = GetParam();
  const auto texts = texts_of(p, [&](PageExchange& exchange, int rank) -> std::string {
    JoinedWorld first = join(rank, p, std::ref(exchange));
    // The second world numbers the ranks backwards.
    const auto backwards = [&](const std::string& mine) {
      const std::vector<std::string> told = exchange(mine);
      return std::vector<std::string>(told.rbegin(), told.rend());
    };
    JoinedWorld second = join(p - 1 - rank, p, backwards);
    const int before = first.communicator().all_reduce(1, sum);
    int from_last = rank;
    second.communicator().broadcast(from_last, 0);
    second.leave();
    const int after = first.communicator().all_reduce(from_last, sum);
    first.leave();
    return std::to_string(before) + " " + std::to_string(after);
  });
  EXPECT_THAT(texts, Each(std::to_string(p) + " " + std::to_string(p * (p - 1))));
}

TEST(JoinErrors, ATextThatOneRankAbandonsWithReachesAll) {
  const auto texts = texts_of(3, [&](PageExchange& exchange, int rank) -> std::string {
    JoinedWorld world = join(rank, 3, std::ref(exchange));
    if (rank == 1) {
      world.abandon("ValueError: no such row");
      return "rank 1 failed: ValueError: no such row";
    }
    world.communicator().barrier();
    return "the barrier ended well";
  });
  EXPECT_THAT(texts, Each(HasSubstr("rank 1 failed: ValueError: no such row")));
}

TEST(JoinErrors, AKilledRankIsNamedWithoutALauncher) {
  const auto texts = texts_of(3, [&](PageExchange& exchange, int rank) -> std::string {
    JoinedWorld world = join(rank, 3, std::ref(exchange));
    if (rank == 2) kill(getpid(), SIGKILL);
    world.communicator().barrier();
    return "the barrier ended well";
  });
  EXPECT_THAT(texts[0], HasSubstr("rank 2 failed: "));
  EXPECT_THAT(texts[1], HasSubstr("rank 2 failed: "));
}

// The children share the time at which the wait is to end by nothing but the clock that they were forked with.
std::string give_up_soon() {
  static const auto begin = std::chrono::steady_clock::now();
  return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(100) ? "interrupted by the user" : "";
}

TEST(JoinErrors, AnInterruptionEndsAWaitAndIsToldToAll) {
  const auto texts = texts_of(3, [&](PageExchange& exchange, int rank) -> std::string {
    JoinedWorld world = join(rank, 3, std::ref(exchange));
    if (rank == 0) interrupt_waits_by(give_up_soon);
    if (rank == 2) std::this_thread::sleep_for(std::chrono::milliseconds(600));  // is still away by then
    world.communicator().barrier();
    return "the barrier ended well";
  });
  EXPECT_THAT(texts, Each(HasSubstr("rank 0 failed: interrupted by the user")));
}

TEST(JoinErrors, OfOneRankAreThoseOfAll) {
  // Rank 1 is told another secret than that of rank 0's segment.
  const auto texts = texts_of(3, [&](PageExchange& exchange, int rank) -> std::string {
    const auto tampered = [&](const std::string& mine) {
      std::vector<std::string> told = exchange(mine);
      if (rank == 1 && told[0].size() > 24) told[0][16] = static_cast<char>(told[0][16] ^ 1);
      return told;
    };
    join(rank, 3, tampered);
    return "joined";
  });
  EXPECT_THAT(texts, Each(AllOf(HasSubstr("join(): rank 1 cannot join: "), HasSubstr("is another segment"))));
}

TEST(JoinErrors, SeveralMachinesAreRefusedWithTheRemedy) {
  const auto texts = texts_of(2, [&](PageExchange& exchange, int rank) -> std::string {
    const auto tampered = [&](const std::string& mine) {
      std::vector<std::string> told = exchange(mine);
      if (told[1].size() > 24) told[1][24] = '?';
      return told;
    };
    join(rank, 2, tampered);
    return "joined";
  });
  EXPECT_THAT(texts, Each(HasSubstr("ranks 0 and 1 run on two machines: start the program with mpirun")));
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  return "no error";
}

TEST(JoinErrors, OfArgumentsNameTheValue) {
  const auto alone = [](const std::string& mine) { return std::vector<std::string>{mine}; };
  const auto nobody = [](const std::string&) { return std::vector<std::string>(); };
  EXPECT_THAT(refusal([&] { join(0, 0, alone); }), HasSubstr("at least one rank, not 0"));
  EXPECT_THAT(refusal([&] { join(2, 2, alone); }), HasSubstr("rank 2 is none of the 2 ranks"));
  EXPECT_THAT(refusal([&] { join(-1, 2, alone); }), HasSubstr("rank -1 is none of the 2 ranks"));
  EXPECT_THAT(refusal([&] { join(0, 1, nobody); }), HasSubstr("the exchange of 1 ranks returned 0 texts"));
  JoinedWorld world = join(0, 1, alone);
  world.leave();
  EXPECT_THAT(refusal([&] { world.communicator(); }), HasSubstr("that this rank has left"));
}

}  // namespace
}  // namespace tutti
