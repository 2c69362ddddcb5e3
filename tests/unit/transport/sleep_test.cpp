/// @file
/// Ranks that wait for long sleep, and are woken by what others post: never beside a message that has come, and not
/// again and again by the clock.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "support/ranks.hpp"
#include "support/sanitizers.hpp"
#include "transport/shared/alarm.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using runtime::Alarm;
using runtime::ControlSegment;
using runtime::RankRecord;
using runtime::WokenBy;
using testing::on_ranks;

// ---- By hand: two ranks that post a number in turn, and sleep between

/// Table that both ranks see.
struct Table {
  Table() : control(memory.data(), 2) {}
  alignas(line_pair) std::array<std::byte, 1 << 20> memory = {};
  ControlSegment control;
  std::array<RankRecord, 2> records;
  alignas(line_pair) std::atomic<std::uint64_t> posted = 0;
};

/// Says how often the rank has slept until the clock woke it, though something was posted.
int play(Table& table, int rank, std::uint64_t turns, WokenBy woken_by) {
  constexpr std::chrono::seconds too_long(30);
  std::mt19937 random(static_cast<unsigned>(rank));
  const std::vector<int> members{0, 1};
  const Alarm alarm(table.control, table.records, members);
  RankRecord& mine = table.records[static_cast<std::size_t>(rank)];
  int overslept = 0;
  for (std::uint64_t turn = 1; turn <= turns; ++turn) {
    if (turn % 2 == static_cast<std::uint64_t>(rank)) {
      table.posted.store(turn, std::memory_order_release);
      woken_by == WokenBy::calls ? alarm.ring_for_calls() : alarm.ring(1 - rank);
      continue;
    }
    const auto has_come = [&] { return table.posted.load(std::memory_order_acquire) >= turn; };
    for (unsigned looks = random() % 256; looks > 0 && !has_come(); --looks) continue;
    while (!has_come()) {
      alarm.prepare_sleep(woken_by);
      mine.sleep_word().prepare_sleep(woken_by);
      if (!runtime::pass_barrier()) return -1;
      const auto began = std::chrono::steady_clock::now();
      const bool is_by_clock = !has_come() && !mine.sleep_word().sleep(too_long);
      if (is_by_clock && std::chrono::steady_clock::now() - began >= too_long) ++overslept;
      mine.sleep_word().finish_sleep();
      alarm.finish_sleep(woken_by);
    }
  }
  return overslept;
}

class TwoSleepers : public ::testing::TestWithParam<WokenBy> {};

constexpr std::uint64_t turns = test::addresses_are_reserved ? 4000 : 20000;

TEST_P(TwoSleepers, WakeEachOtherAsThreads) {
  if (!runtime::register_for_barriers()) GTEST_SKIP() << "the system has no barriers between processes";
  const auto table = std::make_unique<Table>();
  int overslept = 0;
  std::thread other([&] { overslept = play(*table, 1, turns, GetParam()); });
  EXPECT_EQ(play(*table, 0, turns, GetParam()), 0);
  other.join();
  EXPECT_EQ(overslept, 0);
  EXPECT_EQ(table->control.header().sleepers.load(), 0U);
  EXPECT_EQ(table->control.header().call_sleepers.load(), 0U);
}

TEST_P(TwoSleepers, WakeEachOtherAsProcesses) {
  void* const memory = mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const table = new (memory) Table;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(runtime::register_for_barriers() ? play(*table, 1, turns, GetParam()) : 0);
  if (runtime::register_for_barriers()) {
    EXPECT_EQ(play(*table, 0, turns, GetParam()), 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  munmap(memory, sizeof(Table));
}

INSTANTIATE_TEST_SUITE_P(By, TwoSleepers, ::testing::Values(WokenBy::messages, WokenBy::calls));

TEST(SleepWord, IsWokenByWhatItSaysAlone) {
  const auto table = std::make_unique<Table>();
  const std::vector<int> members{0, 1};
  const Alarm alarm(table->control, table->records, members);
  runtime::SleepWord& word = table->records[1].sleep_word();
  alarm.prepare_sleep(WokenBy::messages);
  word.prepare_sleep(WokenBy::messages);
  alarm.ring_for_calls();
  alarm.ring(0);
  EXPECT_TRUE(word.is_woken_by(WokenBy::messages)) << "woken by what was for another";
  EXPECT_FALSE(word.sleep(std::chrono::milliseconds(1))) << "nobody has woken it";
  alarm.ring(1);
  EXPECT_FALSE(word.is_woken_by(WokenBy::messages));
  EXPECT_TRUE(word.sleep(std::chrono::hours(1))) << "it was woken before it slept";
  word.prepare_sleep(WokenBy::calls);
  alarm.ring_for_failure();
  EXPECT_TRUE(word.sleep(std::chrono::hours(1)));
  word.prepare_sleep(WokenBy::messages);
  runtime::wake_all(table->records);
  EXPECT_TRUE(word.sleep(std::chrono::hours(1)));
}

// ---- Ranks

/// Returns how often this thread has left its core because it waited.
long rests() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(Sleep, ARankThatWaitsIsNotWokenByTheClockAgainAndAgain) {
  if (!runtime::register_for_barriers()) GTEST_SKIP() << "the system has no barriers between processes";
  TUTTI_ONLY_ON("over MPI ranks look by the clock", testing::Engine::threads, testing::Engine::processes);
  constexpr auto late = std::chrono::milliseconds(1500);  // naps of a millisecond would be over a thousand
  constexpr long most = 300;
  on_ranks(4, [&](Communicator& comm) {
    comm.barrier();
    for (const bool with_messages : {false, true}) {
      if (comm.rank() == 0) std::this_thread::sleep_for(late);
      const long before = rests();
      if (with_messages) {
        EXPECT_EQ(comm.all_reduce(1, sum), comm.size());
      } else {
        EXPECT_EQ(comm.duplicate().size(), comm.size());
      }
      EXPECT_LE(rests() - before, most);
    }
  });
}

// Whatever a rank waits for, it goes on when it comes, from ranks that are late by turns.
TEST(Sleep, EndsWithAllThatRanksWaitFor) {
  constexpr unsigned seed = 20260711;
  SCOPED_TRACE(seed);
  for (const int p : testing::possible({2, 3, 5})) {
    on_ranks(p, [&](Communicator& comm) {
      std::mt19937 random(seed);  // equal on all ranks
      const int right = (comm.rank() + 1) % p;
      const int left = (comm.rank() + p - 1) % p;
      for (int turn = 0; turn < 24; ++turn) {
        const int late = static_cast<int>(random() % static_cast<unsigned>(p));
        if (comm.rank() == late)
          std::this_thread::sleep_for(std::chrono::milliseconds(6 + random() % 12));
        else
          random();
        std::vector<double> data(std::vector<std::size_t>{1, 500, 12'000, 20'000}[static_cast<std::size_t>(turn) % 4],
                                 comm.rank());
        switch (turn / 4 % 6) {
          case 0: {
            comm.all_reduce(data, sum);
            EXPECT_EQ(data.back(), p * (p - 1) / 2);
            break;
          }
          case 1: {
            comm.broadcast(data, late);
            EXPECT_EQ(data.back(), late);
            break;
          }
          case 2: {
            std::vector<double> other(data.size());
            Handle sent = comm.send_async(data, right);
            comm.receive(other, left);
            sent.wait();
            EXPECT_EQ(other.back(), left);
            break;
          }
          case 3: {
            auto half = comm.split(comm.rank() % 2, 0);
            EXPECT_EQ(half->all_reduce(1, sum), half->size());
            break;
          }
          case 4: {
            data.resize(std::min<std::size_t>(data.size(), 500));
            for (int call = 0; call < 60; ++call) comm.broadcast(data, 0);  // more than may be under way
            EXPECT_EQ(data.back(), 0);
            break;
          }
          default: {
            std::vector<double> all(data.size() * static_cast<std::size_t>(p));
            comm.all_gather(data, all);
            comm.wait_all();
            EXPECT_EQ(all.back(), p - 1);
          }
        }
      }
    });
  }
}

}  // namespace
}  // namespace tutti
