/// @file
/// Grants of control groups, by files like the system's.

#include "base/system/control_groups.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/system_root.hpp"

namespace tutti {
namespace {

using test::Root;

const std::string mounts_of_two =
    "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n31 23 0:28 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n";

TEST(CpuQuota, NoControlGroupsGrantEverything) {
  const Root root;
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("proc/self/mountinfo", mounts_of_two);
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("proc/self/cgroup", "0::/user\n");
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("sys/fs/cgroup/user/cpu.max", "max 100000\n");
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("proc/self/cgroup", "no such line\n::\n");
  EXPECT_FALSE(cpu_quota(root.path()));
}

TEST(CpuQuota, TheLeastOfAllGroupsAboveCounts) {
  const Root root;
  root.write("proc/self/mountinfo", mounts_of_two);
  root.write("proc/self/cgroup", "0::/user/session/job\n");
  root.write("sys/fs/cgroup/user/session/job/cpu.max", "max 100000\n");
  root.write("sys/fs/cgroup/user/session/cpu.max", "250000 100000\n");
  root.write("sys/fs/cgroup/user/cpu.max", "800000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 2.5);
  root.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 0.5);
  root.write("sys/fs/cgroup/user/other/cpu.max", "1000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 0.5);
}

TEST(CpuQuota, TheFirstVersionHasTwoFilesInTheTreeOfTheProcessor) {
  const Root root;
  root.write("proc/self/mountinfo",
             "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
             "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  root.write("proc/self/cgroup", "5:cpuset:/set\n4:cpu,cpuacct:/job\n0::/job\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(cpu_quota(root.path()), 3);
}

TEST(CpuQuota, AContainerSeesItsOwnGroupMounted) {
  const Root root;
  root.write("proc/self/mountinfo", "31 23 0:28 /docker/one /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  root.write("proc/self/cgroup", "0::/docker/one/inner\n");
  root.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 4);
  root.write("sys/fs/cgroup/inner/cpu.max", "100000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 1);
  root.write("proc/self/cgroup", "0::/docker/onemore\n");  // another group
  EXPECT_EQ(cpu_quota(root.path()), 4);
}

TEST(MemoryLimit, IsTheLeastOfAllGroupsAbove) {
  const Root root;
  EXPECT_FALSE(memory_limit(root.path()));
  root.write("proc/self/mountinfo", mounts_of_two);
  root.write("proc/self/cgroup", "0::/user/job\n");
  root.write("sys/fs/cgroup/user/job/memory.max", "max\n");
  EXPECT_FALSE(memory_limit(root.path()));
  root.write("sys/fs/cgroup/user/memory.max", "4294967296\n");
  EXPECT_EQ(memory_limit(root.path()), std::int64_t{1} << 32);
  root.write("sys/fs/cgroup/user/job/memory.max", "1073741824\n");
  EXPECT_EQ(memory_limit(root.path()), std::int64_t{1} << 30);
}

TEST(MemoryLimit, OfTheFirstVersionIsInATreeOfItsOwn) {
  const Root root;
  root.write("proc/self/mountinfo",
             "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
             "34 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  root.write("proc/self/cgroup", "5:memory:/set\n4:cpu:/job\n");
  root.write("sys/fs/cgroup/cpu/job/memory.limit_in_bytes", "1\n");
  EXPECT_FALSE(memory_limit(root.path()));
  root.write("sys/fs/cgroup/memory/set/memory.limit_in_bytes", "1048576\n");
  EXPECT_EQ(memory_limit(root.path()), 1 << 20);
}

TEST(MemoryLeft, IsTheLeastOfGroupsThatHaveALimit) {
  const Root root;
  EXPECT_FALSE(memory_left(root.path()));
  root.write("proc/self/mountinfo", mounts_of_two);
  root.write("proc/self/cgroup", "0::/user/job\n");
  root.write("sys/fs/cgroup/user/job/memory.max", "max\n");
  root.write("sys/fs/cgroup/user/job/memory.current", "500\n");
  EXPECT_FALSE(memory_left(root.path()));
  root.write("sys/fs/cgroup/user/memory.max", "4096\n");
  root.write("sys/fs/cgroup/user/memory.current", "1000\n");
  EXPECT_EQ(memory_left(root.path()), 3096);
  root.write("sys/fs/cgroup/user/memory.stat", "anon 300\ninactive_file 400\nactive_file 200\n");
  EXPECT_EQ(memory_left(root.path()), 3496);
  root.write("sys/fs/cgroup/user/job/memory.max", "400\n");
  EXPECT_EQ(memory_left(root.path()), 0);
}

}  // namespace
}  // namespace tutti
