/// @file
/// Waiting times of ranks, by a clock that the test turns.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "unit/calls/ranks_of_one_thread.hpp"

namespace tutti::runtime {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr std::uint64_t waiting_seed = 99;

/// Ranks that look again and again, and ranks that sleep until they are woken.
class Waiting : public ::testing::TestWithParam<bool> {};

TEST_P(Waiting, EndsWhenNothingHasMovedForTheTimeout) {
  RanksOfOneThread ranks(2, waiting_seed, {}, GetParam());
  std::vector<std::int64_t> data(3);
  const auto receive = ranks[0].receive(data, 1);
  try {
    ranks[0].engine.wait(*receive);
    FAIL() << "it has come to an end";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::timeout);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("no progress for 30 s"), HasSubstr("rank 0 waits for rank 1 to send 3")));
  }
  EXPECT_GE(ranks.clock.passed().count(), 30);
  EXPECT_LT(ranks.clock.passed().count(), 35);
  EXPECT_TRUE(ranks.network.has_withdrawn(0));
}

/// Returns the lines while rank 0 waits without a limit for rank 1, which comes after so many seconds.
std::string told_until(double due, bool sleeps) {
  RanksOfOneThread ranks(2, waiting_seed, {}, sleeps);
  ranks[0].state->timeout = no_limit;
  std::vector<std::int64_t> sent{7};
  std::vector<std::int64_t> received(1);
  std::shared_ptr<SendOperation> send;
  ranks.clock.meanwhile = [&] {
    if (!send && ranks.clock.passed().count() > due) send = ranks[1].send(sent, 0);
    ranks[1].engine.look();
  };
  const auto receive = ranks[0].receive(received, 1);
  ::testing::internal::CaptureStderr();
  EXPECT_NO_THROW(ranks[0].engine.wait(*receive));
  EXPECT_EQ(received, sent);
  return ::testing::internal::GetCapturedStderr();
}

TEST_P(Waiting, WithoutATimeoutIsToldAtGrowingDistances) {
  EXPECT_EQ(told_until(29, GetParam()), "");
  EXPECT_THAT(told_until(59, GetParam()),
              AllOf(::testing::StartsWith("tutti: no progress for 30"),
                    HasSubstr(" s: rank 0 waits for rank 1 to send 1 "), HasSubstr("; rank 1 "),
                    HasSubstr("; the wait goes on (TUTTI_TIMEOUT=T would end such a wait after T seconds)\n")));
  const std::string long_wait = told_until(500, GetParam());
  EXPECT_EQ(std::count(long_wait.begin(), long_wait.end(), '\n'), 5) << long_wait;  // after 30, 60, 120, 240, 480 s
}

TEST_P(Waiting, IsToldWhenTheEnvironmentSays) {
  setenv("TUTTI_LATE_AFTER", "7", 1);
  EXPECT_THAT(told_until(13, GetParam()), ::testing::StartsWith("tutti: no progress for 7"));
  setenv("TUTTI_LATE_AFTER", "0", 1);
  EXPECT_EQ(told_until(500, GetParam()), "");
  unsetenv("TUTTI_LATE_AFTER");
}

TEST_P(Waiting, ThatIsTooLongTellsWhatRanksDoInTheirOrder) {
  RanksOfOneThread ranks(4, waiting_seed, {}, GetParam());
  std::vector<std::int64_t> data(3);
  ranks.world->announce(0, "a rank", {});
  ranks.world->announce(3, "a rank", {});
  ranks.world->announce(2, "another one", {});
  const auto receive = ranks[1].receive(data, 2);
  try {
    ranks[1].engine.wait(*receive);
    FAIL() << "it has come to an end";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ContainsRegex(": ranks 0, 3 wait for a rank; rank 1 waits for rank 2 to send 3 [^;]*; "
                                            "rank 2 waits for another one$"));
  }
}

// Each move begins the timeout anew: in a barrier by dissemination rank 0 hears of rank 3 after 20 s, and after 40 s of
// rank 2, which waits for rank 1 first.
TEST_P(Waiting, GoesOnWhileSomethingMoves) {
  RanksOfOneThread ranks(4, waiting_seed, {}, GetParam());
  const CollectiveOptions options{.algorithm = "dissemination"};
  const untyped::Call barrier{.collective = Collective::barrier, .options = &options};
  std::vector<std::shared_ptr<CollectiveOperation>> begun(4);
  ranks.clock.meanwhile = [&] {
    for (const auto& [rank, due] : {std::pair{1, 20}, {3, 20}, {2, 40}}) {
      auto& mine = begun[static_cast<std::size_t>(rank)];
      if (mine == nullptr && ranks.clock.passed().count() > due) mine = ranks[rank].begin(barrier);
      ranks[rank].engine.look();
    }
  };
  begun[0] = ranks[0].begin(barrier);
  EXPECT_NO_THROW(ranks[0].engine.wait(*begun[0]));
  EXPECT_GE(ranks.clock.passed().count(), 40);
  EXPECT_LT(ranks.clock.passed().count(), 45);
}

// A rank that packs for a call says so, piece by piece, before it enters.
TEST_P(Waiting, GoesOnWhileARankWorksForTheCall) {
  RanksOfOneThread ranks(3, waiting_seed, {}, GetParam());
  const untyped::Call barrier{.collective = Collective::barrier};
  std::vector<std::shared_ptr<CollectiveOperation>> begun(3);
  int pieces = 0;
  ranks.clock.meanwhile = [&] {
    if (begun[2] == nullptr && ranks.clock.passed().count() > 20 * (pieces + 1)) {
      if (++pieces < 5) ranks.world->record(2).note_work();
      if (pieces == 5) begun[2] = ranks[2].begin(barrier);
    }
    for (const int rank : {1, 2}) ranks[rank].engine.look();
  };
  for (const int rank : {0, 1}) begun[static_cast<std::size_t>(rank)] = ranks[rank].begin(barrier);
  EXPECT_NO_THROW(ranks[0].engine.wait(*begun[0]));
  EXPECT_GE(ranks.clock.passed().count(), 100);
}

// A process that was stopped finds one long gap when it goes on, in which nobody could move.
TEST_P(Waiting, DoesNotCountTheTimeInWhichItsProcessWasStopped) {
  RanksOfOneThread ranks(2, waiting_seed, {}, GetParam());
  std::vector<std::int64_t> sent{7};
  std::vector<std::int64_t> received(1);
  std::shared_ptr<SendOperation> send;
  ranks.clock.meanwhile = [&, was_stopped = false]() mutable {
    if (!was_stopped && ranks.clock.passed().count() > 1) {
      was_stopped = true;
      ranks.clock.jump(std::chrono::hours(1));
    }
    if (!send && ranks.clock.passed().count() > 3610) send = ranks[1].send(sent, 0);
    ranks[1].engine.look();
  };
  const auto receive = ranks[0].receive(received, 1);
  EXPECT_NO_THROW(ranks[0].engine.wait(*receive));
  EXPECT_EQ(received, sent);
}

/// A call that this rank cannot begin, for lack of memory for its title in the trace.
class Unbegun final : public NumberedOperation {
 public:
  using NumberedOperation::NumberedOperation;

  std::string title() const override { throw std::bad_alloc(); }
  std::string waits_for() const override { return "nothing"; }
  WokenBy woken_by() const override { return WokenBy::calls; }

 protected:
  bool advance() override { return false; }
  void tell_dependencies(WaitState&) const override {}
  const Signature& signature() const override { return signature_; }

 private:
  Signature signature_ = {.collective = Collective::barrier};
};

// The call has its number, with which the other rank waits for this one.
TEST(Beginning, ThatFailsIsToldToTheOthers) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "tutti-unbegun.json";
  setenv("TUTTI_TRACE", file.c_str(), 1);
  {
    RanksOfOneThread ranks(2, seed, {});
    std::vector<std::int64_t> data(4, 1);
    const auto waits = ranks[1].begin(all_reduce_of(data));
    const auto unbegun = std::make_shared<Unbegun>(*ranks[0].state);
    unbegun->arm();
    EXPECT_THROW(ranks[0].engine.begin(unbegun), std::bad_alloc);
    for (int looks = 0; looks < 1000 && waits->active(); ++looks) ranks.look();
    EXPECT_THAT(error_of(*waits), HasSubstr("rank 0 failed in barrier"));
  }
  unsetenv("TUTTI_TRACE");
  std::filesystem::remove(file);
}

// The longer it waits the less often it looks: a minute costs few looks where others wake it.
TEST(LongWaiting, CostsLittleWhereOthersWake) {
  RanksOfOneThread ranks(2, waiting_seed, {}, true);
  ranks[0].state->timeout = std::chrono::seconds(60);
  std::vector<std::int64_t> data(3);
  const auto receive = ranks[0].receive(data, 1);
  EXPECT_THROW(ranks[0].engine.wait(*receive), Error);
  EXPECT_LT(ranks.clock.naps, 400);
}

INSTANTIATE_TEST_SUITE_P(OfRanks, Waiting, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "ThatSleep" : "ThatLook"; });

}  // namespace
}  // namespace tutti::runtime
