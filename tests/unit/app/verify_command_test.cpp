/// @file
/// `tutti verify`: how many proofs are made, by which roots and symmetries, and what is said of those that fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <span>

#include "algorithms/catalogue.hpp"
#include "app/options/request.hpp"
#include "app/reports/proof_report.hpp"
#include "app/reports/proofs.hpp"
#include "base/check.hpp"
#include "schedule/combinators/combinators.hpp"
#include "support/command_json.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

TEST(Verify, CountsItsProofs) {
  const Json all = json("verify --ranks 1..5 --json --jobs 3");
  EXPECT_THAT(keys_of(all), testing::UnorderedElementsAre("proved", "failed", "algorithms"));
  EXPECT_EQ(all["failed"], 0);
  EXPECT_EQ(all["algorithms"].size(), algorithms::catalogue().size());
  std::int64_t proved = 0;
  for (const Json& row : all["algorithms"]) {
    EXPECT_THAT(keys_of(row),
                testing::UnorderedElementsAre("collective", "name", "proved", "failed", "by_symmetry", "failures"));
    EXPECT_GT(row["proved"], 0) << row["collective"] << row["name"];
    proved += row["proved"].get<std::int64_t>();
  }
  EXPECT_EQ(all["proved"], proved);
  EXPECT_EQ(json("verify --ranks 1..5 --json --jobs 1"), all);
}

TEST(Verify, NamesWhatItProvesBySymmetry) {
  const auto by_symmetry = [](const std::string& name) {
    const Json one = json("verify all-gather --ranks 65 --json --algorithm " + name)["algorithms"][0];
    return std::pair(one["by_symmetry"].get<int>(), one["proved"].get<int>());
  };
  const auto [rings, proofs] = by_symmetry("ring");
  EXPECT_EQ(rings, proofs);
  EXPECT_EQ(by_symmetry("gather-broadcast").first, 0);
  const std::string ring = "verify all-gather --algorithm ring --ranks ";
  EXPECT_THAT(tutti(ring + "65").out, testing::HasSubstr("by symmetry"));
  EXPECT_THAT(tutti(ring + "64").out, testing::Not(testing::HasSubstr("by symmetry")));
}

TEST(Verify, ProvesInAsManySegmentsAsAreAskedFor) {
  const Ran chain = tutti("verify broadcast --algorithm chain --ranks 5 --root 2 --count 12 --segments 7");
  EXPECT_EQ(chain.status, 0) << chain.err;
  EXPECT_THAT(chain.out, testing::HasSubstr(" 10 at p = 5"));  // p + S - 2 rounds
  EXPECT_THAT(tutti("verify broadcast --algorithm binomial --ranks 5 --segments 5").err,
              testing::HasSubstr("segments"));
}

TEST(Verify, TriesFewRootsOfManyRanksAndNamesThem) {
  const std::string line = "verify broadcast --algorithm linear --count 8 --json --ranks ";
  EXPECT_FALSE(json(line + "1024 --root 7").contains("roots"));
  EXPECT_FALSE(json(line + "1025 --root 700").contains("roots"));
  const Json few = json(line + "1025");
  EXPECT_EQ(few["roots"], Json({0, 1, 341, 511, 512, 513, 1023, 1024}));
  EXPECT_GE(few["proved"], few["roots"].size());
  EXPECT_THAT(tutti("verify broadcast --algorithm linear --count 8 --ranks 1025").out,
              testing::HasSubstr("0, 1, 341, 511, 512, 513, 1023, 1024 stand for all"));
}

// Blocks that differ from pair to pair are too many to be listed over many ranks: those of one length are still proved.
TEST(Verify, TriesBlocksOfOneLengthAloneOverManyRanksAndSaysSo) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  const std::string line = "verify all-to-all --algorithm bruck --ranks ";
  EXPECT_FALSE(json(line + "64 --json").contains("even_blocks_alone"));
  EXPECT_FALSE(json(line + "16384 --count 1 --json").contains("even_blocks_alone"));
  const Json many = json(line + "16384 --json");
  EXPECT_EQ(many["even_blocks_alone"], Json({"all-to-all by bruck"}));
  EXPECT_GT(many["proved"], 0);
  EXPECT_EQ(many["failed"], 0);
  EXPECT_EQ(many["algorithms"][0]["by_symmetry"], many["proved"]);
  const std::string those = "blocks of one length alone, where those that differ list too many: all-to-all by ";
  EXPECT_THAT(tutti(line + "16384").out, testing::HasSubstr(those + "bruck over 16384 ranks\n"));
  EXPECT_THAT(tutti("verify all-to-all --algorithm hypercube --ranks 4095..8193").out,
              testing::HasSubstr(those + "hypercube over 4096 to 8192 ranks\n"));
}

TEST(Verify, ProvesEachRootInAllItsCases) {
  const auto proved = [](int root) {
    return json("verify scatter --algorithm binomial --ranks 8 --json --root " + std::to_string(root))["proved"];
  };
  EXPECT_GT(proved(0), 1);
  for (int root = 1; root < 8; ++root) EXPECT_EQ(proved(root), proved(0)) << root;
  EXPECT_EQ(json("verify scatter --algorithm binomial --ranks 1..8 --json --root 7")["proved"], proved(0));
}

TEST(List, SaysWhatIsProvedBySymmetry) {
  const std::string page = tutti("list --markdown").out;
  const auto row = [&](const std::string& collective, const std::string& name) {
    const std::size_t begin = page.find("| `" + name + "`", page.find("\n## " + collective + "\n"));
    return page.substr(begin, page.find('\n', begin) - begin);
  };
  for (const char* name : {"ring", "recursive-doubling", "bruck", "gather-broadcast"}) {
    const Json one = json(std::string("verify all-gather --ranks 128 --json --algorithm ") + name)["algorithms"][0];
    const bool by_symmetry = one["by_symmetry"] == one["proved"];
    EXPECT_THAT(row("all-gather", name), testing::HasSubstr(by_symmetry ? "| by symmetry |" : "| rank by rank |"));
  }
  EXPECT_THAT(row("broadcast", "ring"), testing::HasSubstr("| rank by rank |"));
}

TEST(Verify, ProvesLessWhereMoreIsSaid) {
  const auto proved = [](const std::string& words) {
    return json("verify " + words + " --json")["proved"].get<std::int64_t>();
  };
  const std::string shift = "shift --algorithm ring --ranks 7";
  EXPECT_LT(proved(shift + " --count 11"), proved(shift));
  EXPECT_LT(proved(shift + " --count 11 --distance 3"), proved(shift + " --count 11"));
  EXPECT_LT(proved("gather --ranks 7 --root 2"), proved("gather --ranks 7"));
  EXPECT_LT(proved("gather --ranks 7"), proved("gather --ranks 1..7"));
  EXPECT_EQ(proved("--algorithm gray-code --ranks 1..9"), proved("shift --algorithm gray-code --ranks 1..9"));
}

// Says that it sends two messages to the next rank, and sends one; rank 0 of more than two never receives.
void broken(Script& me, const Problem&) {
  if (me.rank() == 0 && me.size() > 1) me.send(me.message(), 1);
  if (me.rank() == 1) me.receive(me.message(), 0);
  if (me.rank() == 2) me.receive(me.message(), 0);
}

Claims no_claims(const Problem&) { return {}; }

TEST(Verify, ReportsProofsThatFail) {
  const Algorithm algorithm{
      .collective = Collective::broadcast, .name = "broken", .record = broken, .claims = no_claims};
  std::vector<app::Case> cases;
  for (int p = 24; p >= 1; --p) cases.push_back({algorithm, app::problem_of({}, Collective::broadcast, p)});
  const auto verdicts = app::prove(cases, 3, {});
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].proved, 2);
  EXPECT_EQ(verdicts[0].failed, 22);

  const app::Outcome table = app::report(verdicts, {24, 24}, false);
  EXPECT_EQ(table.status, 1);
  EXPECT_THAT(table.text, testing::HasSubstr("24 proofs made, 22 failed"));
  const app::Outcome outcome = app::report(verdicts, {24, 24}, true);
  EXPECT_EQ(outcome.status, 1);
  const Json fields = Json::parse(outcome.text);
  EXPECT_EQ(fields["failed"], 22);
  const Json& failures = fields["algorithms"][0]["failures"];
  ASSERT_EQ(failures.size(), 10U);
  EXPECT_EQ(failures[0]["ranks"], 3);
  EXPECT_EQ(failures[0]["rank"], 2);
  EXPECT_THAT(keys_of(failures[0]),
              testing::IsSupersetOf({"ranks", "root", "count", "problem", "rank", "step", "slice", "kind", "reason"}));
}

// A case that the algorithm refuses is a proof that fails; what has nothing to do with the case is none.
TEST(Verify, LetsThroughWhatIsNoFaultOfTheSchedule) {
  const auto proved_with = [](void (*record)(Script&, const Problem&)) {
    const Algorithm algorithm{
        .collective = Collective::broadcast, .name = "broken", .record = record, .claims = no_claims};
    const Problem problem = app::problem_of({}, Collective::broadcast, 4);
    return app::prove(std::vector<app::Case>(5, {algorithm, problem}), 2, {});
  };
  EXPECT_EQ(proved_with([](Script&, const Problem&) { fail(ErrorCode::invalid_argument, "no"); })[0].failed, 5);
  EXPECT_THROW(proved_with([](Script&, const Problem&) { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(proved_with([](Script&, const Problem&) { fail(ErrorCode::internal, "a defect"); }), Error);
}

TEST(Verify, RefusesARangeOfTooManyRanksAtOnce) {
  const auto refused = tutti("verify broadcast --ranks 1..16777216");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("a schedule holds at most"));
}

// Cases that are proved in parts have the verdicts of all together, those of the fewest ranks kept first.
TEST(Verify, AddsVerdictsOfParts) {
  const Algorithm algorithm{
      .collective = Collective::broadcast, .name = "broken", .record = broken, .claims = no_claims};
  const Algorithm other{.collective = Collective::broadcast, .name = "other", .record = broken, .claims = no_claims};
  std::vector<app::Case> cases;
  for (int p = 24; p >= 1; --p) cases.push_back({algorithm, app::problem_of({}, Collective::broadcast, p)});
  for (int p = 1; p <= 3; ++p) cases.push_back({other, app::problem_of({}, Collective::broadcast, p)});
  const auto told = [](const std::vector<app::Verdict>& verdicts) { return app::report(verdicts, {1, 24}, true).text; };
  const std::span<const app::Case> all(cases);
  for (std::size_t cut = 0; cut <= cases.size(); ++cut) {
    std::vector<app::Verdict> parts = app::prove(all.first(cut), 1, {});
    app::add(parts, app::prove(all.subspan(cut), 2, {}));
    EXPECT_EQ(told(parts), told(app::prove(cases, 1, {}))) << cut;
  }
}

// Returns whether the message is cut in three, or the ranks are a column: of parameters, or of a rank that asks for them.
template <typename Parametrized>
bool is_broken(const Problem& problem, const Parametrized& parameters) {
  return problem.distance == 0 ? parameters.segments_for(problem.count) == 3
                               : parameters.grid_for(problem.ranks).extent(1) == 1;
}

void broken_in_some_shapes(Script& me, const Problem& problem) {
  if (me.rank() == 0) me.send(me.message(), 1);
  if (me.rank() == 1 && !is_broken(problem, me)) me.receive(me.message(), 0);
}

// Cases are proved together only where the text looks at nothing in which they differ.
TEST(Verify, ProvesEachShapeThatATextLooksAt) {
  const Algorithm algorithm{
      .collective = Collective::broadcast, .name = "broken", .record = broken_in_some_shapes, .claims = no_claims};
  for (const int distance : {0, 1}) {
    std::vector<app::Case> cases;
    int broken_cases = 0;
    for (const int segments : {0, 1, 3, 4, 3}) {
      for (const Shape& grid : {Shape{}, Shape{1, 2}, Shape{2, 1}}) {
        const Problem problem{.collective = Collective::broadcast, .ranks = 2, .count = 8, .distance = distance};
        cases.push_back({{algorithm, {.segments = segments, .grid = grid}}, problem});
        broken_cases += is_broken(problem, cases.back().choice.parameters) ? 1 : 0;
      }
    }
    const auto verdicts = app::prove(cases, 2, {});
    EXPECT_TRUE(broken_cases > 0 && broken_cases < 15);
    EXPECT_EQ(verdicts[0].failed, broken_cases);
    EXPECT_EQ(verdicts[0].proved, 15 - broken_cases);
  }
}

}  // namespace
}  // namespace tutti::test
