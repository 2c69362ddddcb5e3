/// @file
/// Distance of the catalogue from the bounds: never below, never further than an algorithm that it has, and with a
/// remark if there is one.

#include "cost/bounds/optimality.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "algorithms/catalogue.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/closed_form.hpp"
#include "schedule/model/choice.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

constexpr std::int64_t tried_bytes[] = {1, 12, 1000, 98304, std::int64_t{96} << 20};
constexpr double slack = 1 + 1e-9;

template <typename See>
void for_each_point(int most, See&& see) {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : telling_ranks(most)) {
      for (const std::int64_t bytes : tried_bytes) see(collective, optimality(collective, ranks, bytes, Machine{}));
    }
  }
}

TEST(Optimality, StandsBelowNoBound) {
  int standings = 0;
  for_each_point(1024, [&](Collective collective, const Optimality& point) {
    for (const auto& standing : {point.rounds, point.volume, point.time}) {
      if (!standing) continue;
      ++standings;
      EXPECT_GE(standing->factor() * slack, 1) << name_of(collective) << " by " << standing->algorithm->name << " of "
                                               << point.bytes << " bytes over " << point.ranks;
    }
  });
  EXPECT_GT(standings, 1000);
}

// The rounds of a schedule as it is counted, and the time that the closed form gives. The bound is that of the problem,
// also where p does not divide the message.
TEST(Optimality, IsNoWorseThanAnyAlgorithm) {
  for_each_point(33, [&](Collective collective, const Optimality& point) {
    const Problem problem{.collective = collective,
                          .ranks = point.ranks,
                          .count = collective == Collective::barrier ? 0 : point.bytes,
                          .distance = 1};
    const TopologyPtr topology = full_topology(point.ranks);
    const double bound = lower_bound(problem, 1, *topology, Machine{}).seconds;
    ASSERT_TRUE(point.time) << name_of(collective);
    EXPECT_EQ(point.time->bound, bound) << name_of(collective) << " of " << point.bytes << " bytes";
    for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
      const auto priced = price(*algorithm, problem, *topology, Machine{});
      if (!priced) continue;
      ASSERT_TRUE(point.rounds);
      EXPECT_LE(point.time->factor(), seconds(priced->terms, 1, Machine{}) / bound * slack) << algorithm->name;
      if (!priced->exactly || point.bytes < point.ranks) continue;
      EXPECT_LE(point.rounds->least, static_cast<double>(Choice(*algorithm).claims(problem).rounds))
          << name_of(collective) << " by " << algorithm->name << " over " << point.ranks;
    }
  });
}

TEST(Optimality, SaysWhatIsKnownOfEveryGapAndOfNothingElse) {
  std::map<std::pair<Collective, std::string>, double> worst;
  for_each_point(1024, [&](Collective collective, const Optimality& point) {
    const auto see = [&](const std::string& measure, const std::optional<BestAlgorithm>& standing) {
      double& factor = worst[{collective, measure}];
      if (standing) factor = std::max(factor, standing->factor());
    };
    see("rounds", point.rounds);
    // Short messages are no matter of volume.
    if (point.bytes >= std::int64_t{1} << 20) see("volume", point.volume);
    see("time", point.time);
  });
  for (const auto& [what, factor] : worst) {
    const auto& [collective, measure] = what;
    bool said = false;
    for (const OpenQuestion& question : open_questions())
      said = said || (question.collective == collective && question.measure == measure);
    EXPECT_EQ(said, factor > 1.1) << name_of(collective) << ", " << measure << ": " << factor;
  }
  for (const OpenQuestion& question : open_questions()) EXPECT_FALSE(question.source.empty());
}

TEST(Optimality, LooksAtPowersOfTwoTheirNeighboursAndPrimes) {
  EXPECT_EQ(telling_ranks(20), (std::vector<int>{2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17}));
  const std::vector<int> ranks = telling_ranks(1024);
  EXPECT_EQ(ranks.back(), 1024);
  EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
}

}  // namespace
}  // namespace tutti
