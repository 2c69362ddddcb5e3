/// @file
/// Waits that end when another thread wants the rank.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <span>
#include <thread>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using testing::Outcome;
using testing::outcomes_of;

/// Runs a test on a single core: ranks that are more than their cores do not look before they wait patiently.
template <typename Function>
void on_one_core(const Function& function) {
  std::thread([&function] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    function();
  }).join();
}

/// Rank 1 sends 7 once rank 0 has sent it something. Rank 0 receives it, by two waits: `first` has ended before.
template <typename First>
void receive_by_two_waits(const First& first) {
  on_ranks(2, [&](Communicator& comm) {
    int mine = 7;
    const std::span<int> one(&mine, 1);
    if (comm.rank() == 1) {
      int start = 0;
      comm.receive(std::span<int>(&start, 1), 0);
      comm.send(one, 0);
      return;
    }
    mine = 0;
    std::atomic<int> wanted = 0;
    Handle handle = comm.receive_async(one, 1);
    first(handle, wanted);
    EXPECT_EQ(mine, 0);
    comm.send(std::span<const int>(&mine, 1), 1);
    wanted = 0;
    EXPECT_TRUE(handle.wait_until_wanted(wanted));
    EXPECT_EQ(mine, 7);
    wanted = 1;
    EXPECT_TRUE(handle.wait_until_wanted(wanted)) << "what is done stays done";
  });
}

void end_at_once(Handle& handle, std::atomic<int>& wanted) {
  wanted = 1;
  EXPECT_FALSE(handle.wait_until_wanted(wanted));
}

TEST(WantedWaits, EndAtOnceWhereTheRankIsWanted) { receive_by_two_waits(end_at_once); }

TEST(WantedWaits, EndAtOnceOfRanksThatShareACore) {
  on_one_core([] { receive_by_two_waits(end_at_once); });
}

TEST(WantedWaits, EndWhenTheRankBecomesWanted) {
  receive_by_two_waits([](Handle& handle, std::atomic<int>& wanted) {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      wanted = 1;
    });
    EXPECT_FALSE(handle.wait_until_wanted(wanted));
    other.join();
  });
}

/// Each wait is far shorter than the timeout.
void come_to_the_timeout() {
  const auto outcomes = outcomes_of(2, [](Communicator& comm) {
    comm.barrier();
    int never = 0;
    Handle handle = comm.receive_async(std::span<int>(&never, 1), 1 - comm.rank());
    if (comm.rank() == 1) return handle.wait();
    comm.set_timeout(std::chrono::milliseconds(200));
    const std::atomic<int> wanted = 1;
    const auto end = std::chrono::steady_clock::now() + testing::long_enough / 2;
    while (std::chrono::steady_clock::now() < end) EXPECT_FALSE(handle.wait_until_wanted(wanted));
    ADD_FAILURE() << "the timeout has not come";
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout);
    EXPECT_THAT(outcome.message, HasSubstr("rank 0 waits for rank 1"));
  }
}

TEST(WantedWaits, ComeToTheTimeoutTogether) { come_to_the_timeout(); }

TEST(WantedWaits, ComeToTheTimeoutTogetherOfRanksThatShareACore) { on_one_core(come_to_the_timeout); }

}  // namespace
}  // namespace tutti
