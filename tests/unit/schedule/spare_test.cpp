#include "schedule/spare.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti {
namespace {

TEST(Spare, HasWhatTheOneBeforeLeft) {
  const Spares spares;
  const int* place = nullptr;
  {
    const Spare<std::vector<int>> first;
    first->assign(100, 7);
    place = first->data();
  }
  const Spare<std::vector<int>> second;
  EXPECT_EQ(second->size(), 100U);
  EXPECT_EQ(second->data(), place);
}

TEST(Spare, IsNobodyElsesWhileItLives) {
  const Spares spares;
  const Spare<std::vector<int>> outer;
  outer->assign(1, 1);
  for (int k = 0; k < 3; ++k) {
    const Spare<std::vector<int>> inner;
    const Spare<std::vector<int>> innermost;
    EXPECT_NE(&*inner, &*outer);
    EXPECT_NE(&*inner, &*innermost);
    inner->assign(2, 2);
  }
  EXPECT_EQ(*outer, std::vector<int>(1, 1));
}

TEST(Spare, IsNewWhereNoneAreKept) {
  {
    const Spares spares;
    const Spare<std::vector<int>> spare;
    spare->assign(3, 3);
  }
  const Spare<std::vector<int>> beside;
  EXPECT_TRUE(beside->empty());
  beside->assign(4, 4);
  const Spares others;
  const Spare<std::vector<int>> first_of_others;
  EXPECT_TRUE(first_of_others->empty());
}

TEST(Spare, OutlivesSparesWithinOthers) {
  const Spares outer;
  {
    const Spares inner;
    const Spare<std::vector<int>> spare;
    spare->assign(5, 5);
  }
  const Spare<std::vector<int>> next;
  EXPECT_EQ(next->size(), 5U);
}

}  // namespace
}  // namespace tutti
