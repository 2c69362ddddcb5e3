/// @file
/// Long reductions that are under way at once: ranks help one another with all of them, each by its own operator.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "support/ranks.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using testing::on_ranks;
using testing::possible;

/// From 64 KiB on work is shared.
constexpr std::size_t elements = 32 * 1024;
/// Most calls that may be under way, so that call slots have jobs in common.
constexpr int calls = most_collectives_ahead;

class Reductions {
 public:
  explicit Reductions(Communicator& comm) : comm_(comm) {}

  void run() {
    std::vector<Handle> handles;
    for (int call = 0; call < calls; ++call) {
      fill(call);
      handles.push_back(start(call));
    }
    for (int call = calls - 1; call >= 0; --call) handles[static_cast<std::size_t>(call)].wait();
    for (int call = 0; call < calls; ++call) expect_right(call);
  }

 private:
  // Rank 0 has all of the work. Calls whose slots have a job in common differ in their operators.
  static constexpr int operators = 3;
  Handle start(int call) {
    const auto k = static_cast<std::size_t>(call);
    switch (call % operators) {
      case 0:
        return comm_.reduce_async(in_[k], out_[k], sum);
      case 1:
        return comm_.reduce_async(in_[k], out_[k], maximum);
      default:
        return comm_.reduce_async(in_[k], out_[k], product);
    }
  }
  void fill(int call) {
    const auto k = static_cast<std::size_t>(call);
    in_[k].assign(elements, 0);
    out_[k].assign(elements, -1);
    for (std::size_t i = 0; i < elements; ++i) in_[k][i] = value(comm_.rank(), call, i);
  }
  static std::int64_t value(int rank, int call, std::size_t i) {
    return 2 + (rank * 7 + call * 3 + static_cast<int>(i % 1000)) % 11;
  }
  std::int64_t expected(int call, std::size_t i) const {
    std::int64_t result = value(0, call, i);
    for (int rank = 1; rank < comm_.size(); ++rank) {
      const std::int64_t next = value(rank, call, i);
      const std::array<std::int64_t, operators> by{result + next, std::max(result, next), result * next};
      result = by[static_cast<std::size_t>(call % operators)];
    }
    return result;
  }
  void expect_right(int call) const {
    if (comm_.rank() != 0) return;
    for (std::size_t i = 0; i < elements; ++i) {
      ASSERT_EQ(out_[static_cast<std::size_t>(call)][i], expected(call, i)) << "element " << i << " of call " << call;
    }
  }

  Communicator& comm_;
  std::array<std::vector<std::int64_t>, calls> in_;
  std::array<std::vector<std::int64_t>, calls> out_;
};

TEST(SharedWork, OfSeveralCallsAtOnceIsDoneByTheOperatorOfEach) {
  for (const int p : possible({2, 4})) {
    on_ranks(p, [](Communicator& comm) {
      Reductions reductions(comm);
      for (int round = 0; round < 4; ++round) reductions.run();
    });
  }
}

}  // namespace
}  // namespace tutti
