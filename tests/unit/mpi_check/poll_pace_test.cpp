/// @file
/// Whether loops that poll work in between, by a clock and a usage of the core that the test turns.

#include "mpi_check/waits/poll_pace.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace tutti::interpose {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Verdict = PollPace::Verdict;

/// A thread whose polls take 200 ns each. On a crowded core it has one part in so many of the time.
class Thread {
 public:
  explicit Thread(int crowd = 1) : crowd_(crowd) {}

  void poll() {
    latest_ = pace().begin_poll(now_);
    if (latest_ != Verdict::open) verdict_ = latest_;
    compute(nanoseconds(200));
    pace().end_poll(now_);
  }
  void compute(nanoseconds time) { take(time, nanoseconds(0)); }
  void yield() { take(nanoseconds(150), nanoseconds(150)); }
  /// To others, who have the core for a while.
  void yield_core() {
    take(microseconds(2), microseconds(6));
    ++usage_.switches;
    now_ += milliseconds(1);
  }
  void sleep(nanoseconds time) {
    now_ += time;
    ++usage_.switches;
    ++usage_.sleeps;
    take(microseconds(8), microseconds(17));
  }
  /// The latest verdict after so many polls, with `meanwhile` after each.
  template <typename Act>
  std::optional<Verdict> after(int polls, const Act& meanwhile) {
    for (int k = 0; k < polls; ++k) {
      poll();
      meanwhile();
    }
    return verdict_;
  }

 private:
  PollPace& pace() {
    if (!pace_) pace_.emplace(now_, [this](GapEdge) { return usage_; });
    return *pace_;
  }
  // Others have the core after each 3 ms.
  void take(nanoseconds user, nanoseconds system) {
    usage_.core += user + system;
    usage_.in_system += system;
    now_ += user + system;
    slice_ += user + system;
    if (slice_ < milliseconds(3)) return;
    now_ += slice_ * (crowd_ - 1);
    if (crowd_ > 1) ++usage_.switches;
    slice_ = {};
  }

  int crowd_;
  PollPace::Instant now_{seconds(100)};
  nanoseconds slice_{0};
  ThreadUsage usage_;
  std::optional<PollPace> pace_;
  Verdict latest_ = Verdict::open;
  std::optional<Verdict> verdict_;
};

/// Thread whose polls give the core to others, as an MPI's do on a crowded host.
class YieldingThread {
 public:
  explicit YieldingThread(milliseconds others = milliseconds(1)) : others_(others) {}

  /// Returns the verdict after so many polls with that work after the k-th of them.
  template <typename Work>
  std::optional<Verdict> after(int polls, const Work& work_after) {
    std::optional<Verdict> verdict;
    for (int k = 0; k < polls; ++k) {
      const nanoseconds work = work_after(k);
      const Verdict latest = pace_.begin_poll(now_);
      if (latest != Verdict::open) verdict = latest;
      usage_.core += microseconds(2);
      ++usage_.switches;
      now_ += others_;
      pace_.end_poll(now_);
      usage_.core += work;
      now_ += work;
    }
    return verdict;
  }
  /// Work of that time, in which others take the core.
  nanoseconds interrupted(nanoseconds work) {
    ++usage_.switches;
    return work;
  }

 private:
  milliseconds others_;
  ThreadUsage usage_;
  PollPace::Instant now_{seconds(100)};
  PollPace pace_{now_, [this](GapEdge) { return usage_; }};
};

TEST(PaceOfYields, IsOfWorkAlsoWherePollsGiveTheCoreAway) {
  for (const nanoseconds work : {nanoseconds(microseconds(10)), nanoseconds(microseconds(20))})
    EXPECT_EQ(YieldingThread().after(6000, [&](int) { return work; }), Verdict::working) << work.count();
  EXPECT_EQ(YieldingThread().after(6000, [](int) { return nanoseconds(100); }), Verdict::idle);
}

// Others take the core in the midst of the work, too.
TEST(PaceOfYields, IsOfWorkAlsoWhereOthersTakeTheCoreInIt) {
  YieldingThread thread;
  EXPECT_EQ(thread.after(6000, [&](int) { return thread.interrupted(microseconds(100)); }), Verdict::working);
  EXPECT_EQ(thread.after(6000, [&](int) { return thread.interrupted(microseconds(10)); }), Verdict::idle);
}

// Thousands of ranks on few cores have a turn a second.
TEST(PaceOfYields, IsOfWorkAlsoWhereTurnsAreFew) {
  for (const milliseconds others : {milliseconds(200), milliseconds(900)})
    EXPECT_EQ(YieldingThread(others).after(30, [](int) { return nanoseconds(100000); }), Verdict::working);
}

TEST(PaceOfYields, IsOfWorkAlsoWhereSeveralThingsArePolledForInBetween) {
  for (const int round : {2, 3, 4}) {
    const auto work_after_round = [&](int k) { return nanoseconds(k % round == 0 ? 20000 : 100); };
    EXPECT_EQ(YieldingThread().after(6000, work_after_round), Verdict::working) << round;
  }
}

// A thousand polls that give the core away take longer than a second, and the work is done behind them.
TEST(PaceOfYields, IsOfWorkAlsoWhereItComesAfterAThousandPolls) {
  YieldingThread thread;
  const auto work_at_times = [](int k) { return k % 1500 == 1499 ? nanoseconds(milliseconds(40)) : microseconds(4); };
  for (int round = 0; round < 10; ++round) EXPECT_NE(thread.after(1500, work_at_times), Verdict::idle) << round;
}

// Clocks may be slow, and interrupts take part of some gaps.
TEST(PaceOfYields, IsNotOfWhatTheSystemDoesMeanwhile) {
  const auto interrupted = [](int k) { return k % 10 == 0 ? microseconds(150) : microseconds(6); };
  EXPECT_EQ(YieldingThread().after(6000, interrupted), Verdict::idle);
}

class Pace : public ::testing::TestWithParam<int> {};

TEST_P(Pace, OfALoopOfPollsAloneIsIdle) {
  Thread thread(GetParam());
  EXPECT_EQ(thread.after(6'000'000, [&] { thread.compute(nanoseconds(30)); }), Verdict::idle);
}

TEST_P(Pace, OfALoopThatYieldsIsIdle) {
  Thread thread(GetParam());
  EXPECT_EQ(thread.after(3'000'000, [&] { thread.yield(); }), Verdict::idle);
}

TEST_P(Pace, OfALoopThatYieldsToOthersIsIdle) {
  Thread thread(GetParam());
  EXPECT_EQ(thread.after(6'000, [&] { thread.yield_core(); }), Verdict::idle);
}

TEST_P(Pace, OfALoopThatSleepsIsIdle) {
  for (const nanoseconds time : {nanoseconds(microseconds(1)), nanoseconds(microseconds(100)),
                                 nanoseconds(milliseconds(20)), nanoseconds(seconds(1))}) {
    Thread thread(GetParam());
    const auto polls = static_cast<int>(seconds(2) / (time + microseconds(25))) + 3;
    EXPECT_EQ(thread.after(polls, [&] { thread.sleep(time); }), Verdict::idle) << time.count();
  }
}

// On a crowded host the end of a sleep costs many times what it costs elsewhere, and now and then more.
TEST_P(Pace, OfALoopThatSleepsIsIdleWhereSleepsAreDear) {
  for (const int round : {1, 3}) {
    Thread thread(GetParam());
    int polls = 0;
    const auto sleep = [&] {
      if (++polls % round != 0) return thread.compute(nanoseconds(300));
      thread.sleep(milliseconds(20));
      thread.compute(polls % 50 == 0 ? nanoseconds(microseconds(1500)) : nanoseconds(microseconds(60)));
    };
    EXPECT_EQ(thread.after(200 * round, sleep), Verdict::idle) << round;
  }
}

TEST_P(Pace, OfALoopThatWorksIsNot) {
  for (const nanoseconds time : {nanoseconds(600), nanoseconds(microseconds(2)), nanoseconds(microseconds(30)),
                                 nanoseconds(milliseconds(1)), nanoseconds(milliseconds(300))}) {
    Thread thread(GetParam());
    const auto polls = static_cast<int>(seconds(2) / (time + nanoseconds(200))) + 3;
    EXPECT_EQ(thread.after(polls, [&] { thread.compute(time); }), Verdict::working) << time.count();
  }
}

TEST_P(Pace, OfALoopThatWorksAndSleepsIsNot) {
  Thread thread(GetParam());
  const auto work_and_sleep = [&] {
    thread.compute(microseconds(300));
    thread.sleep(milliseconds(1));
  };
  EXPECT_EQ(thread.after(2000, work_and_sleep), Verdict::working);
}

TEST_P(Pace, OfALoopThatWorksAtTimesIsNot) {
  Thread thread(GetParam());
  int polls = 0;
  const auto work_at_times = [&] {
    thread.compute(++polls % 200'000 == 0 ? nanoseconds(milliseconds(100)) : nanoseconds(30));
  };
  EXPECT_EQ(thread.after(6'000'000, work_at_times), Verdict::working);
}

INSTANTIATE_TEST_SUITE_P(OnACore, Pace, ::testing::Values(1, 2, 9));

TEST(Pace, IsOpenForAnInterval) {
  Thread thread;
  EXPECT_FALSE(thread.after(1'000'000, [] {}));
}

TEST(ThreadUsage, CountsWhatThisThreadTakes) {
  const ThreadUsage before = ThreadUsage::of_this_thread(GapEdge::begin);
  while (ThreadUsage::of_this_thread(GapEdge::end).core - before.core < milliseconds(20)) continue;
  EXPECT_GE(ThreadUsage::of_this_thread(GapEdge::end).in_system, before.in_system);
}

}  // namespace
}  // namespace tutti::interpose
