/// @file
/// Operations that take turns: the engine looks at the first of a lane alone, and at each once it has its turn.

#include "progress/operation_lane.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "support/fake_world.hpp"

namespace tutti::runtime {
namespace {

constexpr std::uint64_t seed = 31;

/// Waits for its turn in the lane of sends to rank 0, and then until it is told to end.
class Waiter final : public Operation {
 public:
  using Operation::Operation;

  OperationLane* awaited_lane() override { return has_turn ? nullptr : &communicator().sending(0); }
  std::string describe() const override { return "a wait"; }
  std::string waits_for() const override { return "its turn"; }
  WokenBy woken_by() const override { return WokenBy::messages; }
  std::optional<Error> lost() override { return std::nullopt; }

  bool has_turn = false;
  bool may_end = false;
  int steps = 0;

 protected:
  bool advance() override {
    ++steps;
    if (communicator().failure().failed() || !has_turn || !may_end) return false;
    finish();
    return true;
  }
  OperationId id() const override { return 1; }
  void tell_dependencies(WaitState& wait_state) const override { wait_state.doubt(); }
};

struct Row {
  explicit Row(int n)
      : state(std::make_shared<CommunicatorState>(engine.rank_state(), world->whole(0), std::chrono::seconds(30))) {
    engine.add(state);
    for (int k = 0; k < n; ++k) {
      waiters.push_back(std::make_shared<Waiter>(*state));
      engine.begin(waiters.back());
    }
  }
  ~Row() { engine.clear(); }

  int steps() const {
    int all = 0;
    for (const auto& each : waiters) all += each->steps;
    return all;
  }
  Waiter& operator[](int k) { return *waiters[static_cast<std::size_t>(k)]; }

  testing::TurnedClock clock;
  testing::FakeNetwork network{2, seed, {}};
  std::shared_ptr<testing::FakeWorld> world = std::make_shared<testing::FakeWorld>(network, clock);
  ProgressEngine engine{world, 0, Progress::when_waiting, clock};
  std::shared_ptr<CommunicatorState> state;
  std::vector<std::shared_ptr<Waiter>> waiters;
};

TEST(OperationLane, CostsALookNoMoreWhereManyWait) {
  for (const int n : {1, 2, 10, 1000}) {
    Row row(n);
    const int before = row.steps();
    for (int look = 0; look < 10; ++look) row.engine.look();
    EXPECT_EQ(row.steps() - before, 10) << n << " operations";
    // Each is looked at when it begins, and the first again when another one begins.
    EXPECT_LE(before, 2 * n) << n << " operations";
  }
}

TEST(OperationLane, GivesTurnsInOrder) {
  constexpr int n = 100;
  Row row(n);
  for (int k = 0; k < n; ++k) {
    for (int later = k + 1; later < n; ++later) ASSERT_FALSE(row[later].has_turn);
    row[k].has_turn = true;
    row[k].may_end = k % 2 == 0;
    const int steps = k + 1 < n ? row[k + 1].steps : 0;
    row.engine.look();
    EXPECT_EQ(row[k].active(), k % 2 != 0);
    if (k + 1 == n) break;
    EXPECT_GT(row[k + 1].steps, steps) << "the next was not looked at";
  }
  for (int k = 1; k < n; k += 2) row[k].may_end = true;
  row.engine.look();
  for (int k = 0; k < n; ++k) EXPECT_FALSE(row[k].active()) << k;
  EXPECT_TRUE(row.engine.outstanding().empty());
}

TEST(OperationLane, IsLeftFromTheMidst) {
  constexpr int n = 9;
  for (int left = 0; left < n; ++left) {
    Row row(n);
    row[left].has_turn = row[left].may_end = true;
    row.engine.let_go_on(row[left]);
    row.engine.look();
    EXPECT_FALSE(row[left].active());
    for (int k = 0; k < n; ++k) row[k].has_turn = row[k].may_end = true;
    row.engine.look();
    for (int k = 0; k < n; ++k) EXPECT_FALSE(row[k].active()) << k << " after " << left;
  }
}

// Moves before an operation in its lane are progress for those that wait behind it.
TEST(OperationLane, CountsEachTurnAsAMoveOfThoseThatWait) {
  Row row(3);
  const std::uint64_t before = row[2].moves();
  row[0].has_turn = true;
  row.engine.look();
  EXPECT_GT(row[2].moves(), before);
  const std::uint64_t then = row[2].moves();
  row[1].has_turn = row[2].has_turn = true;
  row.engine.look();
  EXPECT_GT(row[2].moves(), then) << "moves of an operation never become fewer";
}

TEST(OperationLane, EndsAsAWholeWithItsCommunicator) {
  constexpr int n = 500;
  Row row(n);
  row.state->failure().fail(ErrorCode::peer_failed, "rank 1 failed");
  row.engine.look();
  for (int k = 0; k < n; ++k) ASSERT_EQ(row[k].state(), Operation::State::failed) << k;
  EXPECT_TRUE(row.engine.outstanding().empty());
}

TEST(OperationLane, IsGivenUpAsAWhole) {
  constexpr int n = 20;
  Row row(n);
  row.engine.clear();
  for (int k = 0; k < n; ++k) EXPECT_EQ(row[k].state(), Operation::State::failed) << k;
}

}  // namespace
}  // namespace tutti::runtime
