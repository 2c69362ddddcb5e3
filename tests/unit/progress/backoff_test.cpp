// Pastime of a rank that waits.

#include "progress/backoff.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "progress/crowding.hpp"

namespace tutti::runtime {
namespace {

/// Notes how long it was to nap, and stands still between naps unless it is turned.
class NotedNaps final : public Clock {
 public:
  Instant now() override { return now_ += step; }
  void nap(Duration time) override {
    naps.push_back(std::chrono::duration_cast<Backoff::Duration>(time));
    now_ += time;
  }

  std::vector<Backoff::Duration> naps;
  Duration step{0};  // from look to look

 private:
  Instant now_{std::chrono::hours(1)};
};

constexpr int many = 5000;

// A wait so long that the rank has come to nap.
void wait_long(Backoff& backoff, const NotedNaps& clock) {
  for (int k = 0; k < many; ++k) backoff.pause();
  ASSERT_FALSE(clock.naps.empty());
}

TEST(Backoff, NapsLongerTheLongerItWaits) {
  NotedNaps clock;
  CoreContention contention(false);
  Backoff backoff(contention, clock, false);
  ASSERT_NO_FATAL_FAILURE(wait_long(backoff, clock));
  EXPECT_GT(clock.naps.back(), 10 * clock.naps.front());
}

TEST(Backoff, SleepsAfterTheYieldsThatItIsAllowed) {
  constexpr int few = 70;
  NotedNaps clock;
  CoreContention contention(true);
  Backoff backoff(contention, clock, true, few);
  for (int wait = 0; wait < 2; ++wait) {
    for (int k = 0; k < few; ++k) {
      ASSERT_FALSE(backoff.sleeps()) << k;
      backoff.pause();
    }
    EXPECT_TRUE(backoff.sleeps());
    backoff.reset();
  }
  EXPECT_TRUE(clock.naps.empty());
}

// Ranks that are many on a core yield so much less often that their yields do not take it from those who start.
TEST(Crowding, AllowsFewerYieldsTheMoreRanksShareACore) {
  for (const int ranks : {1, 2, 4, 16, 64}) EXPECT_EQ(yields_before_sleep({2, ranks}), Backoff::most_yields) << ranks;
  for (const int ranks : {128, 256, 512, 1024, 4096}) {
    EXPECT_LE(yields_before_sleep({2, ranks}) * (ranks / 2), std::max(32 * Backoff::most_yields, 64 * (ranks / 2)));
    EXPECT_GE(yields_before_sleep({2, ranks}), 64) << ranks;
  }
  EXPECT_EQ(yields_before_sleep({1024, 4096}), Backoff::most_yields);
}

// Bytes that an MPI has given to the system are sent while a long nap lasts, and then nothing is.
TEST(Backoff, NapsNoLongerThanAtFirstWhileBytesAreOnTheirWay) {
  NotedNaps clock;
  CoreContention contention(true);
  Backoff backoff(contention, clock, true);
  for (int k = 0; k < many; ++k) backoff.pause_briefly();
  ASSERT_FALSE(clock.naps.empty());
  for (const Backoff::Duration nap : clock.naps) EXPECT_EQ(nap, clock.naps.front());
  EXPECT_FALSE(backoff.sleeps());
}

TEST(Backoff, OnlyYieldsWhileBytesAreOnTheirWayAndCoresSuffice) {
  NotedNaps clock;
  CoreContention contention(false);
  Backoff backoff(contention, clock, false);
  int thoughts = 0;
  for (int k = 0; k < many; ++k) {
    backoff.pause_briefly();
    if (backoff.is_thoughtful()) ++thoughts;
  }
  EXPECT_TRUE(clock.naps.empty());
  EXPECT_GT(thoughts, many / 100) << "a rank that is gone is found all the same";
}

// Returns how often a rank lets others run before it may sleep.
int yields_before_sleep(CoreContention& contention, NotedNaps& clock, bool outnumbered) {
  contention.begin_wait(clock.now());
  Backoff backoff(contention, clock, outnumbered);
  int yields = 0;
  for (; !backoff.naps(); ++yields) backoff.pause();
  return yields;
}

/// The wait that finds contention by a yield that lasts for a tick, and the next one, which sleeps without a nap.
void find_contention(CoreContention& contention, NotedNaps& clock, bool outnumbered) {
  const int usual = yields_before_sleep(contention, clock, outnumbered);
  EXPECT_EQ(yields_before_sleep(contention, clock, outnumbered), usual);
  clock.step = std::chrono::milliseconds(4);
  EXPECT_LT(yields_before_sleep(contention, clock, outnumbered), usual / 10);
  clock.step = Clock::Duration(0);
  EXPECT_LT(yields_before_sleep(contention, clock, outnumbered), usual / 10);
  Backoff backoff(contention, clock, outnumbered);
  while (!backoff.naps()) backoff.pause();
  EXPECT_TRUE(backoff.sleeps());
  EXPECT_TRUE(clock.naps.empty());
}

TEST(Backoff, SleepsSoonWhereRanksOutnumberCoresAndYieldsLastForATimeSlice) {
  NotedNaps clock;
  CoreContention contention(true);
  const int usual = yields_before_sleep(contention, clock, true);
  ASSERT_NO_FATAL_FAILURE(find_contention(contention, clock, true));
  int waits = 0;
  while (yields_before_sleep(contention, clock, true) < usual) {
    ASSERT_LT(++waits, many) << "contention is not expected for ever";
  }
  EXPECT_GT(waits, 10) << "a short yield alone says little";
}

// Each yield would give the core away for a tick.
TEST(Backoff, SleepsWithoutAYieldWhereCoresSufficeAndOthersHaveThem) {
  NotedNaps clock;
  CoreContention contention(false);
  const int usual = yields_before_sleep(contention, clock, false);
  ASSERT_NO_FATAL_FAILURE(find_contention(contention, clock, false));
  for (int k = 0; k < many; ++k) ASSERT_EQ(yields_before_sleep(contention, clock, false), 0);
  clock.nap(std::chrono::seconds(1));
  EXPECT_EQ(yields_before_sleep(contention, clock, false), usual) << "contention is not expected for ever";
}

// A rank that may not sleep for long sleeps instead of a nap only while somebody is likely to wake it.
TEST(Backoff, SleepsLightlyAtFirstWhileOthersHaveTheCore) {
  NotedNaps clock;
  CoreContention contention(false);
  Backoff quiet(contention, clock, false);
  ASSERT_NO_FATAL_FAILURE(wait_long(quiet, clock));
  EXPECT_TRUE(quiet.sleeps());
  EXPECT_FALSE(quiet.sleeps_lightly());
  contention.look(clock.now(), 1);
  contention.begin_wait(clock.now());
  Backoff backoff(contention, clock, false);
  int sleeps = 0;
  for (; backoff.sleeps_lightly(); ++sleeps) {
    ASSERT_LT(sleeps, many);
    backoff.note_slept();
  }
  EXPECT_GT(sleeps, 10);
  backoff.reset();
  EXPECT_TRUE(backoff.sleeps_lightly()) << "another wait";
}

TEST(Backoff, TakesNoNapsForContention) {
  NotedNaps clock;
  CoreContention contention(false);
  Backoff backoff(contention, clock, false);
  ASSERT_NO_FATAL_FAILURE(wait_long(backoff, clock));
  backoff.pause_briefly();
  EXPECT_FALSE(contention.is_expected());
}

TEST(CoreContention, IsExpectedAfterAYieldOfMilliseconds) {
  for (const bool outnumbered : {false, true}) {
    NotedNaps clock;
    CoreContention contention(outnumbered);
    EXPECT_FALSE(contention.is_expected());
    EXPECT_FALSE(contention.note_yield(clock.now(), std::chrono::milliseconds(1)))
        << "many ranks of one core may take as long";
    EXPECT_FALSE(contention.is_expected());
    EXPECT_TRUE(contention.note_yield(clock.now(), std::chrono::milliseconds(4)));
    EXPECT_TRUE(contention.is_expected());
  }
}

TEST(CoreContention, IsNotToldByYieldsThatAreIgnored) {
  NotedNaps clock;
  CoreContention contention(true, true);
  EXPECT_FALSE(contention.note_yield(clock.now(), std::chrono::milliseconds(40)));
  EXPECT_FALSE(contention.is_expected());
}

TEST(Crowding, KeepsLooksAtAllRanksToASmallShareOfTheCores) {
  constexpr double seconds_for_each = 200e-9;
  for (const int cores : {1, 2, 3, 16, 128}) {
    for (const int ranks : {1, 2, 3, 16, 17, 64, 1000, 4096}) {
      const std::chrono::duration<double> between = time_between_rounds({cores, ranks});
      if (ranks <= cores) {
        EXPECT_EQ(between.count(), 0) << "a rank with a core of its own may look at any time";
        continue;
      }
      const double share = ranks * (ranks * seconds_for_each) / between.count() / cores;
      const bool is_longest = between == std::chrono::seconds(5);
      EXPECT_EQ(is_longest, ranks == 4096 && cores <= 3) << ranks << " ranks on " << cores << " cores";
      if (!is_longest) {
        EXPECT_NEAR(share, 1.0 / 16, 1e-3) << ranks << " ranks on " << cores << " cores";
      }
      EXPECT_LT(between.count(), ranks <= 64 ? 20e-3 : 6.0) << ranks << " ranks on " << cores << " cores";
    }
  }
}

TEST(Crowding, HasManyRanksYieldBesideOthers) {
  EXPECT_FALSE(is_better_to_yield({2, 2}, true));
  EXPECT_FALSE(is_better_to_yield({2, 7}, true));
  EXPECT_TRUE(is_better_to_yield({2, 8}, true));
  EXPECT_FALSE(is_better_to_yield({2, 64}, false));
  EXPECT_TRUE(is_better_to_yield({2, 1024}, false));
}

/// Returns how many short yields end the expectation.
int short_yields(CoreContention& contention, NotedNaps& clock) {
  int yields = 0;
  for (; contention.is_expected() && yields < many; ++yields) {
    contention.note_yield(clock.now(), std::chrono::microseconds(1));
  }
  return yields;
}

TEST(CoreContention, IsOverAfterShortYieldsInARowWhereRanksOutnumberCores) {
  NotedNaps clock;
  CoreContention contention(true);
  contention.note_yield(clock.now(), std::chrono::milliseconds(4));
  const int enough = short_yields(contention, clock);
  EXPECT_LT(enough, many);
  contention.note_yield(clock.now(), std::chrono::milliseconds(4));
  for (int k = 1; k < enough; ++k) contention.note_yield(clock.now(), std::chrono::microseconds(1));
  contention.note_yield(clock.now(), std::chrono::milliseconds(4));
  EXPECT_EQ(short_yields(contention, clock), enough);
}

// Contention is expected all the time of a thread that loses its core again and again, and no more after a while of
// one that has it for itself; the system is asked seldom.
TEST(CoreContention, FollowsHowOftenTheCoreIsTaken) {
  constexpr std::chrono::microseconds wait(100);
  constexpr std::chrono::milliseconds tick(4);
  NotedNaps clock;
  CoreContention contention(false);
  std::int64_t taken = 0;
  int looks = 0;
  const auto is_expected_after = [&](int waits, bool is_taken) {
    for (int k = 0; k < waits; ++k) {
      clock.nap(wait);
      if (is_taken && k % (tick / wait) == 0) ++taken;
      const Clock::Instant now = clock.now();
      if (contention.wants_look(now)) contention.look(now, taken), ++looks;
      contention.begin_wait(now);
      if (is_taken && k > tick / wait) {
        EXPECT_TRUE(contention.is_expected()) << k;
      }
    }
    return contention.is_expected();
  };
  EXPECT_FALSE(is_expected_after(many, false));
  EXPECT_TRUE(is_expected_after(many, true));
  EXPECT_FALSE(is_expected_after(many, false));
  EXPECT_LT(looks, 3 * many / 5);
  EXPECT_FALSE(CoreContention(true).wants_look(clock.now())) << "ranks take the core from one another";
}

// A thread that has to share its core with one that never rests loses it.
TEST(CoreContention, CountsTheTimesThatTheCoreIsTaken) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  ASSERT_EQ(sched_setaffinity(0, sizeof(here), &here), 0);
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends.load(std::memory_order_relaxed)) continue;
  });
  const std::int64_t taken = involuntary_switches();
  while (involuntary_switches() == taken) continue;
  ends.store(true, std::memory_order_relaxed);
  other.join();
  sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace tutti::runtime
