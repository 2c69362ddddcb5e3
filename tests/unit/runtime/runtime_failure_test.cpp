/// @file
/// Ranks that do not come, end, or throw: nobody hangs, and everybody is told why.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <regex>
#include <stdexcept>
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

constexpr Duration soon = std::chrono::milliseconds(400);
/// For errors that must not wait for the clock: a test that waited would fail by ctest's limit, not by a measured time.
constexpr Duration never = std::chrono::hours(1);

/// A second communicator beside the one that is to fail. A rank that stays away from the first waits here until the
/// others have seen it fail, and makes progress meanwhile.
class Aside {
 public:
  Aside(Communicator& comm, int absent) : aside_(comm.duplicate()), absent_(absent) {
    aside_.barrier();
    comm.set_timeout(soon);
  }

  /// On the absent rank: returns when `others` ranks have said so. It tests, because ranks that all wait are told so.
  void wait_for(const std::vector<int>& others) {
    for (const int rank : others) {
      int said = 0;
      Handle handle = aside_.receive_async(std::span(&said, 1), rank);
      while (!handle.test()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// On the others: what they do is to throw, and the absent rank is told.
  void expect_error(const std::function<void()>& what) {
    try {
      what();
    } catch (...) {
      aside_.send(1, absent_);
      throw;
    }
  }

 private:
  Communicator aside_;
  int absent_;
};

std::vector<int> all_but(int absent, int p) {
  std::vector<int> ranks;
  for (int rank = 0; rank < p; ++rank) {
    if (rank != absent) ranks.push_back(rank);
  }
  return ranks;
}

/// Whether a sentence has the rank's number, or a range that it lies in: "ranks 2-7".
bool names(const std::string& text, int rank) {
  static const std::regex pieces("([0-9]+)(?:-([0-9]+))?");
  return std::any_of(std::sregex_iterator(text.begin(), text.end(), pieces), std::sregex_iterator(),
                     [&](const auto& m) {
                       const int first = std::stoi(m[1]);
                       return rank >= first && rank <= (m[2].matched ? std::stoi(m[2]) : first);
                     });
}

constexpr const char* needs_an_end = "a rank ends, which ends the whole program where ranks are those of an mpirun";
constexpr const char* needs_run = "run() itself is meant, which throws what ranks throw";

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
    EXPECT_THAT(outcome.message,
                AllOf(HasSubstr(" to enter all_reduce (call 2)"),
                      HasSubstr("no progress for 0.4 s (TUTTI_TIMEOUT or RunOptions::timeout allow more)")));
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
    EXPECT_EQ(outcomes[static_cast<std::size_t>(rank)].code, ErrorCode::timeout);
    EXPECT_THAT(outcomes[static_cast<std::size_t>(rank)].message,
                ::testing::ContainsRegex("waits? for ranks? [0-9, -]*" + std::to_string(absent) +
                                         "[0-9, -]* to tell that call 1 has ended there, before broadcast \\(call 25"));
  }
}

// A call that cannot begin is not to blame, but the one whose place it needs.
TEST_P(RuntimeFailure, CallsThatWaitForTheirTurnNameWhatTheFirstOfThemWaitsFor) {
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
          std::vector<int> values(30);
          std::vector<Handle> handles;
          for (int& value : values) handles.push_back(fresh.broadcast_async(std::span(&value, 1), absent));
          handles.back().wait();
        });
      },
      never);
  for (const int rank : all_but(absent, p)) {
    const std::string message = outcomes[static_cast<std::size_t>(rank)].message;
    // On a busy machine a rank may not have heard yet of another one that did come.
    EXPECT_THAT(message, AllOf(HasSubstr(" waits for its own call 1 to end, before broadcast (call 30"),
                               ::testing::ContainsRegex("\\): for ranks? [0-9, -]*" + std::to_string(absent) +
                                                        "[0-9, -]* to enter broadcast \\(call 1")));
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
  EXPECT_THAT(outcomes[0].message, HasSubstr("ended without entering reduce (call 1), which rank 0 waits to do"));
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
  // It may still be in the first barrier, which rank 3 has left.
  EXPECT_THAT(outcomes[1].message, AllOf(HasSubstr("rank 3"), HasSubstr("failed: gone")));
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
