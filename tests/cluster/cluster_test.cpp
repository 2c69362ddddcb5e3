/// @file
/// Four hosts of namespaces: they have nothing in common but a network with limits, and ranks share memory within a
/// host alone. Skipped where the system does not permit such namespaces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int refused = 77;

/// Returns the output of the script, bash's, beside four hosts with links of 200 Mbit/s.
Ran beside_hosts(const std::string& script) {
  setenv("TUTTI_MPI_LIBRARY", TUTTI_OPENMPI_PLUGIN, 1);
  Ran ran = run_command(TUTTI_CLUSTER, {"--rate", "200mbit", "bash", "-c", script});
  unsetenv("TUTTI_MPI_LIBRARY");
  return ran;
}

std::set<std::string> network_devices() {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/net", none))
    names.insert(entry.path().filename());
  return names;
}

#define SKIP_WHERE_REFUSED(ran) \
  if ((ran).status == refused) GTEST_SKIP() << (ran).err

TEST(Cluster, HostsHaveNothingInCommonButTheNetwork) {
  const std::string here = "nsenter --net --mount --ipc --uts --pid --target $(cat $CLUSTER_FOLDER/";
  const Ran ran =
      beside_hosts("for host in host0 host1; do " + here + "$host) sh -c '" +
                   "echo $(hostname): $(ls /dev/shm) $(ipcs -m | grep -c ^0x) $(ls -d /proc/[0-9]* | head -n 3); " +
                   "touch /dev/shm/mark; ipcmk -M 64 >/dev/null; ip -brief address show scope global'; " + here +
                   "$host) tc qdisc show dev eth0; done; ls /dev/shm/mark");
  SKIP_WHERE_REFUSED(ran);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("host0: 0 /proc/1"), HasSubstr("host1: 0 /proc/1"), HasSubstr("10.77.0.1/24"),
                             HasSubstr("10.77.0.2/24"), HasSubstr("rate 200Mbit")));
  EXPECT_THAT(ran.err, HasSubstr("'/dev/shm/mark': No such file"));
}

TEST(Cluster, LeavesNothing) {
  const auto devices = network_devices();
  const Ran ran = beside_hosts("echo $CLUSTER_FOLDER; exit 3");
  SKIP_WHERE_REFUSED(ran);
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(network_devices(), devices);
  EXPECT_NE(access(ran.out.substr(0, ran.out.find('\n')).c_str(), F_OK), 0);
}

TEST(Cluster, RanksShareMemoryWithinAHost) {
  const Ran ran = beside_hosts("$CLUSTER_MPIRUN -x TUTTI_MPI_LIBRARY --map-by ppr:2:node " TUTTI_SCALE_RANKS);
  SKIP_WHERE_REFUSED(ran);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("file /memfd:tutti (deleted)\n"));
}

// A program of MPI that knows nothing of tutti, with the library that is preloaded, and with ranks of one host that
// have it not.
TEST(Cluster, UnchangedProgramsAreServed) {
  const std::string with = "env LD_PRELOAD=" TUTTI_PRELOADED " TUTTI_MPI_CHECK=1 TUTTI_MPI_REPORT=1 ";
  const std::string program = TUTTI_CONFORMING " 7 4";
  const Ran all = beside_hosts("$CLUSTER_MPIRUN --map-by ppr:2:node " + with + program);
  SKIP_WHERE_REFUSED(all);
  EXPECT_THAT(all.out, HasSubstr("as expected")) << all.err;
  EXPECT_THAT(all.err, HasSubstr("tutti: "));
  EXPECT_THAT(all.err, Not(HasSubstr("this library")));
  const Ran some = beside_hosts("$CLUSTER_MPIRUN --map-by ppr:2:node -n 6 " + with + program + " : -n 2 " + program);
  EXPECT_THAT(some.out, HasSubstr("as expected")) << some.err;
  EXPECT_THAT(some.err, HasSubstr("without this library"));
}

// Rank 0, which is on another host, can write both files.
TEST(Cluster, TheFirstRankOfAHostSaysWhatCannotBeWrittenThere) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("written_" + std::to_string(getpid()));
  const std::string name = "$([ $TUTTI_NODE = host1 ] && echo /no/such/folder/file || echo " + file.string() + ")";
  const std::string with = "env LD_PRELOAD=" TUTTI_PRELOADED " TUTTI_TRACE=" + name + ".json TUTTI_MPI_REPORT=" + name;
  const Ran ran =
      beside_hosts("$CLUSTER_MPIRUN --map-by ppr:2:node sh -c 'exec " + with + " " TUTTI_CONFORMING " 7 4'");
  std::filesystem::remove(file);
  std::filesystem::remove(file.string() + ".json");
  SKIP_WHERE_REFUSED(ran);
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  for (const std::string sentence : {"tutti: no trace of the ranks on host1 is written: TUTTI_TRACE=/no/such/folder/",
                                     "tutti: TUTTI_MPI_REPORT=/no/such/folder/file cannot be written on host1 (No "}) {
    EXPECT_THAT(ran.err, HasSubstr(sentence));
    EXPECT_EQ(ran.err.find(sentence), ran.err.rfind(sentence)) << ran.err;
  }
}

TEST(Cluster, LoneRanksSendMessages) {
  const Ran ran = beside_hosts("$CLUSTER_MPIRUN -x TUTTI_MPI_LIBRARY --map-by ppr:1:node " TUTTI_SCALE_RANKS);
  SKIP_WHERE_REFUSED(ran);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("split "), Not(HasSubstr("memfd:tutti"))));
}

TEST(Cluster, SaysInALineWhatIsMissing) {
  const Ran wrong = run_command(TUTTI_CLUSTER, {"--speed", "1"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "cluster: --speed is not known: --hosts N, --rate RATE\n");
  const Ran empty = run_command(TUTTI_CLUSTER, {});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, StartsWith("cluster: no command to run"));
  if (geteuid() != 0) GTEST_SKIP() << "this is no root";
  const Ran ran = run_command("/usr/bin/env", {"setpriv", "--reuid", "65534", "--clear-groups", TUTTI_CLUSTER, "true"});
  EXPECT_EQ(ran.status, refused);
  EXPECT_EQ(ran.err, "cluster: needs root, for namespaces with networks\n");
}

}  // namespace
}  // namespace tutti::test
