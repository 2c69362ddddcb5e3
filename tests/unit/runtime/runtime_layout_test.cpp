/// @file
/// Layout of the ranks, as the runtime finds it: alike on all ranks of a run, and of the communicators made of it.

#include <gtest/gtest.h>
#include <sched.h>

#include <functional>
#include <memory>
#include <vector>

#include "runtime/communicator_context.hpp"
#include "support/ranks.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::testing {
namespace {

/// A communicator from within.
struct Opened : Communicator {
  static const Layout& layout_of_world(const Communicator& communicator) {
    const std::shared_ptr<runtime::CommunicatorContext>& (Endpoint::*const context)() const = &Opened::context;
    return std::invoke(context, communicator)->engine().world().layout();
  }
};

std::vector<int> numbers_of(const Layout& layout) {
  std::vector<int> numbers;
  for (int rank = 0; rank < layout.size(); ++rank) {
    const Location location = layout.location(rank);
    numbers.insert(numbers.end(), {location.node, location.domain, location.core});
  }
  return numbers;
}

TEST(RuntimeLayout, IsAlikeOnAllRanks) {
  for (const int ranks : possible({1, 2, 3, 5, 8})) {
    on_ranks(ranks, [](Communicator& comm) {
      const Layout& layout = Opened::layout_of_world(comm);
      const std::vector<int> mine = numbers_of(layout);
      ASSERT_GE(layout.size(), comm.size()) << "the world may have more ranks than the test";
      std::vector<int> all(mine.size() * static_cast<std::size_t>(comm.size()));
      comm.all_gather(std::span<const int>(mine), std::span<int>(all));
      for (std::size_t at = 0; at < all.size(); ++at)
        ASSERT_EQ(all[at], mine[at % mine.size()]) << "of rank " << at / mine.size();
    });
  }
}

TEST(RuntimeLayout, HasRanksOfOneMachineOnOneNode) {
  TUTTI_ONLY_ON("ranks of MPI may be on several hosts", Engine::threads, Engine::processes);
  on_ranks(3, [](Communicator& comm) {
    EXPECT_EQ(Opened::layout_of_world(comm).nodes(), 1);
    EXPECT_EQ(Opened::layout_of_world(comm).size(), 3);
  });
}

// Ranks that may run on one core alone are on it.
TEST(RuntimeLayout, NamesTheCoreOfRanksThatAreBoundToOne) {
  TUTTI_ONLY_ON("ranks of MPI are bound by its launcher", Engine::threads, Engine::processes);
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  int core = 0;
  while (!CPU_ISSET(core, &allowed)) ++core;
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  on_ranks(2, [core](Communicator& comm) {
    for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(Opened::layout_of_world(comm).location(rank).core, core);
  });
  ASSERT_EQ(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
  if (CPU_COUNT(&allowed) == 1) GTEST_SKIP() << "there is one core";
  on_ranks(2, [](Communicator& comm) {
    for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(Opened::layout_of_world(comm).location(rank).core, -1);
  });
}

}  // namespace
}  // namespace tutti::testing
