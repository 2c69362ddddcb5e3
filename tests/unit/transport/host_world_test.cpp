/// @file
/// Ranks of MPI on one machine share memory, all or none. The MPI here is memory that the test's processes have in
/// common.

#include "transport/mpi/host_world.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/refuse_call.hpp"
#include "transport/shared/shared_world.hpp"
#include "transport/threads/threads_world.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

constexpr int ranks = 3;

/// Memory in which the ranks gather their bytes.
struct Common {
  pthread_barrier_t barrier;
  std::array<std::array<std::byte, 64>, ranks> told;
};

Common* common = nullptr;
std::size_t own_rank = 0;

void all_gather(const void* mine, std::size_t bytes, void* all) {
  ASSERT_LE(bytes, common->told[0].size());
  pthread_barrier_wait(&common->barrier);  // all have read what was told before
  std::memcpy(common->told[own_rank].data(), mine, bytes);
  pthread_barrier_wait(&common->barrier);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    std::memcpy(static_cast<std::byte*>(all) + rank * bytes, common->told[rank].data(), bytes);
}

/// World that the plugin would have made for ranks on these nodes.
struct World3 {
  explicit World3(const std::array<int, ranks>& nodes) {
    std::vector<Location> locations(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) locations[rank].node = nodes[rank];
    auto memory = std::make_unique<ThreadsMemory>(records);
    const ControlSegment whole(memory->allocate(ControlSegment::bytes(ranks)), ranks);
    world.emplace(records, whole, std::move(memory), Transport::mpi, 1, Layout(std::move(locations)),
                  SharedWorld::Waking::by_clock);
  }
  std::vector<RankRecord> records = std::vector<RankRecord>(ranks);
  std::optional<SharedWorld> world;
};

/// Nodes of the three ranks; by default together.
std::array<int, ranks> nodes = {};

/// Returns whether the world is of several hosts: memory is that of the host, all else MPI's.
bool is_of_hosts(World& hosts, World& mpi, int rank) {
  std::byte* const memory = hosts.allocate(64);
  hosts.free(memory);
  const bool is_right =
      hosts.size() == ranks && hosts.transport() == Transport::mpi && hosts.transport_inside() == Transport::processes;
  if (rank == 1) hosts.fail(1, "a reason");
  pthread_barrier_wait(&common->barrier);
  hosts.watch();
  // Ranks of the same host find it in their segment, and tell MPI.
  const bool knows = nodes[static_cast<std::size_t>(rank)] == nodes[1];
  return memory != nullptr && is_right && mpi.losses() == (knows ? 1U : 0U) && hosts.losses() == mpi.losses();
}

/// Returns a rank's outcome: a letter each.
char outcome_of(int rank, const std::function<bool(int)>& prepare) {
  alarm(60);  // one that is lost would have the others wait for ever
  own_rank = static_cast<std::size_t>(rank);
  World3 three(nodes);
  World* const mpi = &*three.world;
  const Plugin plugin{"", "", nullptr, all_gather};
  const bool may_share = prepare(rank);
  const std::shared_ptr<World> host = world_of_host(plugin, {mpi, rank}, may_share);
  if (host == nullptr) return 'm';
  if (mpi->layout().nodes() > 1) return is_of_hosts(*host, *mpi, rank) ? 'h' : '?';
  const bool is_right =
      host->size() == ranks && host->transport() == Transport::processes && host->record(rank).has_joined();
  if (rank == 1) host->fail(1, "a reason");
  pthread_barrier_wait(&common->barrier);
  const bool is_told = host->losses() == 1 && mpi->losses() == (rank == 1 ? 1U : 0U);
  return is_right && is_told ? 's' : '?';
}

/// The outcomes of all ranks, each a process of its own that has prepared itself: s where it shares memory, m where it
/// sends messages.
std::string outcomes(const std::function<bool(int)>& prepare) {
  void* const memory = mmap(nullptr, sizeof(Common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  common = static_cast<Common*>(memory);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&common->barrier, &attributes, ranks);
  std::array<pid_t, ranks> children{};
  for (int rank = 0; rank < ranks; ++rank) {
    children[static_cast<std::size_t>(rank)] = fork();
    if (children[static_cast<std::size_t>(rank)] == 0) _exit(outcome_of(rank, prepare));
  }
  std::string all;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    all += WIFEXITED(status) ? static_cast<char>(WEXITSTATUS(status)) : '!';
  }
  munmap(memory, sizeof(Common));
  return all;
}

TEST(HostWorld, SharesMemoryWhereAllRanksCan) {
  EXPECT_EQ(outcomes([](int) { return true; }), "sss");
}

TEST(HostWorld, SharesNoneWhereOneRankMayNot) {
  for (int other = 0; other < ranks; ++other) EXPECT_EQ(outcomes([&](int rank) { return rank != other; }), "mmm");
}

// The rank says that it may not share if the system does not permit to have a call refused.
TEST(HostWorld, SharesNoneWhereTheFirstRankCannotMakeIt) {
  EXPECT_EQ(outcomes([](int rank) { return rank != 0 || test::refuse_call({SYS_memfd_create, ENOSYS}); }), "mmm");
}

TEST(HostWorld, SharesNoneWhereOneRankCannotOpenIt) {
  EXPECT_EQ(outcomes([](int rank) { return rank != 2 || test::refuse_call({SYS_openat, EACCES}); }), "mmm");
}

TEST(HostWorld, OfSeveralNodesSharesOnEach) {
  for (const std::array<int, ranks>& some : {std::array{0, 1, 1}, std::array{0, 1, 0}, std::array{0, 0, 1}}) {
    nodes = some;
    EXPECT_EQ(outcomes([](int) { return true; }), "hhh");
  }
  nodes = {};
}

// Each on a node of its own has nobody to share with, and where one cannot nobody does: on its node or another.
TEST(HostWorld, OfSeveralNodesSharesOnAllOrNone) {
  nodes = {0, 1, 2};
  EXPECT_EQ(outcomes([](int) { return true; }), "mmm");
  nodes = {0, 1, 1};
  for (int other = 0; other < ranks; ++other) EXPECT_EQ(outcomes([&](int rank) { return rank != other; }), "mmm");
  EXPECT_EQ(outcomes([](int rank) { return rank != 1 || test::refuse_call({SYS_memfd_create, ENOSYS}); }), "mmm");
  EXPECT_EQ(outcomes([](int rank) { return rank != 2 || test::refuse_call({SYS_openat, EACCES}); }), "mmm");
  nodes = {};
}

TEST(HostWorld, KnowsTwoSettings) {
  unsetenv("TUTTI_SHARED_MEMORY");
  EXPECT_TRUE(may_share_memory());
  setenv("TUTTI_SHARED_MEMORY", "0", 1);
  EXPECT_FALSE(may_share_memory());
  setenv("TUTTI_SHARED_MEMORY", "1", 1);
  EXPECT_TRUE(may_share_memory());
  setenv("TUTTI_SHARED_MEMORY", "", 1);
  EXPECT_THROW(static_cast<void>(may_share_memory()), Error);
  unsetenv("TUTTI_SHARED_MEMORY");
}

}  // namespace
}  // namespace tutti::runtime
