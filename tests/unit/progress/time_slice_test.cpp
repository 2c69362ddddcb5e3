// The time slices that ranks ask the system for.

#include "progress/core_contention.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace tutti::runtime {
namespace {

using Slice = std::optional<std::chrono::nanoseconds>;

/// Returns the result of `act` in a thread of its own.
template <typename Act>
void in_a_thread(Act&& act) {
  std::thread(std::forward<Act>(act)).join();
}

TEST(TimeSlice, IsTheShortestOnceAThreadHasAskedForIt) {
  if (!time_slice()) GTEST_SKIP() << "the system tells no time slices";
  Slice before;
  Slice after;
  in_a_thread([&] {
    before = time_slice();
    shorten_time_slice();
    after = time_slice();
  });
  EXPECT_LE(*after, shortest_slice);
  EXPECT_LE(*after, *before);
}

TEST(TimeSlice, IsThatThreadsAloneAndThoseThatItMakes) {
  const Slice mine = time_slice();
  if (!mine) GTEST_SKIP() << "the system tells no time slices";
  Slice below;
  in_a_thread([&] {
    shorten_time_slice();
    in_a_thread([&] { below = time_slice(); });
  });
  EXPECT_EQ(time_slice(), mine);
  EXPECT_LE(*below, shortest_slice);
}

TEST(TimeSlice, LeavesPolicyAndPriorityAsTheyAre) {
  in_a_thread([] {
    const auto self = static_cast<id_t>(gettid());
    ASSERT_EQ(setpriority(PRIO_PROCESS, self, 7), 0);
    const int policy = sched_getscheduler(0);
    shorten_time_slice();
    EXPECT_EQ(getpriority(PRIO_PROCESS, self), 7);
    EXPECT_EQ(sched_getscheduler(0), policy);
  });
}

TEST(TimeSlice, IsNotAskedForWhereThreadsHaveNone) {
  in_a_thread([] {
    const sched_param none{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
    EXPECT_FALSE(time_slice());
    shorten_time_slice();
    EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
  });
}

}  // namespace
}  // namespace tutti::runtime
