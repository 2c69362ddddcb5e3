/// @file
/// Tables: aligned, and as narrow as they are asked to be without cutting a word.

#include "base/text/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

namespace tutti {
namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  std::sort(words.begin(), words.end());
  return words;
}

TEST(Table, AlignsColumns) {
  EXPECT_EQ(table_of({{"A", "B"}, {"long", "x"}, {"é", ""}}), "A     B\nlong  x\né\n");
  EXPECT_EQ(table_of({{"A", "B"}, {"全交换", "x"}}), "A       B\n全交换  x\n") << "letters of two columns";
  EXPECT_EQ(table_of({}), "");
}

TEST(Table, FoldsTextsWithinTheirCells) {
  const TableRows rows{{"NAME", "WHAT"}, {"ring", "every rank sends to the next one"}};
  EXPECT_EQ(table_of(rows, {.width = 24}), "NAME  WHAT\nring  every rank sends\n      to the next one\n");
  EXPECT_EQ(table_of(rows, {.width = 38}), table_of(rows)) << "as wide as it needs, it stays";
}

// Lines of a program keep their depth, and say that they go on by two blanks more.
TEST(Table, KeepsTheDepthOfWhatIsFolded) {
  const TableRows rows{{"LINE", "TEXT"}, {"1", "  if (me and mask) = 0 then"}, {"2", "    send X to me xor 2"}};
  EXPECT_EQ(table_of(rows, {.width = 24}),
            "LINE  TEXT\n1       if (me and mask)\n          = 0 then\n2         send X to me\n            xor 2\n");
}

// Short texts, too, where nothing else can give way; no word is cut.
TEST(Table, FoldsToTheLongestWordOnScreensThatAreNarrow) {
  const TableRows rows{{"NAME", "TIMES THE BOUND"}, {"doubling", "2.024"}};
  EXPECT_EQ(table_of(rows, {.width = 19}), "NAME      TIMES THE\n          BOUND\ndoubling  2.024\n");
  EXPECT_EQ(table_of(rows, {.width = 14}), table_of(rows)) << "what does not suffice is not done";
}

// Last of all, where whole words have no room; numbers and options are not parted.
TEST(Table, PartsWordsBehindHyphens) {
  const TableRows rows{{"NAME", "WHAT"}, {"recursive-doubling", "procedure-10 and --to 0-7 by a-b-c"}};
  EXPECT_EQ(table_of(rows, {.width = 24}),
            "NAME        WHAT\nrecursive-  procedure-10\ndoubling    and --to 0-7\n            by a-b-c\n");
  EXPECT_EQ(table_of(rows, {.width = 23}), table_of(rows, {.width = 36})) << "what does not suffice is not done";
  EXPECT_EQ(table_of({{"A", "all-to-all by all-gather"}}, {.width = 12}),
            "A  all-to-\n   all by\n   all-\n   gather\n");
}

TEST(Table, InPartsHasAllColumns) {
  const TableRows rows{{"P", "0-1", "1-2", "2-3"}, {"1", "10us", "20us", "30us"}, {"2", "11us", "21us"}};
  EXPECT_EQ(table_in_parts(rows), table_of(rows));
  EXPECT_EQ(table_in_parts(rows, {.width = 19}), table_of(rows));
  EXPECT_EQ(table_in_parts(rows, {.width = 18}), "P  0-1   1-2\n1  10us  20us\n2  11us  21us\n\nP  2-3\n1  30us\n2\n");
  EXPECT_EQ(table_in_parts(rows, {.width = 2}),
            "P  0-1\n1  10us\n2  11us\n\nP  1-2\n1  20us\n2  21us\n\nP  2-3\n1  30us\n2\n");
  EXPECT_EQ(table_in_parts({{"P"}, {"1"}}), "P\n1\n");
}

TEST(Table, ColumnsGiveWayInTheirOrder) {
  const TableRows rows{{"NAME", "COUNT", "SIZE"}, {"a-long-name", "123456789", "1234567"}};
  EXPECT_EQ(table_of(rows, {.width = 24, .expendable = {1, 2}}), "NAME         SIZE\na-long-name  1234567\n");
  EXPECT_EQ(table_of(rows, {.width = 12, .expendable = {1, 2}}), "NAME\na-long-name\n");
  EXPECT_EQ(table_of(rows, {.width = 12}), table_of(rows)) << "numbers are not cut";
}

// Also where the text of a column that is left out stands in another one.
TEST(Table, SaysBelowThatColumnsWereLeftOut) {
  const TableRows rows{{"RANK 10", "RANK 1"}, {"sends", "receives"}};
  const std::string_view words = "others do the like";
  EXPECT_EQ(table_of(rows, {.width = 17, .expendable = {1}, .where_left_out = words}), table_of(rows));
  EXPECT_EQ(table_of(rows, {.width = 10, .expendable = {1}, .where_left_out = words}),
            "RANK 10\nsends\nothers do\nthe like\n");
}

TEST(Table, AHeadingIsBoldAsAWhole) {
  EXPECT_EQ(table_of({{"A", "B"}, {"1", "2"}}, {.bold_heading = true}), "\033[1mA  B\033[0m\n1  2\n");
}

// No line is longer than asked for where the longest words leave room; no word is lost or cut.
TEST(Table, OfAnyTextsFitsAndLosesNothing) {
  std::mt19937 random(20250111);
  for (int round = 0; round < 300; ++round) {
    TableRows rows;
    std::string all;
    for (int row = 0; row < 4; ++row) {
      rows.emplace_back();
      for (int column = 0; column < 3; ++column) {
        std::string cell;
        for (unsigned word = 0; word < random() % 9; ++word)
          cell += (cell.empty() ? "" : " ") + std::string(1 + random() % 9, 'w');
        all += cell + ' ';
        rows.back().push_back(cell);
      }
    }
    const int width = 52 + static_cast<int>(random() % 60);  // three columns of 16, and two gaps
    const std::string text = table_of(rows, {.width = width});
    for (const std::string& line : lines_in(text)) EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << text;
    EXPECT_EQ(words_in(text), words_in(all));
  }
}

TEST(Folded, BreaksAtBlanksAlone) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(folded("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(folded("one two three", 0), (Lines{"one two three"}));
  EXPECT_EQ(folded("incomprehensibilities are", 5), (Lines{"incomprehensibilities", "are"}));
  EXPECT_EQ(folded("", 5), (Lines{""}));
  EXPECT_EQ(folded("  one two three", 9), (Lines{"  one two", "    three"}));
}

}  // namespace
}  // namespace tutti
