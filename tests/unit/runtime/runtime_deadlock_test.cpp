/// @file
/// Ranks that wait for one another in a circle are told so at once, with all that they wait for; ranks that are only
/// slow are left alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using testing::Engine;
using ::testing::HasSubstr;
using testing::on_ranks;
using testing::Outcome;
using testing::outcomes_of;

/// A rank that waited for the clock would wait so long that ctest ends the test.
constexpr Duration never = std::chrono::hours(1);

std::string waits(int rank, const std::string& what) { return "rank " + std::to_string(rank) + " waits for " + what; }

void expect_all_told(const std::vector<Outcome>& outcomes, const std::vector<std::string>& parts) {
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout) << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr("for ever: "));
    for (const std::string& part : parts) EXPECT_THAT(outcome.message, HasSubstr(part));
  }
}

class RuntimeDeadlock : public ::testing::TestWithParam<int> {};

TEST_P(RuntimeDeadlock, OfARingThatSendsFirst) {
  const int p = GetParam();
  for (const int count : {1, 1'000'000}) {
    const auto outcomes = outcomes_of(
        p,
        [&](Communicator& comm) {
          std::vector<int> data(static_cast<std::size_t>(count), comm.rank());
          comm.send(data, (comm.rank() + 1) % comm.size());
          comm.receive(data, (comm.rank() + comm.size() - 1) % comm.size());
        },
        never);
    std::vector<std::string> parts;
    for (int rank = 0; rank < p; ++rank) {
      parts.push_back(
          waits(rank, "rank " + std::to_string((rank + 1) % p) + " to receive " + std::to_string(count) + " int32"));
    }
    expect_all_told(outcomes, parts);
  }
}

TEST_P(RuntimeDeadlock, OfARingThatReceivesFirst) {
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        comm.barrier();
        comm.receive<double>((comm.rank() + 1) % comm.size());
      },
      never);
  expect_all_told(outcomes, {waits(p - 1, "rank 0 to send 1 double")});
}

TEST_P(RuntimeDeadlock, OfARankThatSendsToItself) {
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        if (comm.rank() == 0) comm.send(1, 0);
        comm.barrier();
      },
      never);
  expect_all_told(outcomes, {waits(0, "rank 0 to receive 1 int32")});
}

TEST_P(RuntimeDeadlock, OfARankThatReceivesFromItself) {
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        if (comm.rank() == p - 1) comm.receive<int>(p - 1);
        comm.barrier();
      },
      never);
  const std::string last = "rank " + std::to_string(p - 1);
  expect_all_told(outcomes, {waits(p - 1, last + " to send 1 int32")});
}

// Whatever the algorithm, and for each rank that stays away from the collective.
TEST_P(RuntimeDeadlock, OfARankThatReceivesFromOneInACollective) {
  const int p = GetParam();
  for (const int away : {0, p - 1}) {
    const int other = (away + 1) % p;
    const auto outcomes = outcomes_of(
        p,
        [&](Communicator& comm) {
          if (comm.rank() == away) comm.receive<int>(other);
          std::vector<double> data(50'000, 1);
          comm.all_reduce(data, sum);
        },
        never);
    expect_all_told(outcomes,
                    {waits(away, "rank " + std::to_string(other) + " to send 1 int32"), "all_reduce (call 1)"});
  }
}

TEST_P(RuntimeDeadlock, IsSeenBesideCallsThatAreUnderWay) {
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        std::vector<int> mine(10, 1);
        std::vector<int> all(10);
        Handle done = comm.all_reduce_async(std::span<const int>(mine), std::span(all), sum);
        // Nobody enters this one but rank 0.
        std::vector<int> more(10, 1);
        Handle stays;
        if (comm.rank() == 0) stays = comm.broadcast_async(std::span(more), p - 1);
        comm.send(1, (comm.rank() + 1) % comm.size());
      },
      never);
  expect_all_told(outcomes, {waits(0, "rank 1 to receive 1 int32")});
}

// A rank with so much under way tells nothing of it but that it waits.
TEST_P(RuntimeDeadlock, OfRanksWithMoreUnderWayThanTheyTell) {
  TUTTI_ONLY_ON("MPI moves messages, too", Engine::threads, Engine::processes);
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        std::vector<int> values(100);
        std::vector<Handle> handles;
        for (int& value : values)
          handles.push_back(comm.receive_async(std::span(&value, 1), (comm.rank() + 1) % comm.size()));
        handles.front().wait();
      },
      never);
  expect_all_told(outcomes, {"all ranks wait, for ever: ", waits(p - 1, "rank 0 to send 1 int32")});
}

TEST_P(RuntimeDeadlock, IsSeenWhereAThreadMakesProgress) {
  TUTTI_ONLY_ON("an mpirun's ranks have joined before", Engine::threads, Engine::processes);
  const int p = GetParam();
  ASSERT_EQ(setenv("TUTTI_PROGRESS_THREAD", "1", 1), 0);
  const auto outcomes = outcomes_of(
      p, [&](Communicator& comm) { comm.send(1, (comm.rank() + 1) % comm.size()); }, never);
  ASSERT_EQ(unsetenv("TUTTI_PROGRESS_THREAD"), 0);
  expect_all_told(outcomes, {waits(0, "rank 1 to receive 1 int32")});
}

INSTANTIATE_TEST_SUITE_P(Ranks, RuntimeDeadlock, ::testing::ValuesIn(testing::possible({2, 3, 5})));

TEST(RuntimeDeadlockText, GoesThroughSeveralCommunicators) {
  TUTTI_ONLY_ON("a rank ends, which ends the whole program where ranks are those of an mpirun", Engine::threads,
                Engine::processes);
  const auto outcomes = outcomes_of(
      2,
      [](Communicator& comm) {
        Communicator other = comm.duplicate();
        comm.barrier();
        comm.rank() == 0 ? comm.barrier() : other.barrier();
      },
      never);
  bool told = false;
  for (const Outcome& outcome : outcomes) {
    ASSERT_TRUE(outcome.code);
    told = told || outcome.message.find("rank 1 waits for rank 0 to enter barrier (call 1 of communicator") !=
                       std::string::npos;
  }
  EXPECT_TRUE(told) << outcomes[0].message << "; " << outcomes[1].message;
}

TEST(RuntimeDeadlockText, IsNotWaitedForWhereARankHasReturned) {
  TUTTI_ONLY_ON("a rank ends, which ends the whole program where ranks are those of an mpirun", Engine::threads,
                Engine::processes);
  const auto outcomes = outcomes_of(
      3,
      [](Communicator& comm) {
        comm.barrier();
        if (comm.rank() == 0) comm.receive<int>(1);
      },
      never);
  EXPECT_EQ(outcomes[0].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[0].message, HasSubstr("rank 1 ended, but rank 0 waits for rank 1 to send 1 int32"));
}

TEST(RuntimeDeadlockText, LastsOnlyForTheRanksConcerned) {
  TUTTI_NEEDS_RANKS(4);
  const auto outcomes = outcomes_of(
      4,
      [](Communicator& comm) {
        Communicator half = comm.split(comm.rank() / 2).value();
        if (comm.rank() < 2) {
          EXPECT_THROW(half.send(1, 1 - half.rank()), Error);
        } else {
          for (int k = 0; k < 20; ++k) half.barrier();
        }
        EXPECT_EQ(comm.all_reduce(1, sum), 4);
      },
      never);
  for (const Outcome& outcome : outcomes) EXPECT_FALSE(outcome.code) << outcome.message;
}

// ---- No false alarm

class Pauses {
 public:
  Pauses(unsigned seed, int rank) : random_(seed + 1000U * static_cast<unsigned>(rank)) {}

  /// Mostly none; otherwise around the time after which others are told that a rank waits.
  void rest() {
    const unsigned drawn = static_cast<unsigned>(random_() % 8);
    if (drawn >= 3) return;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60 + random_() % 200);
    while (std::chrono::steady_clock::now() < end) {
      if (drawn > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // or it computes
    }
  }
  /// Waits, or tests until it is done.
  void complete(Handle& handle) {
    if (random_() % 3 != 0) return handle.wait();
    while (!handle.test()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  std::mt19937_64 random_;
};

/// All ranks draw the same calls, and pauses of their own.
void call_with_pauses(Communicator& comm, unsigned seed) {
  std::mt19937 common(seed);
  Pauses pauses(seed, comm.rank());
  const int p = comm.size();
  Communicator other = comm.duplicate();
  for (int round = 0; round < 10; ++round) {
    Communicator& here = common() % 2 == 0 ? comm : other;
    const auto count = std::vector<std::size_t>{1, 3000, 300'000}[common() % 3];
    const int distance = 1 + static_cast<int>(common() % static_cast<unsigned>(p));
    const int root = static_cast<int>(common() % static_cast<unsigned>(p));
    const unsigned what = common() % 4;
    std::vector<double> mine(count, here.rank() + 1);
    std::vector<double> theirs(count);
    pauses.rest();
    if (what == 0) {
      const int from = (here.rank() + p - distance % p) % p;
      Handle sends = here.send_async(std::span<const double>(mine), (here.rank() + distance) % p);
      pauses.rest();
      Handle receives = here.receive_async(std::span(theirs), from);
      pauses.complete(sends);
      pauses.complete(receives);
      EXPECT_EQ(theirs.back(), from + 1);
    } else if (what == 1) {
      Handle reduces = here.all_reduce_async(std::span<const double>(mine), std::span(theirs), sum);
      Handle meets = other.barrier_async();
      pauses.rest();
      pauses.complete(meets);
      pauses.complete(reduces);
      EXPECT_EQ(theirs.front(), p * (p + 1) / 2);
    } else if (what == 2) {
      here.broadcast(mine, root);
      EXPECT_EQ(mine.back(), root + 1);
    } else {
      // In a row: each rank waits for the one before it.
      if (here.rank() > 0) here.receive(theirs, here.rank() - 1);
      pauses.rest();
      if (here.rank() + 1 < p) here.send(mine, here.rank() + 1);
    }
  }
}

TEST(RuntimeDeadlockFalseAlarm, IsNoneWhereRanksAreSlow) {
  for (const int p : testing::possible({2, 5, 8})) {
    const unsigned seed = 77U + static_cast<unsigned>(p);
    SCOPED_TRACE(seed);
    on_ranks(p, [&](Communicator& comm) { call_with_pauses(comm, seed); });
  }
}

// The root has told that it waits for all when rank 1 comes, which soon waits for the root: for that of rank 2 alone.
TEST(RuntimeDeadlockFalseAlarm, IsNoneWhereRanksComeOneByOne) {
  on_ranks(3, [](Communicator& comm) {
    for (const char* algorithm : {"linear", "flat"}) {
      comm.barrier();
      std::this_thread::sleep_for(std::chrono::milliseconds(200 * comm.rank() * comm.rank()));
      int value = 1;
      comm.reduce(std::span(&value, 1), sum, 0, {.algorithm = algorithm});
      comm.barrier();
    }
  });
}

TEST(RuntimeDeadlockFalseAlarm, IsNoneBesideAProgressThread) {
  TUTTI_ONLY_ON("an mpirun's ranks have joined before", Engine::threads, Engine::processes);
  constexpr unsigned seed = 4711;
  SCOPED_TRACE(seed);
  ASSERT_EQ(setenv("TUTTI_PROGRESS_THREAD", "1", 1), 0);
  on_ranks(4, [&](Communicator& comm) { call_with_pauses(comm, seed); });
  ASSERT_EQ(unsetenv("TUTTI_PROGRESS_THREAD"), 0);
}

}  // namespace
}  // namespace tutti
