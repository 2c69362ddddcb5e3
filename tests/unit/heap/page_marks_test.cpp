/// @file
/// Marks of pages against a row of bools.

#include "heap/arena/page_marks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tutti::heap {
namespace {

TEST(PageMarks, AreThoseThatWereSetAndNotCleared) {
  constexpr unsigned seed = 20261122;
  SCOPED_TRACE(seed);
  constexpr std::size_t pages = 300;
  std::mt19937 random(seed);
  PageMarks marks;
  ASSERT_TRUE(marks.reserve(pages * page));
  std::vector<bool> expected(pages);
  for (int turn = 0; turn < 4000; ++turn) {
    const std::size_t first = random() % pages;
    const std::size_t n = 1 + random() % std::min<std::size_t>(pages - first, turn % 2 == 0 ? 5 : pages);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(n);
    ASSERT_EQ(marks.marked(first * page, n * page), static_cast<std::size_t>(std::count(begin, end, true)) * page);
    std::vector<bool> seen(pages);
    marks.for_each_run(first * page, n * page, [&](std::size_t offset, std::size_t bytes) {
      for (std::size_t at = offset / page; at < (offset + bytes) / page; ++at) seen[at] = true;
    });
    for (std::size_t at = first; at < first + n; ++at) ASSERT_EQ(seen[at], expected[at]) << at;
    ASSERT_EQ(std::count(seen.begin(), seen.end(), true), std::count(begin, end, true)) << "beyond the range";
    const bool sets = random() % 2 == 0;
    if (sets) {
      marks.set(first * page, n * page);
    } else {
      marks.clear(first * page, n * page);
    }
    std::fill(begin, end, sets);
  }
  marks.clear();
  EXPECT_EQ(marks.marked(0, pages * page), 0U);
  marks.release();
}

}  // namespace
}  // namespace tutti::heap
