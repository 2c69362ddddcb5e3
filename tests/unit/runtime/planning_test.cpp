/// @file
/// Calls whose algorithm is found by trying: results are right while it is, all ranks go by the same algorithm, and
/// what is asked for alike is checked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>

#include "support/ranks.hpp"

namespace tutti::testing {
namespace {

/// Joins texts, which does not commute: a text is its length and its first letters.
struct Text {
  std::array<char, 16> letters = {};

  friend bool operator==(const Text&, const Text&) = default;
};

Text letter(int k) {
  Text text;
  text.letters[0] = static_cast<char>('a' + k);
  return text;
}

Text joined(const Text& a, const Text& b) {
  Text text = a;
  const auto end = std::find(text.letters.begin(), text.letters.end(), '\0');
  std::copy_n(b.letters.begin(), text.letters.end() - end, end);
  return text;
}

constexpr Planning plannings[] = {Planning::measure, Planning::patient};

// More calls than any trial takes, each with other values.
constexpr int calls = 170;

TEST(Planning, ResultsAreRightWhileAlgorithmsAreTried) {
  for (const int p : possible({1, 2, 3, 4, 5, 8})) {
    on_ranks(p, [](Communicator& comm) {
      const std::int64_t me = comm.rank();
      const std::int64_t n = comm.size();
      for (const Planning planning : plannings) {
        for (int call = 0; call < calls; ++call) {
          std::vector<std::int64_t> sum(37);
          std::iota(sum.begin(), sum.end(), me * call);
          comm.all_reduce(std::span(sum), tutti::sum, {.planning = planning});
          for (std::int64_t k = 0; k < 37; ++k)
            EXPECT_EQ(sum[static_cast<std::size_t>(k)], n * (n - 1) / 2 * call + n * k) << call;

          std::vector<std::int64_t> told(5, me == n - 1 ? call : -1);
          comm.broadcast(std::span(told), static_cast<int>(n - 1), {.planning = planning});
          EXPECT_EQ(told, std::vector<std::int64_t>(5, call));

          const std::vector<std::int64_t> mine(3, me + call);
          std::vector<std::int64_t> all(3 * static_cast<std::size_t>(n));
          comm.all_gather(std::span(mine), std::span(all), {.planning = planning});
          for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], static_cast<std::int64_t>(k / 3) + call);
        }
      }
    });
  }
}

TEST(Planning, TheOrderOfRanksIsKeptWhileAlgorithmsAreTried) {
  for (const int p : possible({2, 3, 5, 8})) {
    on_ranks(p, [](Communicator& comm) {
      Text expected;
      for (int k = 0; k < comm.size(); ++k) expected = joined(expected, letter(k));
      for (int call = 0; call < calls; ++call) {
        std::vector<Text> texts(3, letter(comm.rank()));
        comm.all_reduce(std::span(texts), non_commutative(joined), {.planning = Planning::patient});
        EXPECT_EQ(texts, std::vector<Text>(3, expected)) << call;
      }
    });
  }
}

// Plans, calls that are waited for at once, and calls that are not, of one shape: started together, in place on some
// ranks.
TEST(Planning, OneTrialServesAllKindsOfCallsOfAShape) {
  for (const int p : possible({2, 3, 4})) {
    on_ranks(p, [](Communicator& comm) {
      comm.set_planning(Planning::measure);
      EXPECT_EQ(comm.planning(), Planning::measure);
      const int n = comm.size();
      std::vector<std::int64_t> in(9, 1);
      std::vector<std::int64_t> out(9);
      Plan plan = comm.plan_all_reduce(std::span(std::as_const(in)), std::span(out), tutti::sum);
      for (int round = 0; round < 15; ++round) {
        std::vector<std::vector<std::int64_t>> data(5, std::vector<std::int64_t>(9, comm.rank()));
        std::vector<Handle> handles;
        for (auto& each : data) handles.push_back(comm.all_reduce_async(std::span(each), tutti::sum));
        comm.wait(handles);
        for (const auto& each : data) EXPECT_EQ(each, std::vector<std::int64_t>(9, n * (n - 1) / 2)) << round;
        if (comm.rank() % 2 == 0) {
          std::fill(out.begin(), out.end(), 0);
          plan.run();
        } else {
          out = in;
          comm.all_reduce(std::span(out), tutti::sum);
        }
        EXPECT_EQ(out, std::vector<std::int64_t>(9, n)) << round;
      }
      const std::string algorithm(plan.algorithm());
      if (comm.rank() % 2 == 0) {
        EXPECT_NE(plan.explanation().find("Measured on the program's own buffers"), std::string::npos)
            << plan.explanation();
        EXPECT_THAT(plan.explanation(), ::testing::ContainsRegex(algorithm + "( \\([^)]*\\))? is kept\\."));
      }
      std::vector<char> name(40);
      std::copy(algorithm.begin(), algorithm.end(), name.begin());
      if (comm.rank() % 2 != 0) std::fill(name.begin(), name.end(), '\0');
      comm.all_reduce(std::span(name), maximum);
      if (comm.rank() % 2 != 0) return;
      EXPECT_EQ(algorithm, std::string(name.data())) << "all ranks keep the same winner";
    });
  }
}

// Equal inputs give equal bits if the environment alone asks for trials, and always if nothing rounds.
TEST(Planning, TheEnvironmentChangesNoBits) {
  setenv("TUTTI_PLAN", "measure", 1);
  TUTTI_ONLY_ON("the environment is read when ranks are started", Engine::threads, Engine::processes);
  for (const int p : possible({2, 3, 7})) {
    on_ranks(p, [](Communicator& comm) {
      EXPECT_EQ(comm.planning(), Planning::measure);
      std::vector<double> first;
      for (int call = 0; call < 20; ++call) {
        std::vector<double> sum(1000);
        for (std::size_t k = 0; k < sum.size(); ++k)
          sum[k] = 0.1 * static_cast<double>(comm.rank() + 1) / (1.0 + static_cast<double>(k));
        comm.all_reduce(std::span(sum), tutti::sum);
        if (first.empty()) first = sum;
        EXPECT_EQ(sum, first) << call;
      }
      std::vector<double> largest(10, comm.rank());
      const Plan plan = comm.plan_all_reduce(std::span(largest), maximum);
      EXPECT_NE(plan.explanation().find("to find the fastest"), std::string::npos) << "what does not round is tried";
      const Plan rounding = comm.plan_all_reduce(std::span(largest), tutti::sum);
      EXPECT_EQ(rounding.explanation().find("to find the fastest") == std::string::npos, comm.size() > 2);
    });
  }
  unsetenv("TUTTI_PLAN");
}

TEST(Planning, WhoeverIsNamedIsNotTried) {
  TUTTI_NEEDS_RANKS(3);
  on_ranks(3, [](Communicator& comm) {
    std::vector<int> data(10);
    const Plan plan =
        comm.plan_all_reduce(std::span(data), tutti::sum, {.algorithm = "ring", .planning = Planning::patient});
    EXPECT_EQ(plan.algorithm(), "ring");
    EXPECT_EQ(plan.explanation().find("to find the fastest"), std::string::npos);
  });
}

TEST(Planning, RanksThatPlanDifferentlyAreToldSo) {
  TUTTI_NEEDS_RANKS(3);
  const auto outcomes = outcomes_of(3, [](Communicator& comm) {
    std::vector<int> data(10);
    comm.all_reduce(std::span(data), tutti::sum,
                    {.planning = comm.rank() == 1 ? Planning::patient : Planning::measure});
    comm.wait_all();
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_THAT(
        outcome.message,
        ::testing::HasSubstr("rank 1 called all_reduce with planning patient; ranks 0, 2 with planning measure"));
  }
}

TEST(Planning, AnUnknownModeIsNamedWithTheNearest) {
  TUTTI_ONLY_ON("the environment is read when ranks are started", Engine::threads);
  setenv("TUTTI_PLAN", "mesure", 1);
  try {
    run(2, [](Communicator&) {});
    FAIL() << "it was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(error.what(), "TUTTI_PLAN is 'mesure', which is no way to plan; the nearest is 'measure'");
  }
  unsetenv("TUTTI_PLAN");
}

}  // namespace
}  // namespace tutti::testing
