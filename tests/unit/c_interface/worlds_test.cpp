/// @file
/// Worlds through the C interface: threads that fail, and processes that join by an exchange of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "c_ranks.hpp"

namespace tutti::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

TEST(CRun, FailsAsTheRankThatFailed) {
  const auto second_fails = [](tutti_communicator comm, void*) -> tutti_status {
    if (tutti_rank(comm) == 1) return tutti_plan_start(nullptr);
    const tutti_status status = tutti_barrier(comm);
    EXPECT_EQ(status, TUTTI_PEER_FAILED);
    EXPECT_THAT(tutti_last_error(), HasSubstr("tutti_plan_start: the plan is NULL"));
    return status;
  };
  EXPECT_EQ(tutti_run(3, second_fails, nullptr), TUTTI_INVALID_ARGUMENT);
  EXPECT_THAT(tutti_last_error(), HasSubstr("tutti_plan_start: the plan is NULL"));
  const auto number = [](tutti_communicator, void*) -> tutti_status { return 42; };
  EXPECT_EQ(tutti_run(1, number, nullptr), TUTTI_CALLBACK_FAILED);
  EXPECT_THAT(tutti_last_error(), HasSubstr("has returned 42"));
  EXPECT_EQ(tutti_run(0, number, nullptr), TUTTI_INVALID_ARGUMENT);
}

constexpr int most_ranks = 8;
constexpr std::size_t slot_bytes = 1024;

/// Memory that all children share.
struct Page {
  std::atomic<int> come;
  std::array<std::array<char, slot_bytes>, most_ranks> slots;
  std::array<std::array<char, slot_bytes>, most_ranks> results;
};

/// One child's end of an exchange through the page.
struct PageEnd {
  Page& page;
  int rank;
  int size;
  int rounds = 0;
  bool fails = false;
  bool tampers = false;  // with the secret in rank 0's first text

  void meet() {
    ++rounds;
    ++page.come;
    while (page.come < rounds * size) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
};

int exchange_by_page(const void* mine, void* all, std::size_t bytes, void* user) {
  auto& end = *static_cast<PageEnd*>(user);
  if (end.fails || bytes > slot_bytes) return 3;
  std::memcpy(end.page.slots[static_cast<std::size_t>(end.rank)].data(), mine, bytes);
  end.meet();
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(end.size); ++rank)
    std::memcpy(static_cast<char*>(all) + rank * bytes, end.page.slots[rank].data(), bytes);
  if (end.tampers && bytes > 24) static_cast<char*>(all)[16] = static_cast<char>(static_cast<char*>(all)[16] ^ 1);
  end.meet();
  return 0;
}

/// Runs `rank` in as many children at once; returns what each of them returned.
std::vector<std::string> texts_of(int size, const std::function<std::string(PageEnd&)>& rank) {
  void* const memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Page& page = *new (memory) Page();
  std::vector<pid_t> children;
  for (int number = 0; number < size; ++number) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    PageEnd end{page, number, size};
    const std::string text = rank(end);
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

class CJoin : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, CJoin, ::testing::Values(1, 2, 3, 5),
                         [](const auto& cell) { return std::to_string(cell.param); });

TEST_P(CJoin, MakesAWorldAgainAndAgain) {
  const int p = GetParam();
  const auto texts = texts_of(p, [&](PageEnd& end) -> std::string {
    std::int64_t sum = 0;
    for (int round = 0; round < 3; ++round) {
      tutti_communicator world = nullptr;
      if (tutti_join(end.rank, p, exchange_by_page, &end, &world) != TUTTI_OK) return tutti_last_error();
      const std::int64_t mine = end.rank + round;
      std::int64_t all = 0;
      if (tutti_all_reduce(world, &mine, &all, 1, TUTTI_INT64, TUTTI_SUM) != TUTTI_OK) return tutti_last_error();
      sum += all;
      if (tutti_free(&world) != TUTTI_OK) return tutti_last_error();
      if (world != nullptr) return "not NULL";
    }
    return std::to_string(sum);
  });
  EXPECT_THAT(texts, Each(std::to_string(3 * p * (p - 1) / 2 + 3 * p)));
}

TEST(CJoinErrors, ATextThatOneRankAbandonsWithReachesAll) {
  const auto texts = texts_of(3, [](PageEnd& end) -> std::string {
    tutti_communicator world = nullptr;
    if (tutti_join(end.rank, 3, exchange_by_page, &end, &world) != TUTTI_OK) return tutti_last_error();
    if (end.rank == 1) {
      if (tutti_abandon(world, "no such row") != TUTTI_OK) return tutti_last_error();
      return "rank 1 failed: no such row";
    }
    const tutti_status status = tutti_barrier(world);
    return status == TUTTI_PEER_FAILED ? tutti_last_error() : tutti_status_name(status);
  });
  EXPECT_THAT(texts, Each(HasSubstr("no such row")));
}

TEST(CJoinErrors, AnExchangeThatFailsIsAFailedCallback) {
  const auto texts = texts_of(1, [](PageEnd& end) -> std::string {
    end.fails = true;
    tutti_communicator world = nullptr;
    const tutti_status status = tutti_join(0, 1, exchange_by_page, &end, &world);
    return std::string(tutti_status_name(status)) + ": " + tutti_last_error();
  });
  EXPECT_THAT(texts, Each("callback_failed: tutti_join: the exchange has returned 3"));
}

// Texts of different lengths go through an exchange of equal ones: that of rank 1 alone has words.
TEST(CJoinErrors, OfOneRankAreThoseOfAll) {
  const auto texts = texts_of(3, [](PageEnd& end) -> std::string {
    end.tampers = end.rank == 1;
    tutti_communicator world = nullptr;
    const tutti_status status = tutti_join(end.rank, 3, exchange_by_page, &end, &world);
    return std::string(tutti_status_name(status)) + ": " + tutti_last_error();
  });
  EXPECT_THAT(texts, Each(HasSubstr("invalid_argument: join(): rank 1 cannot join: ")));
}

TEST(CJoinErrors, ARankThatIsNoneIsRefused) {
  tutti_communicator world = nullptr;
  EXPECT_EQ(tutti_join(2, 2, exchange_by_page, nullptr, &world), TUTTI_INVALID_ARGUMENT);
  EXPECT_THAT(tutti_last_error(), HasSubstr("rank 2 is none of the 2 ranks"));
}

// Alone, without a launcher; in a child, because a process has one job.
TEST(CWorld, IsTheJobOfTheProcess) {
  const auto texts = texts_of(1, [](PageEnd&) -> std::string {
    tutti_communicator world = nullptr;
    tutti_communicator again = nullptr;
    if (tutti_world(&world) != TUTTI_OK || tutti_world(&again) != TUTTI_OK) return tutti_last_error();
    if (world != again || tutti_size(world) != 1 || tutti_rank(world) != 0) return "another world";
    if (tutti_free(&again) != TUTTI_OK || tutti_barrier(world) != TUTTI_OK) return tutti_last_error();
    if (tutti_finalize() != TUTTI_OK) return tutti_last_error();
    return tutti_status_name(tutti_barrier(world));
  });
  EXPECT_THAT(texts, Each("invalid_argument"));
}

TEST(CInterruption, EndsAWaitByItsText) {
  const auto texts = texts_of(2, [](PageEnd& end) -> std::string {
    tutti_communicator world = nullptr;
    if (tutti_join(end.rank, 2, exchange_by_page, &end, &world) != TUTTI_OK) return tutti_last_error();
    tutti_status status = tutti_set_timeout(world, 30);
    if (end.rank == 0) {
      if (tutti_interrupt_waits_by([]() -> const char* { return "enough"; }) != TUTTI_OK) return tutti_last_error();
      double data = 0;
      status = tutti_receive(world, &data, 1, TUTTI_DOUBLE, 1, 0, nullptr);
      end.meet();
    } else {
      end.meet();  // sends nothing until rank 0 has given up
      status = tutti_barrier(world);
    }
    return status == TUTTI_OK ? "no error" : tutti_last_error();
  });
  EXPECT_THAT(texts, Each(HasSubstr("enough")));
}

}  // namespace
}  // namespace tutti::testing
