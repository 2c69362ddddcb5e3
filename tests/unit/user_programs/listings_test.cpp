/// @file
/// Listings of the sources in examples/procedures: as mended each does what it says over all ranks that it is for, and
/// as printed each is refused where the print is wrong, for the reason that its head gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "schedule/model/problem.hpp"
#include "user_programs/user_program.hpp"

namespace tutti {
namespace {

using Kind = ProofFailure::Kind;

const std::filesystem::path folder = TUTTI_PROJECT_DIR "/examples/procedures";
constexpr int most_ranks = 17;
constexpr std::int64_t bytes = 8;

std::string text_of(const std::string& name) {
  std::ifstream file(folder / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Failures of listings whose print is wrong; those that are not here are right.
const std::map<std::string, Kind> wrong{
    {"procedure-3.printed.txt", Kind::deadlock},      {"procedure-4.printed.txt", Kind::deadlock},
    {"procedure-5.printed.txt", Kind::deadlock},      {"procedure-6.printed.txt", Kind::deadlock},
    {"procedure-7.printed.txt", Kind::deadlock},      {"procedure-11.printed.txt", Kind::wrong_result},
    {"procedure-12.printed.txt", Kind::wrong_result},
};

std::optional<ProofFailure> failure(const std::string& name, const ProgramRequest& request) {
  return failure_of(program_of_text(text_of(name), name, request));
}

bool has_root_of_ones_own(const std::string& text) {
  return text.find(" from source:") != std::string::npos || text.find(" from root:") != std::string::npos;
}

std::vector<std::string> listings(const std::function<bool(const std::string& name)>& wanted) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (wanted(entry.path().filename())) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_mended(const std::string& name) { return name.find(".mended.") != std::string::npos; }
bool is_right(const std::string& name) { return !wrong.contains(name); }

std::string name_of_case(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

// Calls `look` for each number of ranks that the listing is for, and each root where it has one.
template <typename Look>
void for_each_shape(const std::string& name, Look&& look) {
  const std::string text = text_of(name);
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    if (!promises(text, name, ranks)) continue;
    for (int root = 0; root < (has_root_of_ones_own(text) ? ranks : 1); ++root)
      look(ProgramRequest{.ranks = ranks, .bytes = bytes, .root = root > 0 ? std::optional<int>(root) : std::nullopt});
  }
}

class RightListing : public testing::TestWithParam<std::string> {};

TEST_P(RightListing, DoesWhatItSaysOverAllRanksThatItIsFor) {
  int tried = 0;
  for_each_shape(GetParam(), [&](const ProgramRequest& request) {
    const auto fails = failure(GetParam(), request);
    EXPECT_FALSE(fails) << request.ranks << " ranks, root " << request.root.value_or(0) << ": " << describe(*fails);
    ++tried;
  });
  EXPECT_GT(tried, 3);
}

TEST_P(RightListing, IsRightOverAnyRanksWithVirtualProcesses) {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const auto fails = failure(GetParam(), {.ranks = ranks, .bytes = bytes, .patch = true});
    EXPECT_FALSE(fails) << ranks << " ranks: " << describe(*fails);
  }
}

INSTANTIATE_TEST_SUITE_P(Procedures, RightListing, testing::ValuesIn(listings(is_right)), name_of_case);

class WrongListing : public testing::TestWithParam<std::string> {};

TEST_P(WrongListing, IsRefusedOverMoreThanTwoRanksForItsReason) {
  int tried = 0;
  for_each_shape(GetParam(), [&](const ProgramRequest& request) {
    if (request.ranks <= 2) return;
    const auto fails = failure(GetParam(), request);
    ASSERT_TRUE(fails) << request.ranks << " ranks, root " << request.root.value_or(0);
    EXPECT_EQ(fails->kind, wrong.at(GetParam())) << request.ranks << " ranks: " << describe(*fails);
    ++tried;
  });
  EXPECT_GT(tried, 1);
}

INSTANTIATE_TEST_SUITE_P(Procedures, WrongListing,
                         testing::ValuesIn(listings([](const std::string& name) { return !is_right(name); })),
                         name_of_case);

class MendedListing : public testing::TestWithParam<std::string> {};

// Lines marked in a mended listing are all that differs from the print, but for comments, blanks and what is left out.
TEST_P(MendedListing, MarksWhereItDiffersFromThePrint) {
  const std::string name = GetParam();
  const std::string printed = text_of(name.substr(0, name.find(".mended.")) + ".printed.txt");
  const auto bare = [](std::string line) {
    line.resize(std::min({line.find('#'), line.find("//"), line.find("/*"), line.size()}));
    line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
    return line;
  };
  std::set<std::string> lines;
  std::istringstream print(printed);
  for (std::string line; std::getline(print, line);) lines.insert(bare(line));
  std::istringstream mended(text_of(name));
  int marked = 0;
  for (std::string line; std::getline(mended, line);) {
    const bool is_marked = line.find("# mended") != std::string::npos;
    marked += is_marked ? 1 : 0;
    EXPECT_TRUE(is_marked || lines.contains(bare(line))) << line;
  }
  EXPECT_GT(marked, 0);
}

INSTANTIATE_TEST_SUITE_P(Procedures, MendedListing, testing::ValuesIn(listings(is_mended)), name_of_case);

TEST(Listings, HaveEachProcedureAsPrintedAndAsMendedWhereThePrintIsWrong) {
  for (int number = 1; number <= 13; ++number) {
    const std::string name = "procedure-" + std::to_string(number);
    EXPECT_TRUE(std::filesystem::exists(folder / (name + ".printed.txt"))) << name;
    if (wrong.contains(name + ".printed.txt")) {
      EXPECT_TRUE(std::filesystem::exists(folder / (name + ".mended.txt"))) << name;
    }
  }
}

// A procedure that needs a power of two shows with six ranks at which line it breaks.
TEST(Listings, BreakAtALineWhereThereAreTooFewRanks) {
  const auto broken = failure("procedure-1.printed.txt", {.ranks = 6, .bytes = bytes});
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, Kind::malformed);
  EXPECT_THAT(broken->reason, testing::HasSubstr("'send X to (virtual_dest XOR source)' is to rank 6"));
  const UserProgram program =
      program_of_text(text_of("procedure-10.printed.txt"), "reduce", {.ranks = 6, .bytes = bytes});
  EXPECT_TRUE(failure_of(program));
  EXPECT_FALSE(program.trace.fits);
  EXPECT_FALSE(failure("procedure-10.mended.txt", {.ranks = 6, .bytes = bytes}));
}

TEST(Listings, GiveTheNumbersOfTheSources) {
  const UserProgram circle = program_of_text(text_of("procedure-13.printed.txt"), "circle", {.bytes = bytes});
  std::vector<std::string> rows;
  for (const PrintedRow& row : circle.trace.printed) {
    rows.emplace_back();
    for (const std::string& value : row.values) rows.back() += value;
  }
  EXPECT_THAT(rows, testing::ElementsAre("667384", "466738", "846673", "384667", "738466", "673846", "667384"));
  const UserProgram average = program_of_text(text_of("averaging.txt"), "average", {.bytes = bytes});
  EXPECT_THAT(average.trace.outcome, testing::Each("(a + b + c + d)/4"));
  EXPECT_THAT(average.trace.printed.front().values, testing::ElementsAre("a + b", "a + b", "c + d", "c + d"));
}

}  // namespace
}  // namespace tutti
