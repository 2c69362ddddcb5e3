/// @file
/// Ranks that leave a crowded core.

#include "progress/placement.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <random>
#include <vector>

#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

TEST(Placement, TheLaterRankLeavesForAnEmptyCore) {
  const std::vector<int> cores{1, 1};
  const std::vector<int> allowed{0, 1};
  EXPECT_EQ(less_crowded_core(cores, 1, allowed), 0);
  EXPECT_EQ(less_crowded_core(cores, 0, allowed), std::nullopt) << "one of them stays";
}

TEST(Placement, NobodyLeavesWhereNothingIsToBeGained) {
  const std::vector<int> allowed{0, 1};
  EXPECT_EQ(less_crowded_core(std::vector<int>{0, 1}, 1, allowed), std::nullopt);
  EXPECT_EQ(less_crowded_core(std::vector<int>{0, 1, 0}, 2, allowed), std::nullopt) << "three on two cores";
  EXPECT_EQ(less_crowded_core(std::vector<int>{0, 0}, 1, std::vector<int>{0}), std::nullopt) << "bound to one core";
  EXPECT_EQ(less_crowded_core(std::vector<int>{0, 0}, 1, {}), std::nullopt);
  EXPECT_EQ(less_crowded_core(std::vector<int>{-1, -1}, 1, allowed), std::nullopt) << "cores that are not known";
}

// Whoever moves in whatever order, no two cores end up with numbers of ranks that differ by more than one.
TEST(Placement, RanksSpreadEvenly) {
  constexpr unsigned seed = 17;
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 8);
    std::vector<int> allowed;
    for (int core = 0; core < n; ++core) allowed.push_back(3 * core);
    std::vector<int> cores(1 + random() % 20);
    for (int& core : cores) core = allowed[random() % allowed.size()];
    for (int moves = 0; moves < 1000; ++moves) {
      const auto rank = static_cast<int>(random() % cores.size());
      if (const auto better = less_crowded_core(cores, rank, allowed)) cores[static_cast<std::size_t>(rank)] = *better;
    }
    std::vector<std::ptrdiff_t> ranks_on;
    for (const int core : allowed) ranks_on.push_back(std::count(cores.begin(), cores.end(), core));
    const auto [least, most] = std::minmax_element(ranks_on.begin(), ranks_on.end());
    EXPECT_LE(*most - *least, 1) << "seed " << seed << ", trial " << trial;
  }
}

cpu_set_t allowed_here() {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  return allowed;
}

TEST(Placement, MovesTheThreadAndLeavesItFree) {
  const cpu_set_t before = allowed_here();
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "there is one core";
  const std::shared_ptr<World> world = threads_world(2);
  bool moved = false;
  // The system may move the thread between one line and the next.
  for (int attempt = 0; attempt < 100 && !moved; ++attempt) {
    const int core = sched_getcpu();
    world->record(0).set_core(core);
    Placement(false).consider(*world, 1);
    moved = sched_getcpu() != core && world->record(1).core() != core;
  }
  EXPECT_TRUE(moved);
  const cpu_set_t after = allowed_here();
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

/// Two ranks as the second of them sees them: `core` says where the first one is, by where the second is.
bool seen_to_share(int (*core)(int own)) {
  const std::shared_ptr<World> world = threads_world(2);
  Placement placement(false);
  placement.consider(*world, 0);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int own = sched_getcpu();
    world->record(1).set_core(core(own));
    placement.consider(*world, 0);
    if (sched_getcpu() == own) return placement.shares_core();  // else the system has moved the thread
  }
  ADD_FAILURE() << "the system moves the thread all the time";
  return false;
}

TEST(Placement, ARankKnowsWhetherAnotherOneIsOnItsCore) {
  EXPECT_TRUE(seen_to_share([](int own) { return own; }));
  EXPECT_FALSE(seen_to_share([](int own) { return own + 1; }));
  EXPECT_FALSE(seen_to_share([](int) { return -1; })) << "not known";
}

/// Returns the cores on which a thread may run that sleeps apart from a rank on core `other`.
cpu_set_t allowed_asleep(int other) {
  const std::shared_ptr<World> world = threads_world(2);
  world->record(1).set_core(other);
  const SleepApart apart(*world, 0);
  return allowed_here();
}

TEST(SleepApart, KeepsFromCoresOfOtherRanksUntilItEnds) {
  const cpu_set_t before = allowed_here();
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "there is one core";
  for (int other = 0; other < CPU_SETSIZE; ++other) {
    if (!CPU_ISSET(other, &before)) continue;
    cpu_set_t without = before;
    CPU_CLR(other, &without);
    const int core = sched_getcpu();
    const cpu_set_t asleep = allowed_asleep(other);
    if (core != sched_getcpu()) continue;  // the system has moved the thread, maybe from or to that core
    EXPECT_TRUE(CPU_EQUAL(&asleep, core == other ? &before : &without)) << other;
    const cpu_set_t after = allowed_here();
    EXPECT_TRUE(CPU_EQUAL(&before, &after)) << other;
  }
  const cpu_set_t alone = allowed_asleep(-1);
  EXPECT_TRUE(CPU_EQUAL(&alone, &before)) << "nobody is known to be anywhere";
}

TEST(SleepApart, LeavesAloneWhatSomebodyElseHasBoundMeanwhile) {
  const cpu_set_t before = allowed_here();
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "there is one core";
  cpu_set_t elsewhere = before;
  {
    const std::shared_ptr<World> world = threads_world(2);
    const int core = sched_getcpu();
    for (int other = 0; other < CPU_SETSIZE; ++other) {
      if (!CPU_ISSET(other, &before) || other == core) continue;
      world->record(1).set_core(other);
      CPU_ZERO(&elsewhere);
      CPU_SET(other, &elsewhere);
    }
    const SleepApart apart(*world, 0);
    ASSERT_EQ(sched_setaffinity(0, sizeof(elsewhere), &elsewhere), 0);
  }
  const cpu_set_t after = allowed_here();
  EXPECT_TRUE(CPU_EQUAL(&elsewhere, &after));
  sched_setaffinity(0, sizeof(before), &before);
}

TEST(Placement, NobodyMakesRoomForARankThatHasEnded) {
  const std::shared_ptr<World> world = threads_world(2);
  world->end(0);
  bool stayed = false;
  // The system may move the thread between one line and the next.
  for (int attempt = 0; attempt < 100 && !stayed; ++attempt) {
    const int core = sched_getcpu();
    world->record(0).set_core(core);
    Placement(false).consider(*world, 1);
    stayed = sched_getcpu() == core && world->record(1).core() == core;
  }
  EXPECT_TRUE(stayed);
}

/// Waits from look to look: a look writes down where the rank is.
int waits_between_looks(bool outnumbered) {
  constexpr int nowhere = -2;
  const std::shared_ptr<World> world = threads_world(2);
  Placement placement(outnumbered);
  placement.consider(*world, 1);
  world->record(1).set_core(nowhere);
  int waits = 0;
  while (world->record(1).core() == nowhere) {
    placement.consider(*world, 1);
    ++waits;
  }
  return waits;
}

TEST(Placement, LooksMoreSeldomWhereCoresAreSharedAllTheTime) {
  EXPECT_LT(waits_between_looks(false), waits_between_looks(true));
}

}  // namespace
}  // namespace tutti::runtime
