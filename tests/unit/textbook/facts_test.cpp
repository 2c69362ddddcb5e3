/// @file
/// The facts and quizzes of the sources, each as a test of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/closed_form.hpp"
#include "cost/crossing.hpp"
#include "simulate/simulate.hpp"
#include "textbook/tables.hpp"
#include "topology/embedding.hpp"
#include "topology/graph.hpp"
#include "tutti/tutti.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using textbook::same_time;

constexpr Machine machine{.ts = 1e-6, .tw = 1e-9};
constexpr std::int64_t m = 1000;

double bound_named(std::string_view name, const Problem& problem, const Topology& topology) {
  for (const LowerBound& bound : lower_bounds(problem, 1, topology, machine)) {
    if (bound.name == name) return bound.seconds;
  }
  return -1;
}

TEST(Facts, NoCollectiveBeatsTheLogarithmOfTheRanks) {
  for (const int p : {2, 3, 5, 8, 31, 64, 100}) {
    const TopologyPtr full = full_topology(p);
    for (const Collective collective : all_collectives()) {
      if (collective == Collective::shift) continue;  // one message a rank: nobody hears of everybody
      const Problem problem{.collective = collective, .ranks = p, .count = collective == Collective::barrier ? 0 : m};
      EXPECT_TRUE(same_time(bound_named("rounds", problem, *full), machine.ts * ceil_log2(p))) << describe(problem);
    }
  }
}

TEST(Facts, BandwidthBindsByTheCollectivesOwnConvention) {
  const int p = 16;
  const TopologyPtr full = full_topology(p);
  const auto bandwidth = [&](Collective collective) {
    return bound_named("bandwidth", {.collective = collective, .ranks = p, .count = m}, *full) - machine.ts;
  };
  using enum Collective;
  for (const Collective whole : {broadcast, reduce}) EXPECT_NEAR(bandwidth(whole), machine.tw * m, 1e-15);
  for (const Collective blocks : {scatter, gather, all_gather, reduce_scatter})
    EXPECT_NEAR(bandwidth(blocks), machine.tw * m * (p - 1), 1e-15);
}

// The source counts a cable as one link and half of d as the mean way, and gets tw m (p - 1). With a link each way, and
// the exact mean way over different ranks, links bind half of tw m p; a rank's one port is what binds tw m (p - 1).
TEST(Facts, LinkLoadOfAllToAllOnAHypercube) {
  for (const int d : {1, 3, 6}) {
    const int p = 1 << d;
    const TopologyPtr cube = hypercube_topology(d);
    const Problem problem{.collective = Collective::all_to_all, .ranks = p, .count = m};
    EXPECT_TRUE(same_time(bound_named("link-load", problem, *cube), machine.tw * m * p / 2));
    EXPECT_TRUE(same_time(bound_named("bandwidth", problem, *cube), machine.ts + machine.tw * m * (p - 1)));
    const double cables = static_cast<double>(cube->links()) / 2;
    const double as_printed = machine.tw * m * p * (p - 1) * (d / 2.0) / cables;
    EXPECT_TRUE(same_time(as_printed, machine.tw * m * (p - 1)));
  }
}

TEST(Facts, LinkLoadOfAllToAllOnAOneWayRing) {
  for (const int p : {2, 3, 6, 9}) {
    GraphDescription graph{.name = "one way", .ranks = p};
    for (int rank = 0; rank < p; ++rank) graph.links.push_back({rank, (rank + 1) % p});
    const TopologyPtr ring = graph_topology(graph);
    EXPECT_DOUBLE_EQ(mean_distance(*ring), p / 2.0);
    const Problem problem{.collective = Collective::all_to_all, .ranks = p, .count = m};
    EXPECT_TRUE(same_time(bound_named("link-load", problem, *ring), machine.tw * m * p * (p - 1) / 2));
    Workload workload(algorithms::all_to_all_ring, problem, 1);
    const double time = simulate(workload, *ring, machine).seconds;
    EXPECT_TRUE(same_time(time, (machine.ts + machine.tw * m * p / 2) * (p - 1)));
  }
}

TEST(Facts, MeanDistances) {
  for (int p = 2; p <= 20; ++p) EXPECT_NEAR(mean_distance(*grid_topology({p}, false)), (p + 1) / 3.0, 1e-12);
  for (int p = 3; p <= 21; ++p) {
    const double expected = p % 2 == 1 ? (p + 1) / 4.0 : p / 4.0 * p / (p - 1);
    EXPECT_NEAR(mean_distance(*grid_topology({p}, true)), expected, 1e-12);
  }
  for (int d = 1; d <= 8; ++d) {
    const double p = 1 << d;
    EXPECT_NEAR(mean_distance(*hypercube_topology(d)), d / 2.0 * p / (p - 1), 1e-12);
  }
}

double closed_form(const Algorithm& algorithm, int p, std::int64_t bytes) {
  const Problem problem{.collective = algorithm.collective, .ranks = p, .count = bytes};
  return seconds(price(algorithm, problem, *full_topology(p), machine)->terms, 1, machine);
}

// d (ts + tw m) against 2 ts d + 2 tw m (p - 1)/p: the tree is right while m is under about ts/tw.
TEST(Facts, TreeReductionIsRightForShortMessages) {
  for (const int p : {8, 64, 1024}) {
    const int d = ceil_log2(p);
    const auto tree = [&](std::int64_t bytes) { return closed_form(algorithms::reduce_binomial, p, bytes); };
    const auto optimal = [&](std::int64_t bytes) {
      return closed_form(algorithms::reduce_scatter_gather_halving, p, bytes);
    };
    const auto ring = [&](std::int64_t bytes) { return closed_form(algorithms::reduce_scatter_gather, p, bytes); };
    const double ratio = machine.ts / machine.tw;
    const double saved = d - 2.0 * (p - 1) / p;  // tw m that the tree pays more
    const auto halving_crossings = crossings(tree, optimal);
    const auto ring_crossings = crossings(tree, ring);
    ASSERT_FALSE(halving_crossings.empty());
    ASSERT_FALSE(ring_crossings.empty());
    const double first = static_cast<double>(halving_crossings.front());
    const double last = static_cast<double>(ring_crossings.back());
    RecordProperty("crossing with p = " + std::to_string(p), std::to_string(halving_crossings.front()) + " bytes");
    EXPECT_NEAR(first, ratio * d / saved, 2.0 * p);
    EXPECT_NEAR(last, ratio * (p - 1) / saved, 2.0 * p);
    EXPECT_LT(tree(static_cast<std::int64_t>(ratio / 10)), optimal(static_cast<std::int64_t>(ratio / 10)));
    EXPECT_GT(tree(static_cast<std::int64_t>(ratio * 100)), optimal(static_cast<std::int64_t>(ratio * 100)));
  }
}

// The sources print m (p - 1)²/3 for both phases: it is the first phase, exactly.
TEST(Facts, TreeAllToAllTakesMoreThanPrinted) {
  for (const int p : {4, 16, 64, 256}) {
    const int r = static_cast<int>(std::lround(std::sqrt(p)));
    const Problem problem{.collective = Collective::all_to_all, .ranks = p, .count = m};
    const Choice tree(algorithms::all_to_all_tree, {.grid = {r, r}});
    Machine stores = machine;
    stores.switching = Switching::store_and_forward;
    const auto priced = price(tree, problem, *grid_topology({r, r}, true), stores);
    ASSERT_TRUE(priced.has_value());
    EXPECT_DOUBLE_EQ(priced->terms.starts, ceil_log2(p));
    EXPECT_DOUBLE_EQ(priced->terms.elements, m * ((p - 1.0) * (p - 1) / 3 + p * (r - 1) / 2.0));
  }
}

// Two ranks that each send, wait, then receive.
TEST(Facts, SendWaitReceiveNeverCompletes) {
  const Problem problem{.collective = Collective::shift, .ranks = 2, .count = 5, .distance = 1};
  const Record text = [](Script& me, const Problem&) {
    me.send(me.input(), 1 - me.rank());
    me.wait();
    me.receive(me.output(), 1 - me.rank());
    me.wait();
  };
  const Proof proof = verify(record_all(text, problem));
  ASSERT_TRUE(proof.failure.has_value());
  EXPECT_EQ(proof.failure->kind, ProofFailure::Kind::deadlock);
  EXPECT_THAT(proof.failure->cycle, ::testing::UnorderedElementsAre(0, 1));
  Workload workload(text, problem, 1);
  EXPECT_THROW(simulate(workload, *full_topology(2), machine), Error);
}

TEST(Facts, ACircularExchangeRepeatedRestoresTheStart) {
  const std::vector<int> start{6, 6, 7, 3, 8, 4};
  std::vector<int> after(start.size());
  std::vector<int> once(start.size());
  run(6, [&](Communicator& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    const int p = comm.size();
    int x = start[rank];
    for (int i = 0; i < p; ++i) {
      int y = 0;
      Handle sent = comm.send_async(std::span(&x, 1), (comm.rank() + 1) % p);
      Handle received = comm.receive_async(std::span(&y, 1), (comm.rank() + p - 1) % p);
      comm.wait(sent, received);
      std::swap(x, y);
      if (i == 0) once[rank] = x;
    }
    after[rank] = x;
  });
  EXPECT_EQ(once, (std::vector<int>{4, 6, 6, 7, 3, 8}));
  EXPECT_EQ(after, start);
}

TEST(Facts, AReduceThatOnlySomeRanksCallNamesTheMissingOnes) {
  try {
    run(4,
        [](Communicator& comm) {
          const std::vector<double> local(8, 1.0);
          std::vector<double> total(8);
          if (comm.rank() < 2) comm.reduce(local, total, sum, 0);
        },
        {.timeout = Duration(5)});
    FAIL() << "the reduce completed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::peer_failed) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("reduce"));
    EXPECT_TRUE(std::string(error.what()).find("rank 2") != std::string::npos ||
                std::string(error.what()).find("rank 3") != std::string::npos ||
                std::string(error.what()).find("ranks 2") != std::string::npos)
        << error.what();
  }
}

TEST(Facts, AWholeBrainNeedsOnePointFourMillionMachines) {
  const double machines = 1e13 * 24 * 100 / std::pow(2.0, 34);
  const double unit = std::pow(10.0, std::floor(std::log10(machines)) - 1);
  EXPECT_DOUBLE_EQ(std::round(machines / unit) * unit, 1.4e6);
}

int most_shared(const Choice& choice, const Problem& problem, int d) {
  Workload workload(choice, problem, 1);
  Machine cut = machine;
  cut.switching = Switching::cut_through;
  return simulate(workload, *hypercube_topology(d), cut, {.engine = Engine::rounds}).most_shared;
}

TEST(Facts, ECubeRoutesOfXorExchangesAndShiftsShareNoLink) {
  for (int d = 1; d <= 6; ++d) {
    const int p = 1 << d;
    EXPECT_EQ(
        most_shared(algorithms::all_to_all_pairwise, {.collective = Collective::all_to_all, .ranks = p, .count = m}, d),
        1);
    for (int q = 1; q < p; ++q) {
      EXPECT_EQ(most_shared(algorithms::shift_direct,
                            {.collective = Collective::shift, .ranks = p, .count = m, .distance = q}, d),
                1)
          << "q = " << q;
    }
  }
}

// Both bounds, for every distance and not the longest alone.
TEST(Facts, NoShiftTakesLongerThanItsBound) {
  Machine stores = machine;
  stores.switching = Switching::store_and_forward;
  const double step = machine.ts + machine.tw * m;
  const auto time = [&](const Choice& choice, const Problem& problem, const Topology& topology) {
    Workload workload(choice, problem, 1);
    return simulate(workload, topology, stores).seconds;
  };
  for (const int r : {1, 2, 3, 4, 5, 8}) {
    for (int q = 0; q < r * r; ++q) {
      const Problem problem{.collective = Collective::shift, .ranks = r * r, .count = m, .distance = q};
      const Choice mesh(algorithms::shift_mesh, {.grid = {r, r}});
      EXPECT_LE(time(mesh, problem, *grid_topology({r, r}, true)), step * (r + 1) * (1 + 1e-9)) << r << ", q = " << q;
    }
  }
  for (const int d : {1, 2, 3, 4, 6}) {
    const TopologyPtr ring = embedded(hypercube_topology(d), ring_in_hypercube(d));
    for (int q = 0; q < 1 << d; ++q) {
      const Problem problem{.collective = Collective::shift, .ranks = 1 << d, .count = m, .distance = q};
      EXPECT_LE(time(algorithms::shift_gray_code, problem, *ring), step * (2 * d - 1) * (1 + 1e-9))
          << d << ", q = " << q;
    }
  }
}

}  // namespace
}  // namespace tutti
