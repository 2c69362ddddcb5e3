/// @file
/// Real numbers in decimal: the longest one at the beginning, and values that stay where there is none.

#include "base/text/real_number.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <system_error>

namespace tutti {
namespace {

struct Read {
  double value = -1;
  std::errc error{};
  std::ptrdiff_t length = 0;
};

Read read(std::string_view text) {
  Read found;
  const auto [end, error] = read_real(text.data(), text.data() + text.size(), found.value);
  found.error = error;
  found.length = end - text.data();
  return found;
}

TEST(RealNumber, IsTheLongestAtTheBeginning) {
  EXPECT_EQ(read("1.5us").value, 1.5);
  EXPECT_EQ(read("1.5us").length, 3);
  EXPECT_EQ(read("-2.5e-3x").value, -2.5e-3);
  EXPECT_EQ(read(".5").value, 0.5);
  EXPECT_EQ(read("1e+").length, 1);
  EXPECT_EQ(read("0x10").length, 1);
  EXPECT_EQ(read("0.1").value, 0.1);
}

TEST(RealNumber, StaysWhereThereIsNone) {
  for (const std::string_view text : {"", "-", "+1", "--1", "-+1", " 1", "x", "\t1"}) {
    EXPECT_EQ(read(text).error, std::errc::invalid_argument) << text;
    EXPECT_EQ(read(text).value, -1) << text;
    EXPECT_EQ(read(text).length, 0) << text;
  }
}

TEST(RealNumber, StaysWhereNoDoubleHoldsIt) {
  EXPECT_EQ(read("1e400").error, std::errc::result_out_of_range);
  EXPECT_EQ(read("1e400").value, -1);
  EXPECT_EQ(read("1e400").length, 5);
}

}  // namespace
}  // namespace tutti
