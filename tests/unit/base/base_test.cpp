/// @file
/// Laws of the base room: integers, grid shapes, interval maps.

#include <gtest/gtest.h>

#include <vector>

#include "base/integers.hpp"
#include "base/shape.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

TEST(Integers, LogarithmsBracketTheirArgument) {
  for (int p = 1; p <= 5000; ++p) {
    EXPECT_GE(1 << ceil_log2(p), p);
    EXPECT_TRUE(p == 1 || (1 << (ceil_log2(p) - 1)) < p) << p;
    EXPECT_LE(floor_power_of_two(p), p);
    EXPECT_GT(2 * floor_power_of_two(p), p);
    EXPECT_EQ(is_power_of_two(p), ceil_power_of_two(p) == floor_power_of_two(p));
  }
}

TEST(Integers, ModuloIsPeriodicAndNeverNegative) {
  for (int n = 1; n <= 9; ++n) {
    for (int a = -30; a <= 30; ++a) {
      EXPECT_GE(modulo(a, n), 0);
      EXPECT_LT(modulo(a, n), n);
      EXPECT_EQ(modulo(a, n), modulo(a + n, n));
    }
  }
}

TEST(Shape, CoordinatesAndStridesRebuildTheRank) {
  for (const Shape& grid : {Shape{1}, Shape{7}, Shape{3, 4}, Shape{4, 3}, Shape{2, 3, 5}, Shape{1, 6, 1}}) {
    for (int rank = 0; rank < grid.size(); ++rank) {
      int rebuilt = 0;
      for (int d = 0; d < grid.dimensions(); ++d) rebuilt += grid.coordinate(rank, d) * grid.stride(d);
      EXPECT_EQ(rebuilt, rank);
    }
  }
}

TEST(Shape, NearestCubeHasTheSizeAndIsSquareWhereThatCanBe) {
  for (int p = 1; p <= 300; ++p) {
    for (int dimensions = 1; dimensions <= 4; ++dimensions) {
      const Shape grid = Shape::nearest_cube(p, dimensions);
      EXPECT_EQ(grid.size(), p);
      EXPECT_EQ(grid.dimensions(), dimensions);
    }
  }
  for (int r = 1; r <= 30; ++r) EXPECT_EQ(Shape::nearest_cube(r * r, 2), (Shape{r, r}));
  for (int c = 1; c <= 10; ++c) EXPECT_EQ(Shape::nearest_cube(c * c * c, 3), (Shape{c, c, c}));
}

TEST(Shape, RefusesExtentsThatAreNoGrid) {
  EXPECT_THROW((Shape{0}), Error);
  EXPECT_THROW((Shape{4, -1}), Error);
  EXPECT_THROW((Shape{1 << 16, 1 << 16}), Error);
  EXPECT_THROW(Shape::nearest_cube(0, 2), Error);
}

}  // namespace
}  // namespace tutti
