/// @file
/// `tutti price` and `tutti textbook`: the JSON fields that docs/reference promises, the printed page, and bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/command_json.hpp"
#include "support/sanitizers.hpp"
#include "textbook/tables.hpp"

namespace tutti::test {
namespace {

using ::testing::UnorderedElementsAre;

Json rows_of(const std::string& line) { return json(line + " --json"); }

TEST(TextbookCommand, PrintsEveryRow) {
  const Json rows = rows_of("textbook --ranks 64 --bytes 2KiB --ts 3us --tw 2ns --th 50ns");
  ASSERT_EQ(rows.size(), textbook::rows().size());
  for (const Json& row : rows) {
    EXPECT_THAT(keys_of(row), UnorderedElementsAre("id", "collective", "algorithm", "topology", "switching", "formula",
                                                   "closed_form_seconds", "simulated_seconds", "bound_seconds",
                                                   "agrees", "note", "sources"));
    EXPECT_NE(row["closed_form_seconds"].is_null(), row["bound_seconds"].is_null());
    EXPECT_TRUE(row["agrees"]);
  }
  const Json one = rows_of("textbook --row broadcast.linear.ab --ranks 8 --bytes 1000 --ts 3us --tw 2ns");
  EXPECT_NEAR(one[0]["closed_form_seconds"].get<double>(), 7 * (3e-6 + 2e-9 * 1000), 1e-15);
}

TEST(TextbookCommand, SaysWhatRowsNeed) {
  const Json row = rows_of("textbook --row broadcast.hypercube.sf --ranks 6")[0];
  EXPECT_TRUE(row["simulated_seconds"].is_null());
  EXPECT_EQ(row["note"], "needs p = 2^d");
  EXPECT_EQ(rows_of("textbook --row all-reduce.ring.sf --ranks 7 --bytes 8")[0]["note"], "needs an m that p divides");
}

TEST(TextbookCommand, PrintsTheDocumentation) {
  std::ifstream page(TUTTI_PROJECT_DIR "/docs/textbook.md", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_TRUE(text.ends_with("\n\n" + tutti("textbook --markdown").out))
      << "the table is to be what tutti textbook --markdown prints";
  EXPECT_THAT(tutti("textbook --sources --row all-to-all.bruck.ab").out, ::testing::HasSubstr("Lecture notes"));
}

TEST(PriceCommand, RanksByTime) {
  const Json report = rows_of("price all-reduce --ranks 16 --bytes 1KiB..16KiB --tc 0.1ns");
  EXPECT_THAT(keys_of(report),
              UnorderedElementsAre("collective", "ranks", "topology", "switching", "machine", "traffic", "sizes",
                                   "winners", "winners_between_sizes", "not_simulated"));
  EXPECT_EQ(report["sizes"].size(), 5U);
  for (const Json& size : report["sizes"]) {
    EXPECT_THAT(keys_of(size), UnorderedElementsAre("bytes", "lower_bound", "algorithms"));
    EXPECT_THAT(keys_of(size["lower_bound"]), UnorderedElementsAre("seconds", "name", "reason", "source"));
    double last = 0;
    for (const Json& offer : size["algorithms"]) {
      EXPECT_THAT(keys_of(offer),
                  UnorderedElementsAre("algorithm", "basis", "formula", "segments", "seconds", "ratio", "source"));
      EXPECT_GE(offer["seconds"].get<double>(), last * (1 - 2e-9));
      EXPECT_GE(offer["ratio"].get<double>(), 1 - 1e-9);
      last = offer["seconds"];
    }
  }
}

// The winner on either side of every change is the one that the ranking puts first.
TEST(PriceCommand, ChangesTheWinnerWhereTheRankingDoes) {
  const Json winners = rows_of("price broadcast --ranks 12 --bytes 1B..64MiB")["winners"];
  EXPECT_GE(winners.size(), 2U);
  std::int64_t next = 1;
  for (const Json& reign : winners) {
    EXPECT_EQ(reign["from_bytes"], next);
    next = reign["to_bytes"].get<std::int64_t>() + 1;
    for (const char* end : {"from_bytes", "to_bytes"}) {
      const Json size =
          rows_of("price broadcast --ranks 12 --bytes " + std::to_string(reign[end].get<std::int64_t>()))["sizes"][0];
      EXPECT_EQ(size["algorithms"][0]["algorithm"], reign["algorithm"]);
    }
  }
  EXPECT_EQ(next, (64 << 20) + 1);
}

TEST(PriceCommand, SimulatesWhereThereIsNoForm) {
  const Json offers = rows_of("price broadcast --topology star:6 --bytes 8")["sizes"][0]["algorithms"];
  for (const Json& offer : offers) {
    EXPECT_TRUE(offer["formula"].is_null());
    EXPECT_EQ(offer["basis"], "simulation");
    EXPECT_GE(offer["ratio"].get<double>(), 1 - 1e-9);
  }
  EXPECT_FALSE(offers.empty());
  EXPECT_THAT(tutti("price broadcast --topology star:6 --bytes 8").out, ::testing::HasSubstr("simulated"));
}

// The ring of 16 that stores and forwards was the fastest both times without simulation.
TEST(PriceCommand, FindsTheFastestAmongFormsAndSimulations) {
  const std::string ring = " --topology ring:16 --switching store-and-forward --bytes ";
  const Json few = rows_of("price all-reduce" + ring + "64")["sizes"][0]["algorithms"];
  EXPECT_EQ(few[0]["algorithm"], "recursive-doubling");
  EXPECT_EQ(few[0]["basis"], "simulation");
  EXPECT_EQ(rows_of("price broadcast" + ring + "16MiB")["sizes"][0]["algorithms"][0]["algorithm"], "chain");
}

TEST(PriceCommand, SaysWhatIsTooLargeToSimulate) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  const Json report = rows_of("price all-reduce --topology fat-tree:2x18 --bytes 1B..1GiB");
  EXPECT_EQ(report["sizes"].size(), 31U);
  // Messages of less may be in reach.
  for (const Json& offer : report["sizes"][30]["algorithms"]) {
    EXPECT_TRUE(offer["seconds"].is_null() && offer["basis"].is_null() && offer["ratio"].is_null());
    EXPECT_THAT(report["not_simulated"], ::testing::Contains(offer["algorithm"]));
  }
  EXPECT_THAT(tutti("price all-reduce --topology fat-tree:2x18 --bytes 8").out,
              ::testing::HasSubstr("not simulated (too large)"));
}

TEST(PriceAndTextbook, RefuseBadInputInOneLine) {
  for (const char* line :
       {"price", "price broadcast --ranks 4", "price broadcast --ranks 4 --bytes 9..3",
        "price broadcast --ranks 4 --bytes 99TiB..99PiB", "price broadcast --ranks 3..4 --bytes 8",
        "price barrier --ranks 4 --bytes 8", "price reduce --ranks 4 --bytes 8 --algorithm ringg",
        "price reduce --ranks 4 --bytes 8 --root 4", "price reduce --ranks 4 --bytes 8 --ts -1us",
        "price broadcast --topology mesh:4x --bytes 8", "price broadcast --topology mesh:4x4 --ranks 8 --bytes 8",
        "textbook --bytes 0", "textbook --ranks 0", "textbook --row ring", "textbook --ts nan",
        "textbook --json --markdown"}) {
    const Ran ran = tutti(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ": " << ran.err;
  }
}

}  // namespace
}  // namespace tutti::test
