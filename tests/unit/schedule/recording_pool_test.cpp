#include "schedule/record/recording_pool.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti {
namespace {

TEST(RecordingPool, HasWhatTheOneBeforeLeft) {
  RecordingPool pool;
  const int* place = nullptr;
  {
    const Pooled<std::vector<int>> first(pool);
    first->assign(100, 7);
    place = first->data();
  }
  const Pooled<std::vector<int>> second(pool);
  EXPECT_EQ(second->size(), 100U);
  EXPECT_EQ(second->data(), place);
}

TEST(RecordingPool, LendsToOneAtATime) {
  RecordingPool pool;
  const Pooled<std::vector<int>> outer(pool);
  outer->assign(1, 1);
  for (int k = 0; k < 3; ++k) {
    const Pooled<std::vector<int>> inner(pool);
    const Pooled<std::vector<int>> innermost(pool);
    EXPECT_NE(&*inner, &*outer);
    EXPECT_NE(&*inner, &*innermost);
    inner->assign(2, 2);
  }
  EXPECT_EQ(*outer, std::vector<int>(1, 1));
}

TEST(RecordingPool, KeepsTypesApart) {
  RecordingPool pool;
  { Pooled<std::vector<int>>(pool)->assign(3, 3); }
  { Pooled<std::vector<double>>(pool)->assign(4, 4); }
  const Pooled<std::vector<int>> ints(pool);
  const Pooled<std::vector<double>> doubles(pool);
  EXPECT_EQ(*ints, std::vector<int>(3, 3));
  EXPECT_EQ(*doubles, std::vector<double>(4, 4));
}

TEST(RecordingPool, LeavesNothingToAnother) {
  RecordingPool pool;
  { Pooled<std::vector<int>>(pool)->assign(3, 3); }
  RecordingPool other;
  const Pooled<std::vector<int>> first_of_other(other);
  EXPECT_TRUE(first_of_other->empty());
}

}  // namespace
}  // namespace tutti
