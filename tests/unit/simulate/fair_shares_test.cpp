/// @file
/// The law of fair shares of links: max-min.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "simulate/flows/fair_shares.hpp"

namespace tutti {
namespace {

constexpr double precision = 1e-9;

TEST(FairShares, NoFlowCouldHaveMoreWithoutTakingItFromOneThatHasNoMore) {
  const unsigned seed = 4711;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t links = 2 + random() % 8;
    std::vector<double> seconds_per_byte(links);
    for (double& s : seconds_per_byte) s = 1e-9 * static_cast<double>(random() % 5);  // 0: shared by nobody
    FairShares shares([&](LinkId link) { return seconds_per_byte[static_cast<std::size_t>(link)]; });
    shares.cover(static_cast<LinkId>(links));
    std::vector<std::vector<LinkId>> paths;
    std::vector<std::vector<LinkId>> before;
    std::vector<bool> present;
    std::vector<std::int64_t> carried(links, 0);
    std::vector<double> rates;  // rates as they were told
    std::vector<FairShares::Flow> changed;
    const auto leave = [&](std::size_t flow) {
      if (present[flow]) shares.leave(static_cast<FairShares::Flow>(flow));
      present[flow] = false;
    };
    for (int move = 0; move < 30; ++move) {
      if (!paths.empty() && random() % 3 == 0) {
        leave(random() % paths.size());
      } else if (random() % 8 == 0) {
        for (std::size_t f = 0; f < paths.size(); ++f) leave(f);
      } else {
        // A message that is forwarded goes on under its number; its links before lie still until the update.
        const bool goes_on = !paths.empty() && random() % 3 == 0;
        const std::size_t flow = goes_on ? random() % paths.size() : paths.size();
        if (goes_on) {
          leave(flow);
          before.push_back(std::move(paths[flow]));
        } else {
          paths.emplace_back();
          present.push_back(false);
        }
        std::vector<LinkId> path;
        bool takes_time = false;
        for (std::size_t l = 0; l < links; ++l) {
          if (random() % 3 != 0) continue;
          path.push_back(static_cast<LinkId>(l));
          takes_time = takes_time || seconds_per_byte[l] > 0;
          carried[l] += move;
        }
        paths[flow] = path;
        present[flow] = shares.join(static_cast<FairShares::Flow>(flow), paths[flow], move);
        ASSERT_EQ(present[flow], takes_time);
      }
      for (std::size_t l = 0; l < links; ++l) ASSERT_EQ(shares.carried(static_cast<LinkId>(l)), carried[l]);
      if (random() % 2 == 0) continue;  // several at once
      changed.clear();
      shares.update(changed);
      rates.resize(paths.size(), 0.0);
      for (const FairShares::Flow f : changed) rates[f] = static_cast<double>(shares.rate(f));

      std::vector<double> used(links, 0.0);
      std::vector<double> most(links, 0.0);
      for (std::size_t f = 0; f < paths.size(); ++f) {
        if (!present[f]) continue;
        const double rate = static_cast<double>(shares.rate(static_cast<FairShares::Flow>(f)));
        for (const LinkId l : paths[f]) {
          used[static_cast<std::size_t>(l)] += rate;
          most[static_cast<std::size_t>(l)] = std::max(most[static_cast<std::size_t>(l)], rate);
        }
      }
      for (std::size_t l = 0; l < links; ++l)
        ASSERT_LE(used[l] * seconds_per_byte[l], 1 + precision) << "link " << l << " carries too much";
      for (std::size_t f = 0; f < paths.size(); ++f) {
        if (!present[f]) continue;
        const double rate = static_cast<double>(shares.rate(static_cast<FairShares::Flow>(f)));
        ASSERT_EQ(rate, rates[f]) << "flow " << f << " was not told of its rate";
        ASSERT_NEAR(static_cast<double>(shares.time_for(static_cast<FairShares::Flow>(f), 6)) * rate, 6, precision);
        const bool at_its_limit = std::any_of(paths[f].begin(), paths[f].end(), [&](LinkId l) {
          const auto k = static_cast<std::size_t>(l);
          return used[k] * seconds_per_byte[k] > 1 - precision && rate > most[k] * (1 - precision);
        });
        ASSERT_TRUE(at_its_limit) << "flow " << f << " could have more";
      }
    }
  }
}

// Returns the rates of flows that all join together; 0 of a flow without links.
std::vector<double> rates_at_once(const std::vector<std::vector<LinkId>>& ways, std::size_t links,
                                  const std::function<double(LinkId)>& time) {
  FairShares shares(time);
  shares.cover(static_cast<LinkId>(links));
  for (std::size_t flow = 0; flow < ways.size(); ++flow) {
    if (!ways[flow].empty()) shares.join(static_cast<FairShares::Flow>(flow), ways[flow], 1);
  }
  std::vector<FairShares::Flow> changed;
  shares.update(changed);
  std::vector<double> rates(ways.size());
  for (const FairShares::Flow flow : changed) rates[flow] = static_cast<double>(shares.rate(flow));
  return rates;
}

// Links in a row that the same flows cross are bundled as flows come and go; flows that come at once are only counted.
TEST(FairShares, RatesDependOnTheFlowsAloneHoweverTheyCame) {
  const unsigned seed = 42;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t links = 4 + random() % 40;
    const auto time = [&](LinkId link) { return link % 7 == trial % 7 ? 2e-9 : 1e-9; };
    FairShares shares(time);
    shares.cover(static_cast<LinkId>(links));
    std::vector<std::vector<LinkId>> arcs(12);
    std::vector<FairShares::Flow> changed;
    for (int move = 0; move < 60; ++move) {
      for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
        const std::size_t flow = random() % arcs.size();
        std::vector<LinkId>& arc = arcs[flow];
        if (!arc.empty()) {
          shares.leave(static_cast<FairShares::Flow>(flow));
          shares.update(changed);
          arc.clear();
          continue;
        }
        const std::size_t from = random() % links;
        // Some go more than once around.
        for (std::size_t k = 0, hops = 1 + random() % (links + links / 4); k < hops; ++k)
          arc.push_back(static_cast<LinkId>((from + k) % links));
        shares.join(static_cast<FairShares::Flow>(flow), arc, 1);
      }
      shares.update(changed);
      const std::vector<double> at_once = rates_at_once(arcs, links, time);
      for (std::size_t flow = 0; flow < arcs.size(); ++flow) {
        if (arcs[flow].empty()) continue;
        ASSERT_EQ(static_cast<double>(shares.rate(static_cast<FairShares::Flow>(flow))), at_once[flow])
            << "flow " << flow << " after move " << move;
      }
    }
  }
}

TEST(FairShares, AFlowMayCrossALinkTwiceUnderTheNumberOfOneThatHasLeft) {
  FairShares shares([](LinkId) { return 1e-9; });
  shares.cover(4);
  std::vector<FairShares::Flow> changed;
  const std::vector<LinkId> straight{0, 1};
  shares.join(0, straight, 8);
  shares.update(changed);
  shares.leave(0);
  shares.update(changed);
  changed.clear();
  const std::vector<LinkId> loop{2, 3, 2};
  shares.join(0, loop, 8);
  shares.update(changed);
  EXPECT_EQ(changed, std::vector<FairShares::Flow>{0});
  EXPECT_NEAR(static_cast<double>(shares.rate(0)), 0.5e9, 0.5);
}

}  // namespace
}  // namespace tutti
