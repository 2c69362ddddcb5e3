/// @file
/// A user's operator may call tutti: then another fold of the communicator is carried out in the midst of its own.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "transport/shared/shared_connection.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

using Values = std::vector<std::int64_t>;

/// Threads' memory. What is told of it may have no room to be heard.
class NarrowMemory final : public PeerMemory {
 public:
  std::uint64_t address_of(const void* pointer) const noexcept override { return memory_.address_of(pointer); }
  std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const override {
    if (is_full) throw std::bad_alloc();
    return memory_.pointer_to(address, bytes);
  }
  bool reaches_private() const noexcept override { return true; }
  bool is_reached_by(int) const noexcept override { return true; }
  bool read(int rank, std::uint64_t from, void* to, std::size_t bytes) const noexcept override {
    return memory_.read(rank, from, to, bytes);
  }
  std::size_t write(int, std::uint64_t, const void*, std::size_t, std::uint64_t) const noexcept override { return 0; }
  std::byte* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void free(std::byte* memory) noexcept override { memory_.free(memory); }
  bool is_common() const noexcept override { return true; }
  bool ended(int) const noexcept override { return false; }
  bool lost(int) const noexcept override { return false; }

  bool is_full = false;

 private:
  ThreadsMemory memory_{{}};
};

/// first action of the outer fold's operator
std::function<void()> within;

/// A sum that does that before, and once.
void sum_after(void* into, const void* const* operands, int count, std::int64_t n, detail::Stores, const void*) {
  if (within) std::exchange(within, nullptr)();
  auto* const to = static_cast<std::int64_t*>(into);
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t value = 0;
    for (int k = 0; k < count; ++k) value += static_cast<const std::int64_t*>(operands[k])[i];
    to[i] = value;
  }
}

class NestedFolds : public ::testing::Test {
 protected:
  NestedFolds() {
    for (const int rank : {0, 1}) {
      SharedPlace place{control_, rank, {0, 1}, rank == 0 ? Leftovers::Owner::this_rank : Leftovers::Owner::other};
      RankNames names = place.names();
      ranks_.push_back(std::make_unique<SharedConnection>(std::move(place), std::move(names),
                                                          SharedGround{records_, memory_, leftovers_}));
    }
  }
  ~NestedFolds() override { within = nullptr; }

  /// Folds both operands into the third on rank 0; of those that lie elsewhere it has a copy made first.
  bool fold(std::array<Values, 3>& of, const Combination& how, bool is_here, Values* also = nullptr) {
    std::array<MemoryRange, 2> operands{range(of[0]), range(of[1])};
    if (!is_here) operands[1] = {operands[1].address, operands[1].bytes, 1, false};
    std::array<MemoryRange, 1> places{};
    if (also != nullptr) places[0] = range(*also);
    const std::span<const MemoryRange> all(places);
    return ranks_[0]->folding().carry_out({range(of[2]), operands, all.first(also == nullptr ? 0 : 1)}, how, 0);
  }
  static MemoryRange range(Values& values) {
    return MemoryRange::of(reinterpret_cast<const std::byte*>(values.data()),
                           static_cast<std::int64_t>(values.size() * sizeof(values[0])));
  }
  static std::array<Values, 3> operands(std::size_t n, std::int64_t first) {
    std::array<Values, 3> all{Values(n), Values(n), Values(n)};
    std::iota(all[0].begin(), all[0].end(), first);
    std::iota(all[1].begin(), all[1].end(), 3 * first);
    return all;
  }
  static void expect_sum(const std::array<Values, 3>& of) {
    for (std::size_t i = 0; i < of[2].size(); ++i) ASSERT_EQ(of[2][i], of[0][i] + of[1][i]) << "element " << i;
  }
  ReadingMark& mark(int rank) { return control_.mark(rank); }

  NarrowMemory memory_;
  std::vector<RankRecord> records_{2};
  ControlSegment control_{memory_.allocate(ControlSegment::bytes(2)), 2};
  Leftovers leftovers_{memory_};
  std::vector<std::unique_ptr<SharedConnection>> ranks_;
  // A user's operator is not shared with helpers.
  detail::Operator op_{.kernel = sum_after, .state = std::make_shared<int>()};
  detail::Operator library_op_{.kernel = sum_after};
  Combination how_{&op_, sizeof(std::int64_t)};
  Combination library_how_{&library_op_, sizeof(std::int64_t)};
};

TEST_F(NestedFolds, KeepTheirOperandsApart) {
  for (const bool outer_is_here : {true, false}) {
    for (const bool inner_is_here : {true, false}) {
      SCOPED_TRACE(::testing::Message() << "outer here " << outer_is_here << ", inner here " << inner_is_here);
      auto outer = operands(1000, 1);
      auto inner = operands(700, 1'000'000);
      bool is_done = false;
      within = [&] { is_done = fold(inner, how_, inner_is_here); };
      EXPECT_TRUE(fold(outer, how_, outer_is_here));
      EXPECT_TRUE(is_done);
      expect_sum(outer);
      expect_sum(inner);
    }
  }
}

TEST_F(NestedFolds, LeaveTheOuterFoldItsOperandsWhileThisRankHelps) {
  auto outer = operands(1000, 1);
  auto shared = operands(100'000, 1'000'000);
  std::array<MemoryRange, 2> from{range(shared[0]), range(shared[1])};
  bool has_helped = false;
  within = [&] {
    // In the midst of rank 0's fold, rank 1 opens work, and rank 0 helps it.
    within = [&] {
      ranks_[0]->folding().help(1, 0, library_how_);
      has_helped = true;
    };
    EXPECT_TRUE(ranks_[1]->folding().carry_out({range(shared[2]), from}, library_how_, 0));
  };
  EXPECT_TRUE(fold(outer, how_, true));
  EXPECT_TRUE(has_helped);
  expect_sum(outer);
  expect_sum(shared);
}

TEST_F(NestedFolds, AreFilledByARankThatIsMarkedUntilTheOuterOneEnds) {
  auto outer = operands(1000, 1);
  auto inner = operands(700, 1'000'000);
  Values outer_place(1000);
  Values inner_place(700);
  within = [&] {
    EXPECT_EQ(mark(0).fills.load(), 1U);
    EXPECT_TRUE(fold(inner, how_, true, &inner_place));
    EXPECT_EQ(mark(0).fills.load(), 1U) << "peers take the outer fold's place back";
  };
  EXPECT_TRUE(fold(outer, how_, true, &outer_place));
  EXPECT_EQ(mark(0).fills.load(), 0U);
  EXPECT_EQ(outer_place, outer[2]);
  EXPECT_EQ(inner_place, inner[2]);
}

TEST_F(NestedFolds, AreReadByARankThatIsMarkedUntilTheOuterOneEnds) {
  Failure& failure = ranks_[0]->failure();
  ASSERT_TRUE(failure.begin_reading());
  ASSERT_TRUE(failure.begin_reading());
  EXPECT_EQ(mark(0).count.load() % 2, 1U) << "the inner one reads";
  failure.end_reading();
  EXPECT_EQ(mark(0).count.load() % 2, 1U) << "the outer one reads";
  ranks_[1]->failure().fail(ErrorCode::peer_failed, "rank 1 failed");
  EXPECT_FALSE(failure.begin_reading());
  EXPECT_EQ(mark(0).count.load() % 2, 1U) << "the outer one still reads";
  failure.end_reading();
  EXPECT_EQ(mark(0).count.load() % 2, 0U);
  EXPECT_FALSE(failure.begin_reading());
  EXPECT_EQ(mark(0).count.load() % 2, 0U);
}

// The owner of the work would wait for a helper that is marked.
TEST_F(NestedFolds, AreNotMarkedAsHelpedByWhoHasNoRoomToHelp) {
  auto shared = operands(100'000, 5);
  within = [&] {
    memory_.is_full = true;
    EXPECT_NO_THROW(ranks_[1]->folding().help(0, 0, library_how_));
    memory_.is_full = false;
    EXPECT_EQ(control_.fold_job(0, 0).helpers.load(), 0);
    EXPECT_EQ(mark(1).helps.load(), 0U);
    EXPECT_EQ(mark(1).fills.load(), 0U);
    EXPECT_EQ(mark(1).count.load() % 2, 0U);
  };
  ranks_[0]->failure().timeout = std::chrono::duration<double>(0.1);
  EXPECT_TRUE(fold(shared, library_how_, true));
  expect_sum(shared);
}

}  // namespace
}  // namespace tutti::runtime
