/// @file
/// The table by which collectives are left to MPI.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "mpi_job/process/fallback_table.hpp"

namespace tutti::interpose {
namespace {

bool is_left(const FallbackTable& table, ServedCollective collective, int ranks, std::int64_t bytes,
             bool several_hosts = false) {
  return FallbackTable::is_left(table.row(FallbackTable::row_of(ranks, several_hosts)), collective, bytes);
}

TEST(FallbackTable, LeavesNothingByItself) {
  for (const std::int64_t bytes : FallbackTable::measured_bytes)
    EXPECT_FALSE(is_left(FallbackTable(), ServedCollective::broadcast, 2, bytes));
}

TEST(FallbackTable, ASizeBelongsToTheMeasuredOneThatIsNearest) {
  EXPECT_EQ(FallbackTable::class_of(0), 0U);
  for (std::size_t k = 0; k < FallbackTable::measured_bytes.size(); ++k) {
    EXPECT_EQ(FallbackTable::class_of(FallbackTable::measured_bytes[k]), k);
    if (k == 0) continue;
    const double middle = std::sqrt(static_cast<double>(FallbackTable::measured_bytes[k - 1]) *
                                    static_cast<double>(FallbackTable::measured_bytes[k]));
    EXPECT_EQ(FallbackTable::class_of(static_cast<std::int64_t>(middle / 2)), k - 1);
    EXPECT_EQ(FallbackTable::class_of(static_cast<std::int64_t>(middle * 2)), k);
  }
  EXPECT_EQ(FallbackTable::class_of(std::int64_t{1} << 40), FallbackTable::measured_bytes.size() - 1);
}

TEST(FallbackTable, EveryNumberOfRanksHasARow) {
  std::size_t before = 0;
  for (int ranks = 1; ranks < 5000; ++ranks) {
    const std::size_t row = FallbackTable::row_of(ranks);
    EXPECT_LT(row, FallbackTable::rows);
    EXPECT_GE(row, before);
    before = row;
  }
  EXPECT_EQ(FallbackTable::row_of(2), 0U);
  EXPECT_EQ(FallbackTable::row_of(3), 1U);
  EXPECT_EQ(before, FallbackTable::rows - 2);
  EXPECT_EQ(FallbackTable::row_of(2, true), FallbackTable::rows - 1);
  EXPECT_EQ(FallbackTable::row_of(3000, true), FallbackTable::rows - 1);
}

TEST(FallbackTable, WhatIsWrittenIsRead) {
  FallbackTable table;
  table.leave(ServedCollective::all_to_all, FallbackTable::row_of(4), FallbackTable::class_of(65536), true);
  table.leave(ServedCollective::gather_v);
  table.leave(ServedCollective::scan, FallbackTable::row_of(4, true), FallbackTable::class_of(8), true);
  FallbackTable read;
  EXPECT_EQ(read.read(table.text()), "");
  EXPECT_EQ(read.text(), table.text());
  EXPECT_TRUE(is_left(read, ServedCollective::all_to_all, 3, 100'000));
  EXPECT_FALSE(is_left(read, ServedCollective::all_to_all, 2, 100'000));
  EXPECT_TRUE(is_left(read, ServedCollective::gather_v, 1000, 1));
  EXPECT_TRUE(is_left(read, ServedCollective::scan, 4, 8, true));
  EXPECT_FALSE(is_left(read, ServedCollective::scan, 4, 8));
}

TEST(FallbackTable, WhatWasMeasuredIsThere) {
  for (const char* const mpi : {"openmpi", "mpich"}) {
    const FallbackTable table = FallbackTable::built_in(mpi);
    EXPECT_FALSE(is_left(table, ServedCollective::all_reduce, 2, 8)) << mpi;
    for (const ServedCollective by_counts :
         {ServedCollective::gather_v, ServedCollective::scatter_v, ServedCollective::all_to_all_v}) {
      EXPECT_FALSE(is_left(table, by_counts, 2, 8)) << mpi;
      EXPECT_FALSE(is_left(table, by_counts, 400, 8)) << mpi;
    }
    EXPECT_FALSE(is_left(table, ServedCollective::broadcast, 16, 8)) << mpi;
  }
  const FallbackTable table = FallbackTable::built_in("openmpi");
  EXPECT_TRUE(is_left(table, ServedCollective::broadcast, 4, 8))
      << "few ranks of Open MPI broadcast eight bytes sooner";
  EXPECT_TRUE(is_left(table, ServedCollective::broadcast, 8, 8)) << "as those of four, where nothing else is said";
}

TEST(FallbackTable, ALineThatIsNoneIsNamed) {
  for (const char* const line : {"2 broadcast ttttt", "2 broadcast ttttttt", "2 broadcast tttttx", "4 broadcast tttttt",
                                 "2 sing tttttt", "broadcast", "2 broadcast tttttt more", "x"}) {
    FallbackTable table;
    EXPECT_EQ(table.read(std::string("# said before\n3 reduce mmmmmm\n") + line + "\n2 reduce mmmmmm\n"), line);
    EXPECT_TRUE(is_left(table, ServedCollective::reduce, 3, 8));
  }
}

TEST(FallbackTable, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(FallbackTable::mistake_in("2 broadcast tttttm"), "");
  for (const auto& [line, mistake] :
       {std::pair{"4 broadcast tttttt",
                  "a line begins with a least number of ranks, which is 2 or 3 or 5 or 9, or with hosts, not with '4'"},
        std::pair{"2 sing tttttt", "there is no collective 'sing'"},
        std::pair{"2 broadcast ttttt", "after a collective stand 6 letters, m for MPI or t for tutti, not 'ttttt'"},
        std::pair{"2 broadcast tttttt more", "after its letters a line ends, and has no 'more'"}}) {
    EXPECT_EQ(FallbackTable::mistake_in(line), mistake);
  }
}

TEST(FallbackTable, IsToldFromOtherFiles) {
  EXPECT_TRUE(FallbackTable::is_one(""));
  EXPECT_TRUE(FallbackTable::is_one(FallbackTable().text()));
  EXPECT_TRUE(FallbackTable::is_one(FallbackTable().text() + "a line of another version\n"));
  EXPECT_TRUE(FallbackTable::is_one("# said before\n3 reduce mmmmmm\n"));
  EXPECT_FALSE(FallbackTable::is_one("root:x:0:0:root:/root:/bin/bash\n"));
}

}  // namespace
}  // namespace tutti::interpose
