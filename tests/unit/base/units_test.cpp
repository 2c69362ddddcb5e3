/// @file
/// Units: what is printed is read back, and what is no size or time is refused by name.

#include "base/units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/text/one_line.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

template <typename F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  return "no error";
}

TEST(Bytes, KnowsBinaryAndDecimalUnits) {
  EXPECT_EQ(parse_bytes("1e18").count, 1'000'000'000'000'000'000);
  EXPECT_EQ(parse_bytes("0").count, 0);
  EXPECT_EQ(parse_bytes("8B").count, 8);
  EXPECT_EQ(parse_bytes("64KiB").count, 65536);
  EXPECT_EQ(parse_bytes("1.5GiB").count, 1610612736);
  EXPECT_EQ(parse_bytes("100kB").count, 100000);
  EXPECT_EQ(parse_bytes("100KB").count, 100000);
  for (const auto& [letter, unit] :
       {std::pair{"K", "KiB"}, {"k", "KiB"}, {"M", "MiB"}, {"G", "GiB"}, {"T", "TiB"}, {"P", "PiB"}})
    EXPECT_EQ(parse_bytes(std::string("3") + letter), parse_bytes(std::string("3") + unit)) << letter;
  EXPECT_EQ(parse_bytes("7TiB").count, 7LL << 40);
  EXPECT_EQ(parse_bytes("1PiB").count, 1LL << 50);
  EXPECT_EQ(parse_bytes("2PB").count, 2'000'000'000'000'000);
  EXPECT_EQ(text_of(Bytes{1LL << 50}), "1PiB");
  EXPECT_EQ(parse_bytes("9223372036854775807").count, std::numeric_limits<std::int64_t>::max());
}

TEST(Bytes, TakesCommasBetweenThousandsAlone) {
  EXPECT_EQ(parse_bytes("783,992").count, 783992);
  EXPECT_EQ(parse_bytes("1,048,576B").count, 1 << 20);
  EXPECT_EQ(parse_bytes("1,024KiB").count, 1 << 20);
  for (const char* text : {"1,00", "1,0000", ",100", "1234,567", "1,,000", "1,000,", "1.000,5"})
    EXPECT_THAT(message_of([&] { parse_bytes(text); }), testing::HasSubstr("is not a size")) << text;
}

TEST(Bytes, RefusesWhatIsNoSize) {
  for (const char* text : {"",           "KiB",   "-1",     "-1KiB", "nan",       "inf",
                           "1e400",      "64kib", "64 KiB", "0.3B",  "1.0001KiB", "9223372036854775808",
                           "8388608TiB", "8EiB",  "10EB",   "1x",    "1KiBB",     "1..2",
                           "0x10",       "+3"}) {
    EXPECT_THAT(message_of([&] { parse_bytes(text); }), testing::HasSubstr("'" + std::string(text) + "' is not a size"))
        << text;
  }
}

TEST(Bytes, PrintedSizesReadBack) {
  std::mt19937_64 random(20240117);
  for (int k = 0; k < 2000; ++k) {
    const Bytes bytes{static_cast<std::int64_t>(random() >> (1 + random() % 62))};
    EXPECT_EQ(parse_bytes(text_of(bytes)), bytes) << text_of(bytes);
  }
  EXPECT_EQ(text_of(Bytes{65536}), "64KiB");
  EXPECT_EQ(text_of(Bytes{1536}), "1.5KiB");
  EXPECT_EQ(text_of(Bytes{16515072}), "15.75MiB");
  EXPECT_EQ(text_of(Bytes{783992}), "783,992B");
  EXPECT_EQ(text_of(Bytes{783992LL << 10}), "783,992KiB");
  EXPECT_EQ(text_of(Bytes{4097}), "4097B");
  EXPECT_EQ(text_of(Bytes{0}), "0B");
  EXPECT_EQ(text_of(Bytes{1000}), "1000B");
}

TEST(Counted, HasTheNounOfItsNumber) {
  EXPECT_EQ(counted(1, "message"), "1 message");
  EXPECT_EQ(counted(98000, "rank"), "98,000 ranks");
  EXPECT_EQ(counted(12000, "switch", "switches"), "12,000 switches");
  EXPECT_EQ(amount_of(65536, Unit::elements), "65,536 elements");
}

TEST(Grouped, PartsThousandsFromFiveDigitsOn) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(9999), "9999");
  EXPECT_EQ(grouped(10000), "10,000");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Seconds, KnowsItsUnits) {
  EXPECT_EQ(parse_seconds("2.5µs").count, parse_seconds("2.5us").count);
  EXPECT_EQ(parse_seconds("2.5μs").count, parse_seconds("2.5us").count);
  EXPECT_EQ(text_of(parse_seconds("2.5μs")), "2.5us");
  EXPECT_DOUBLE_EQ(parse_seconds("1us").count, 1e-6);
  EXPECT_DOUBLE_EQ(parse_seconds("0.1ns").count, 1e-10);
  EXPECT_DOUBLE_EQ(parse_seconds("5min").count, 300);
  EXPECT_DOUBLE_EQ(parse_seconds("2").count, 2);
  EXPECT_DOUBLE_EQ(parse_seconds("1e-3s").count, 1e-3);
}

TEST(Seconds, RefusesWhatIsNoTime) {
  for (const char* text : {"", "us", "-1s", "nan", "inf", "infs", "1e400s", "1 us", "1kB", "1uss", "1e308h"}) {
    EXPECT_THAT(message_of([&] { parse_seconds(text); }),
                testing::HasSubstr("'" + std::string(text) + "' is not a time"))
        << text;
  }
}

// Sums of times, products with sizes and ranks stay numbers.
TEST(Seconds, RefusesWhatIsLongerThanAnyMachineRuns) {
  EXPECT_EQ(parse_seconds("1e9s").count, 1e9);
  for (const char* text : {"1.001e9s", "1e308s", "300000h", "1e300ps"}) {
    EXPECT_THAT(message_of([&] { parse_seconds(text); }),
                testing::HasSubstr("'" + std::string(text) + "' is too long; times go up to 1e9s"))
        << text;
  }
}

TEST(Seconds, RefusesWhatIsShorterThanQuotientsBear) {
  EXPECT_EQ(parse_seconds("1e-30s").count, 1e-30);
  EXPECT_EQ(parse_seconds("0ns").count, 0);
  for (const char* text : {"1e-31s", "1e-300ns", "1e-310"}) {
    EXPECT_THAT(message_of([&] { parse_seconds(text); }),
                testing::HasSubstr("'" + std::string(text) + "' is too short"))
        << text;
  }
}

TEST(OneLine, HasEscapesForWhatWouldEndItOrSteerATerminal) {
  EXPECT_EQ(one_line("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(one_line("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  // No UTF-8: a byte alone, a character cut off, an overlong one, half of a pair, one beyond the last.
  EXPECT_EQ(one_line("a\xff z"), "a\\xff z");
  EXPECT_FALSE(is_utf8("a\xff z"));
  EXPECT_EQ(one_line("\xe4\xbd"), "\\xe4\\xbd");
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(one_line(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(one_line("\xc2\x85 \xc2\x9b \xe2\x80\xa8 \xe2\x80\xa9"), "\\x85 \\x9b \\u2028 \\u2029");
  for (const std::string text : {"", "Gr\u00fc\u00dfe \u2026 \u2218 \\n", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(one_line(text), text);
    EXPECT_TRUE(is_utf8(text));
  }
}

TEST(OneLine, TwiceIsOnce) {
  std::mt19937_64 random(20240119);
  for (int k = 0; k < 2000; ++k) {
    std::string text(random() % 20, ' ');
    for (char& c : text) c = static_cast<char>(random());
    const std::string once = one_line(text);
    EXPECT_EQ(one_line(once), once);
    EXPECT_EQ(once.find_first_of("\n\r\v\f\x1b"), std::string::npos);
  }
}

TEST(Seconds, PrintedTimesReadBackToFourDigits) {
  std::mt19937_64 random(20240118);
  std::uniform_real_distribution<double> exponent(-12, 3);
  for (int k = 0; k < 2000; ++k) {
    const Seconds time{std::pow(10.0, exponent(random))};
    EXPECT_NEAR(parse_seconds(text_of(time)).count, time.count, 1e-3 * time.count) << text_of(time);
  }
  EXPECT_EQ(text_of(Seconds{12.5e-6}), "12.5us");
  EXPECT_EQ(text_of(Seconds{0}), "0s");
  // A value that rounds to a thousand of a unit is one of the next.
  EXPECT_EQ(text_of(Seconds{999.94e-9}), "999.9ns");
  EXPECT_EQ(text_of(Seconds{999.99e-9}), "1us");
  EXPECT_EQ(text_of(Seconds{0.99999}), "1s");
}

TEST(Integer, NamesItsRange) {
  EXPECT_EQ(parse_integer("-3", "a distance", -5, 5), -3);
  EXPECT_EQ(message_of([] { parse_integer("6", "a root", 0, 5); }), "a root is a whole number from 0 to 5, not '6'");
  for (const char* text : {"", "x", "1.5", "99999999999999999999", "1 ", " 1"}) {
    EXPECT_NE(message_of([&] { parse_integer(text, "a root", 0, 5); }), "no error") << text;
  }
}

TEST(OneLine, IsShortenedInItsMiddle) {
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(shortened("abcdefghij", 4), "ab [… 6 bytes …] ij");
  EXPECT_EQ(shortened("a\xc3\xa4"
                      "bcdef\xc3\xb6z",
                      4),
            "a [… 9 bytes …] z")
      << "no character is cut";
  const std::string line = shortened(std::string(100'000, 'a'));
  EXPECT_LT(line.size(), 2100U);
  EXPECT_EQ(shortened(line, 2100), line);
}

}  // namespace
}  // namespace tutti
