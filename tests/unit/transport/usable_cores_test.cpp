/// @file
/// Number of cores that ranks have, and what follows for many hosts.

#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <thread>
#include <vector>

#include "runtime/communicator_context.hpp"
#include "support/system_root.hpp"
#include "transport/location.hpp"

namespace tutti::runtime {
namespace {

using test::Root;

TEST(UsableCores, AreTheSetOfAllRanksWithinTheQuota) {
  UsableCores cores;
  EXPECT_EQ(cores.count(), 1);
  cores.allow(3);
  cores.allow(1023);
  UsableCores other;
  other.allow(3);
  other.allow(64);
  cores.add(other);
  EXPECT_EQ(cores.count(), 3);
  other.limit(2.9);
  EXPECT_EQ(other.count(), 2);
  cores.add(other);
  EXPECT_EQ(cores.count(), 2);
  cores.limit(0.3);
  EXPECT_EQ(cores.count(), 1);
}

TEST(UsableCores, OfThisProcessFollowItsAffinity) {
  // In a thread of its own, so that the test keeps its cores.
  std::thread([] {
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    EXPECT_LE(UsableCores::of_this_process().count(), CPU_COUNT(&allowed));
    cpu_set_t one;
    CPU_ZERO(&one);
    std::size_t core = 0;
    while (!CPU_ISSET(core, &allowed)) ++core;
    CPU_SET(core, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    const UsableCores cores = UsableCores::of_this_process();
    EXPECT_EQ(cores.count(), 1);
    EXPECT_EQ(cores.allowed()[core / 64], std::uint64_t{1} << core % 64);
  }).join();
}

TEST(Location, IsTheCoreAndTheDomainThatAllOfItsCoresAreOf) {
  const Root root;
  root.write("sys/devices/system/node/node0/cpulist", "0-3,8\n");
  root.write("sys/devices/system/node/node2/cpulist", "4-7,9-11\n");
  root.write("sys/devices/system/node/node3/cpulist", "\n");        // memory without cores
  root.write("sys/devices/system/node/node4/cpulist", "twelve\n");  // no list
  root.write("sys/devices/system/node/possible", "0-4\n");
  const auto location = [&](const std::vector<std::size_t>& allowed) {
    UsableCores cores;
    for (const std::size_t core : allowed) cores.allow(core);
    return location_of(cores, root.path());
  };
  EXPECT_EQ(location({8}), (Location{.domain = 0, .core = 8}));
  EXPECT_EQ(location({9}), (Location{.domain = 2, .core = 9}));
  EXPECT_EQ(location({1, 2, 8}), (Location{.domain = 0}));
  EXPECT_EQ(location({4, 5, 6, 7, 9, 10, 11}), (Location{.domain = 2}));
  EXPECT_EQ(location({3, 4}), Location{}) << "two domains";
  EXPECT_EQ(location({12}), (Location{.core = 12})) << "of no domain";
  EXPECT_EQ(location({}), Location{});
  UsableCores one;
  one.allow(8);
  EXPECT_EQ(location_of(one, root.path() / "nowhere"), (Location{.core = 8}));
}

TEST(HostShare, OutnumberedIsAHostAndNotTheRun) {
  const HostShare full{.cores = 32, .ranks = 32};  // two such hosts have 64 ranks
  EXPECT_FALSE(full.is_outnumbered());
  EXPECT_TRUE((HostShare{.cores = 32, .ranks = 33}.is_outnumbered()));
  EXPECT_EQ(cores_of(64, full), 64);
  EXPECT_EQ(cores_of(32, full), 32);
  EXPECT_EQ(cores_of(2, full), 32);
}

TEST(HostShare, TheMostCrowdedHasTheFewestCoresARank) {
  const HostShare small{.cores = 4, .ranks = 16};
  const HostShare large{.cores = 32, .ranks = 48};
  EXPECT_TRUE(small.is_more_crowded_than(large));
  EXPECT_FALSE(large.is_more_crowded_than(small));
  EXPECT_FALSE(small.is_more_crowded_than(small));
  EXPECT_EQ(cores_of(64, small), 16);
  EXPECT_EQ(cores_of(17, small), 4);
  EXPECT_EQ(cores_of(5, small), 4);
}

}  // namespace
}  // namespace tutti::runtime
