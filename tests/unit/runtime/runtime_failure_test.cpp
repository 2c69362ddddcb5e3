/// @file
/// Ranks that do not come, end, or throw: nobody hangs, and everybody is told why.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "unit/runtime/failing_ranks.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RuntimeFailure : public ::testing::TestWithParam<int> {};

TEST_P(RuntimeFailure, RankThatStaysAwayIsNamedWhenTimeIsOver) {
  const int p = GetParam();
  const int absent = p / 2;
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        Aside aside(comm, absent);
        if (comm.rank() == absent) return aside.wait_for(all_but(absent, p));
        aside.expect_error([&] { comm.all_reduce(comm.rank(), sum); });
      },
      never);
  for (const int rank : all_but(absent, p)) {
    const Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(outcome.code, ErrorCode::timeout);
    EXPECT_THAT(
        outcome.message,
        AllOf(HasSubstr(" to enter all_reduce (call 2)"),
              HasSubstr("no progress for 0.4 s (TUTTI_TIMEOUT, RunOptions::timeout or set_timeout() allow more)")));
    // Over MPI a busy machine may keep others from telling in time that they have come.
    EXPECT_TRUE(names(outcome.message.substr(outcome.message.find("waits for ")), absent)) << outcome.message;
  }
}

// A root needs nothing from the others, until it is too far ahead of them; with the one that does not come, those are
// behind that get the message through it.
TEST_P(RuntimeFailure, RankThatIsLeftBehindIsNamedByWhoIsAhead) {
  const int p = GetParam();
  const int absent = p / 2;
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        Aside aside(comm, absent);
        Communicator fresh = comm.duplicate();
        if (comm.rank() == absent) {
          aside.wait_for(all_but(absent, p));
          return fresh.barrier();  // throws, too
        }
        aside.expect_error([&] {
          for (int value = 0; value < 100; ++value) fresh.broadcast(value, 0);
        });
      },
      never);
  for (const int rank : all_but(absent, p)) {
    const Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(outcome.code, ErrorCode::timeout);
    // Over MPI a busy machine may keep the root from coming far ahead in time: then an earlier call waits for the rank.
    if (testing::engine() == testing::Engine::world) {
      EXPECT_TRUE(names(outcome.message.substr(outcome.message.find("waits for ")), absent)) << outcome.message;
    } else {
      EXPECT_THAT(outcome.message, HasSubstr(" to tell that call 1 has ended there, before broadcast (call " +
                                             std::to_string(most_collectives_ahead + 1)));
      EXPECT_TRUE(names(between(outcome.message, " for rank", " to tell "), absent)) << outcome.message;
    }
  }
}

// A call that cannot begin is not to blame, but the one whose place it needs.
TEST_P(RuntimeFailure, CallsThatWaitForTheirTurnNameWhatTheFirstOfThemWaitsFor) {
  const int p = GetParam();
  const int absent = p / 2;
  const int calls = most_collectives_ahead + 6;
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        Aside aside(comm, absent);
        Communicator fresh = comm.duplicate();
        if (comm.rank() == absent) {
          aside.wait_for(all_but(absent, p));
          return fresh.barrier();  // throws, too
        }
        aside.expect_error([&] {
          std::vector<int> values(calls);
          std::vector<Handle> handles;
          for (int& value : values) handles.push_back(fresh.broadcast_async(std::span(&value, 1), absent));
          handles.back().wait();
        });
      },
      never);
  for (const int rank : all_but(absent, p)) {
    const std::string message = outcomes[static_cast<std::size_t>(rank)].message;
    EXPECT_THAT(message,
                HasSubstr(" waits for its own call 1 to end, before broadcast (call " + std::to_string(calls)));
    EXPECT_THAT(message, HasSubstr(" to enter broadcast (call 1"));
    // On a busy machine a rank may not have heard yet of another one that did come.
    EXPECT_TRUE(names(between(message, "): for rank", " to enter "), absent)) << message;
  }
}

TEST_P(RuntimeFailure, RankThatReturnsIsNoticedWithoutTheClock) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        if (comm.rank() != 1) comm.barrier();
      },
      never);
  for (int rank = 0; rank < p; ++rank) {
    if (rank == 1) continue;
    EXPECT_EQ(outcomes[static_cast<std::size_t>(rank)].code, ErrorCode::peer_failed);
    EXPECT_THAT(outcomes[static_cast<std::size_t>(rank)].message,
                HasSubstr("rank 1 ended without entering barrier (call 1)"));
  }
}

// The textbook's mistake: the root alone calls the collective.
TEST_P(RuntimeFailure, ReduceThatOnlyTheRootCallsIsAnError) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        int value = 1;
        if (comm.rank() == 0) comm.reduce(std::span(&value, 1), sum, 0);
      },
      never);
  EXPECT_EQ(outcomes[0].code, ErrorCode::peer_failed);
  EXPECT_THAT(outcomes[0].message, HasSubstr("ended without entering reduce (call 1), where rank 0 waits"));
  for (int rank = 1; rank < p; ++rank) EXPECT_TRUE(names(outcomes[0].message, rank)) << outcomes[0].message;
}

TEST_P(RuntimeFailure, RankThatThrowsEndsTheOthers) {
  TUTTI_ONLY_ON(needs_an_end, Engine::threads, Engine::processes);
  const int p = GetParam();
  const auto outcomes = outcomes_of(
      p,
      [&](Communicator& comm) {
        if (comm.rank() == p - 1) throw std::domain_error("no more paper");
        comm.barrier();
      },
      never);
  for (const int rank : all_but(p - 1, p)) {
    const Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(outcome.code, ErrorCode::peer_failed);
    EXPECT_THAT(outcome.message, HasSubstr("rank " + std::to_string(p - 1) + " failed: no more paper"));
  }
}

TEST_P(RuntimeFailure, RunThrowsWhatTheFirstRankThrew) {
  TUTTI_ONLY_ON(needs_run, Engine::threads);
  const int p = GetParam();
  const auto body = [&](Communicator& comm) {
    if (comm.rank() == p - 1) throw std::domain_error("no more paper");
    comm.barrier();
  };
  EXPECT_THROW(run(p, body, {.timeout = never}), std::domain_error);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RuntimeFailure, ::testing::ValuesIn(testing::possible({2, 3, 5, 8})));

}  // namespace
}  // namespace tutti
