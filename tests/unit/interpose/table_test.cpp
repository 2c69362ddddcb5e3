/// @file
/// The table by which collectives are left to MPI.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "interpose/table.hpp"

namespace tutti::interpose {
namespace {

bool is_left(const Table& table, TakenOver collective, int ranks, std::int64_t bytes, bool several_hosts = false) {
  return Table::is_left(table.row(Table::row_of(ranks, several_hosts)), collective, bytes);
}

TEST(Table, LeavesNothingByItself) {
  for (const std::int64_t bytes : Table::measured_bytes) EXPECT_FALSE(is_left(Table(), TakenOver::broadcast, 2, bytes));
}

TEST(Table, ASizeBelongsToTheMeasuredOneThatIsNearest) {
  EXPECT_EQ(Table::class_of(0), 0U);
  for (std::size_t k = 0; k < Table::measured_bytes.size(); ++k) {
    EXPECT_EQ(Table::class_of(Table::measured_bytes[k]), k);
    if (k == 0) continue;
    const double middle =
        std::sqrt(static_cast<double>(Table::measured_bytes[k - 1]) * static_cast<double>(Table::measured_bytes[k]));
    EXPECT_EQ(Table::class_of(static_cast<std::int64_t>(middle / 2)), k - 1);
    EXPECT_EQ(Table::class_of(static_cast<std::int64_t>(middle * 2)), k);
  }
  EXPECT_EQ(Table::class_of(std::int64_t{1} << 40), Table::measured_bytes.size() - 1);
}

TEST(Table, EveryNumberOfRanksHasARow) {
  std::size_t before = 0;
  for (int ranks = 1; ranks < 5000; ++ranks) {
    const std::size_t row = Table::row_of(ranks);
    EXPECT_LT(row, Table::rows);
    EXPECT_GE(row, before);
    before = row;
  }
  EXPECT_EQ(Table::row_of(2), 0U);
  EXPECT_EQ(Table::row_of(3), 1U);
  EXPECT_EQ(before, Table::rows - 2);
  EXPECT_EQ(Table::row_of(2, true), Table::rows - 1);
  EXPECT_EQ(Table::row_of(3000, true), Table::rows - 1);
}

TEST(Table, WhatIsWrittenIsRead) {
  Table table;
  table.leave(TakenOver::all_to_all, Table::row_of(4), Table::class_of(65536), true);
  table.leave(TakenOver::gather_v);
  table.leave(TakenOver::scan, Table::row_of(4, true), Table::class_of(8), true);
  Table read;
  EXPECT_EQ(read.read(table.text()), "");
  EXPECT_EQ(read.text(), table.text());
  EXPECT_TRUE(is_left(read, TakenOver::all_to_all, 3, 100'000));
  EXPECT_FALSE(is_left(read, TakenOver::all_to_all, 2, 100'000));
  EXPECT_TRUE(is_left(read, TakenOver::gather_v, 1000, 1));
  EXPECT_TRUE(is_left(read, TakenOver::scan, 4, 8, true));
  EXPECT_FALSE(is_left(read, TakenOver::scan, 4, 8));
}

TEST(Table, WhatWasMeasuredIsThere) {
  for (const char* const mpi : {"openmpi", "mpich"}) {
    const Table table = Table::built_in(mpi);
    EXPECT_FALSE(is_left(table, TakenOver::all_reduce, 2, 8)) << mpi;
    EXPECT_TRUE(is_left(table, TakenOver::scatter_v, 2, 8)) << mpi;
    EXPECT_EQ(is_left(table, TakenOver::scatter_v, 4, 8), is_left(table, TakenOver::scatter_v, 400, 8)) << mpi;
    EXPECT_FALSE(is_left(table, TakenOver::broadcast, 16, 8)) << mpi;
  }
  const Table table = Table::built_in("openmpi");
  EXPECT_TRUE(is_left(table, TakenOver::broadcast, 4, 8)) << "few ranks of Open MPI broadcast eight bytes sooner";
  EXPECT_TRUE(is_left(table, TakenOver::broadcast, 8, 8)) << "as those of four, where nothing else is said";
}

TEST(Table, ALineThatIsNoneIsNamed) {
  for (const char* const line : {"2 broadcast ttttt", "2 broadcast ttttttt", "2 broadcast tttttx", "4 broadcast tttttt",
                                 "2 sing tttttt", "broadcast", "2 broadcast tttttt more", "x"}) {
    Table table;
    EXPECT_EQ(table.read(std::string("# said before\n3 reduce mmmmmm\n") + line + "\n2 reduce mmmmmm\n"), line);
    EXPECT_TRUE(is_left(table, TakenOver::reduce, 3, 8));
  }
}

TEST(Table, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(Table::mistake_in("2 broadcast tttttm"), "");
  for (const auto& [line, mistake] :
       {std::pair{"4 broadcast tttttt",
                  "a line begins with a least number of ranks, which is 2 or 3 or 5 or 9, or with hosts, not with '4'"},
        std::pair{"2 sing tttttt", "there is no collective 'sing'"},
        std::pair{"2 broadcast ttttt", "after a collective stand 6 letters, m for MPI or t for tutti, not 'ttttt'"},
        std::pair{"2 broadcast tttttt more", "after its letters a line ends, and has no 'more'"}}) {
    EXPECT_EQ(Table::mistake_in(line), mistake);
  }
}

TEST(Table, IsToldFromOtherFiles) {
  EXPECT_TRUE(Table::is_one(""));
  EXPECT_TRUE(Table::is_one(Table().text()));
  EXPECT_TRUE(Table::is_one(Table().text() + "a line of another version\n"));
  EXPECT_TRUE(Table::is_one("# said before\n3 reduce mmmmmm\n"));
  EXPECT_FALSE(Table::is_one("root:x:0:0:root:/root:/bin/bash\n"));
}

}  // namespace
}  // namespace tutti::interpose
