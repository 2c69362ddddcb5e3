/// @file
/// Limit of the machine, and the ways in which memory is moved. No test depends on a duration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "measure/buffers.hpp"
#include "measure/limit.hpp"
#include "measure/moving.hpp"
#include "unit/measure/measured.hpp"

namespace tutti::measure {
namespace {

TEST(Moving, EveryWayMovesTheSame) {
  constexpr std::size_t n = 5000;
  for (const Mover& mover : movers()) {
    for (const std::size_t sources : {1, 2, 3, 5}) {
      std::vector<std::shared_ptr<double>> held;
      std::vector<const double*> from;
      for (std::size_t s = 0; s < sources; ++s) {
        held.push_back(plain_memory(n));
        contribute(static_cast<int>(s), 0, {held.back().get(), n});
        from.push_back(held.back().get());
      }
      const std::size_t destinations = sources == 1 ? 3 : 1;
      std::vector<double*> into;
      for (std::size_t d = 0; d < destinations; ++d) {
        held.push_back(plain_memory(n));
        into.push_back(held.back().get());
      }
      mover.move({from, into}, 0, 13);
      mover.move({from, into}, 13, n);
      for (double* const target : into) {
        for (std::size_t k = 0; k < n; ++k) {
          const double sum = std::accumulate(from.begin(), from.end(), 0.0,
                                             [k](double all, const double* one) { return all + one[k]; });
          ASSERT_EQ(target[k], sum) << mover.name << ", " << sources << " sources, element " << k;
        }
      }
    }
  }
}

TEST(Limit, IsATimeForEveryCell) {
  for (const Collective collective : measured) {
    for (const int p : {1, 2, 5}) {
      const Cell cell{collective, p, 4096};
      const double limit = limit_seconds(cell, {.seconds = 1e-3});
      const double line = p > 1 ? line_seconds() : 0;  // the least seen so far only shrinks
      const CellTraffic traffic = traffic_of(cell);
      EXPECT_TRUE(limit >= line || !is_mutual(collective)) << limit << " s, a line " << line << " s";
      EXPECT_TRUE(limit > 0 || traffic.read == 0 || traffic.written == 0);
    }
  }
}

TEST(Limit, AFewBytesOneWayHaveNone) {
  for (const Collective collective : measured) {
    if (is_mutual(collective)) continue;
    for (const std::int64_t bytes : {8, 16, 64}) EXPECT_EQ(limit_seconds({collective, 2, bytes}, {.seconds = 1e-3}), 0);
  }
}

TEST(Limit, ArraysLieWhereTheCallerSays) {
  std::size_t asked = 0;
  const Allocate allocate = [&](std::size_t count) { return plain_memory(asked = count); };
  limit_seconds({Collective::all_reduce, 2, 4096}, {.seconds = 1e-3}, allocate);
  EXPECT_GE(asked, 2 * 4096 / sizeof(double));
}

// By the definition of each collective: what no rank has itself. On one core nothing comes from elsewhere, and the more
// cores there are the more does.
TEST(Limit, OnlyWhatMustComesFromOthers) {
  using enum Collective;
  for (const Collective collective : measured) {
    for (int p = 1; p <= 9; ++p) {
      const Cell cell{collective, p, 4096};
      EXPECT_EQ(part_from_others(cell, 1), 0);
      for (int n = 2; n <= p; ++n) {
        EXPECT_GT(part_from_others(cell, n), 0);
        EXPECT_GE(part_from_others(cell, n), part_from_others(cell, n - 1));
        EXPECT_LE(part_from_others(cell, n), 1);
      }
    }
  }
  EXPECT_EQ(part_from_others({broadcast, 4, 4096}, 4), 1);
  EXPECT_EQ(part_from_others({gather, 4, 4096}, 4), 0.75);  // all blocks but the root's own
  EXPECT_EQ(part_from_others({reduce, 4, 4096}, 2), 0.25);  // one vector goes from core to core
}

}  // namespace
}  // namespace tutti::measure
