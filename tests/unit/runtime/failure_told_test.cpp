/// @file
/// Reports of a failure: to whom, and what may be freed after it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "unit/runtime/failing_ranks.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(RuntimeFailureText, PendingMessageLearnsOfTheFailure) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const auto outcomes = outcomes_of(
      2,
      [](Communicator& comm) {
        if (comm.rank() == 0) throw std::runtime_error("out of luck");
        comm.receive<int>(0);
      },
      never);
  EXPECT_EQ(outcomes[1].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[1].message, HasSubstr("rank 0 failed: out of luck"));
}

TEST(RuntimeFailureText, FailureReachesTheCommunicatorsMadeBySplit) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const auto outcomes = outcomes_of(
      4,
      [](Communicator& comm) {
        Communicator half = comm.split(comm.rank() % 2).value();
        if (comm.rank() == 3) throw Error(ErrorCode::unsupported, "will not");
        half.barrier();
        half.barrier();
      },
      never);
  EXPECT_FALSE(outcomes[0].code);
  EXPECT_EQ(outcomes[1].code, ErrorCode::peer_failed);
}

TEST(RuntimeFailureText, FailureInsideASplitCarriesBothRanks) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const auto outcomes = outcomes_of(
      4,
      [&](Communicator& comm) {
        Communicator half = comm.split(comm.rank() % 2).value();
        comm.barrier();  // all have their half
        if (comm.rank() == 3) throw std::runtime_error("gone");
        half.barrier();
      },
      never);
  // Rank 1 may still be in the first barrier, which rank 3 has left.
  EXPECT_THAT(outcomes[1].message, AllOf(HasSubstr("rank 3"), HasSubstr("failed: gone")));
}

/// Returns the errors of ranks 0, 4 and 6 of eight if rank 5 fails, of which rank 2 learns in the communicator of all:
/// the others learn of rank 2, which ends with what `exception_of` makes of its error's text, in a communicator of
/// which rank 5 is not, made by a split of a split.
std::vector<Outcome> told_of_a_failure_elsewhere(const std::function<std::string(std::string)>& exception_of) {
  const auto outcomes = outcomes_of(
      8,
      [&](Communicator& comm) {
        Communicator evens = comm.split(comm.rank() % 2, -comm.rank()).value();
        Communicator inner = evens.split(0, -evens.rank()).value().duplicate();
        if (comm.rank() % 2 == 0) inner.barrier();  // all of them are through with the split of all ranks
        if (comm.rank() == 5) comm.receive<int>(2);
        if (comm.rank() == 5) throw std::runtime_error("out of luck");
        if (comm.rank() % 2 == 1) return comm.barrier();
        if (comm.rank() != 2) return inner.barrier();
        try {
          comm.send(0, 5);
          comm.barrier();  // unless rank 5 has failed before this one knows that the message was received
        } catch (const Error& error) {
          throw std::runtime_error(exception_of(error.what()));
        }
      },
      never);
  return {outcomes[0], outcomes[4], outcomes[6]};
}

TEST(RuntimeFailureText, TheFirstFailureIsToldOnceHoweverManyRanksEndBecauseOfIt) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  for (const Outcome& outcome : told_of_a_failure_elsewhere([](const std::string& text) { return text; })) {
    EXPECT_EQ(outcome.code, ErrorCode::peer_failed);
    EXPECT_EQ(outcome.message, "rank 1 (rank 2 of the run) ended, because rank 5 of the run failed: out of luck");
  }
}

TEST(RuntimeFailureText, TheFirstFailureIsToldOnceWhereAProgramThrowsItsTextAgain) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const auto in_a_step = [](const std::string& text) { return "in step 3: " + text; };
  for (const Outcome& outcome : told_of_a_failure_elsewhere(in_a_step))
    EXPECT_EQ(outcome.message, "rank 1 (rank 2 of the run) ended, because rank 5 of the run failed: out of luck");
}

TEST(RuntimeFailureText, AReasonOfARanksOwnIsToldBesideTheFirstFailure) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  for (const Outcome& outcome : told_of_a_failure_elsewhere([](const std::string&) { return "no luck"; }))
    EXPECT_EQ(outcome.message, "rank 1 (rank 2 of the run) failed: no luck; rank 5 of the run failed: out of luck");
}

TEST(RuntimeFailureText, TwoRanksThatBothSendFirstAreToldSo) {
  const auto outcomes = outcomes_of(
      2,
      [](Communicator& comm) {
        const int other = 1 - comm.rank();
        comm.send(comm.rank(), other);
        comm.receive<int>(other);
      },
      never);
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout);
    EXPECT_THAT(outcome.message, AllOf(HasSubstr("rank 0 waits for rank 1 to receive 1 int32"),
                                       HasSubstr("rank 1 waits for rank 0 to receive 1 int32")));
  }
}

TEST(RuntimeFailureText, PatienceEndsForARankThatOnlyTests) {
  const auto outcomes = outcomes_of(
      2,
      [&](Communicator& comm) {
        Aside aside(comm, 1);
        if (comm.rank() == 1) return aside.wait_for({0});
        Handle handle = comm.barrier_async();
        aside.expect_error([&] {
          while (!handle.test()) std::this_thread::yield();
        });
      },
      never);
  EXPECT_EQ(outcomes[0].code, ErrorCode::timeout);
  EXPECT_THAT(outcomes[0].message, HasSubstr("rank 1 to enter barrier"));
}

TEST(RuntimeFailureText, MismatchIsToldEvenIfARankStaysAway) {
  const auto outcomes = outcomes_of(
      3,
      [&](Communicator& comm) {
        Aside aside(comm, 2);
        if (comm.rank() == 2) return aside.wait_for({0, 1});
        int value = 0;
        aside.expect_error([&] {
          comm.broadcast(value, comm.rank());
          comm.wait_all();
        });
      },
      never);
  EXPECT_EQ(outcomes[0].code, ErrorCode::mismatch);
  EXPECT_THAT(outcomes[0].message, AllOf(HasSubstr("rank 1 with root 1"), HasSubstr("rank 2 did not come")));
}

TEST(RuntimeFailureText, QueuedCallsFailWithTheOneThatBlocksThem) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const auto outcomes = outcomes_of(
      2,
      [](Communicator& comm) {
        if (comm.rank() == 1) return;
        std::vector<Handle> handles;
        for (int k = 0; k < 40; ++k) handles.push_back(comm.barrier_async());
        handles.back().wait();
      },
      never);
  EXPECT_EQ(outcomes[0].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[0].message, HasSubstr("rank 1 ended without entering barrier (call 1)"));
}

TEST(RuntimeFailureText, UserOperatorThatThrowsFailsItsRankAndTellsTheOthers) {
  const auto outcomes = outcomes_of(
      3,
      [&](Communicator& comm) {
        const auto refuse = [](int, int) -> int { throw std::overflow_error("too much"); };
        comm.all_reduce(1, refuse);
      },
      never);
  int threw = 0;
  for (const Outcome& outcome : outcomes) {
    threw += outcome.threw ? 1 : 0;
    EXPECT_TRUE(outcome.threw || outcome.code == ErrorCode::peer_failed);
    EXPECT_THAT(outcome.message, HasSubstr(outcome.threw ? "too much" : "failed in all_reduce (call 1): too much"));
  }
  EXPECT_GE(threw, 1);
}

TEST(RuntimeFailureText, ReturningWithoutWaitingIsAnError) {
  TUTTI_ONLY_ON(needs_run, Engine::threads);
  static std::vector<int> lasting(4);
  const auto body = [](Communicator& comm) {
    if (comm.rank() == 0) (void)comm.send_async(lasting, 1);
    if (comm.rank() == 1) comm.receive<int>(2);
    if (comm.rank() == 2) comm.barrier();
  };
  try {
    run(3, body, {.timeout = never});
    FAIL() << "run() returned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("rank 0 returned without waiting for its send of 4 int32 to rank 1"));
  }
}

// The message has come, but nobody has taken it: the memory for it may be gone, and others may have it.
TEST(RuntimeFailureText, NothingIsReceivedAfterTheReturn) {
  TUTTI_ONLY_ON(needs_run, Engine::threads);
  static std::vector<int> left(4);
  std::atomic<bool> is_asked_for = false;
  std::atomic<bool> is_sent = false;
  const auto body = [&](Communicator& comm) {
    if (comm.rank() == 0) {
      const std::vector<int> sent(4, 7);
      while (!is_asked_for) std::this_thread::yield();
      Handle sending = comm.send_async(sent, 1);
      is_sent = true;
      return sending.wait();
    }
    (void)comm.receive_async(left, 0);
    is_asked_for = true;
    while (!is_sent) std::this_thread::yield();
  };
  try {
    run(2, body, {.timeout = never});
    ADD_FAILURE() << "run() returned";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 1 returned without waiting for its receive of 4 int32 from rank 0"));
  }
  EXPECT_EQ(left, std::vector<int>(4));
}

// A rank whose exception frees the buffer that its peer is reading, or about to read: sanitizers see whether the peer
// still does.
TEST(RuntimeFailureText, BuffersMayGoWhenAnExceptionPasses) {
  TUTTI_ONLY_ON(needs_run, Engine::threads);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto body = [repeat](Communicator& comm) {
      std::vector<int> data(20000, repeat);
      const auto pause = [&] { std::this_thread::sleep_for(std::chrono::microseconds(repeat)); };
      if (comm.rank() == 1) {
        if (repeat % 3 == 0) pause();
        return comm.receive(data, 0);
      }
      Handle handle = comm.send_async(data, 1);
      if (repeat % 2 == 0) pause();
      throw std::runtime_error("leaving");
    };
    EXPECT_THROW(run(2, body, {.timeout = never}), std::runtime_error);
  }
}

TEST(RuntimeFailureText, BuffersStayUntilThePeerHasReadThem) {
  TUTTI_ONLY_ON(needs_run, Engine::threads);
  std::atomic<int> reading = 0;
  const auto body = [&](Communicator& comm) {
    // The root's operator runs on the other rank's memory: it tells that it does, and takes its time.
    const auto slow_sum = [&](int a, int b) {
      if (reading.exchange(1) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
      return a + b;
    };
    std::vector<int> data(20000, 1);
    if (comm.rank() == 0) return comm.reduce(data, slow_sum, 0);
    Handle handle = comm.reduce_async(data, slow_sum, 0);
    while (reading == 0) EXPECT_FALSE(handle.test());
    throw std::runtime_error("leaving");
  };
  EXPECT_THROW(run(2, body, {.timeout = never}), std::runtime_error);
}

}  // namespace
}  // namespace tutti
