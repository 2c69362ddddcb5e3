/// @file
/// One test on ranks of every kind.
///
/// The environment's TUTTI_TEST_ENGINE says what ranks are:
///   threads    of this process, by tutti::run(); the default
///   processes  of this machine, which share a segment; one is forked for each rank. With TUTTI_TEST_PEER_READS=mixed
///              every other one sets TUTTI_PEER_READS=0 for itself
///   world      the processes that an mpirun has started: each runs the whole test program, and a test takes the first
///              of them, in a communicator of its own. TUTTI_TEST_RANKS says how many there are.
/// So what a rank's function checks must be checked inside it, or be seen in its outcome: what it writes to variables
/// of the test reaches the test in threads alone.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "support/report.hpp"

namespace tutti::testing {

enum class Engine : std::uint8_t { threads, processes, world };
Engine engine();

/// Whether there can be so many ranks.
bool has_ranks(int ranks);
/// Returns the numbers of ranks that there can be.
std::vector<int> possible(std::initializer_list<int> ranks);
/// Returns which part of a long list of cases is tried: every n-th, by TUTTI_TEST_SCALE=n; otherwise all, or as many as
/// a test::Sample takes.
int scale();

inline constexpr Duration long_enough = std::chrono::seconds(60);

/// Runs the function on so many ranks, and all that they start to its end. What they expect in vain fails the test.
std::vector<Outcome> outcomes_of(int ranks, const RankFunction& function, Duration timeout = long_enough);
/// Runs the function on ranks; it also fails the test if a function ends by an exception.
void on_ranks(int ranks, const RankFunction& function, Duration timeout = long_enough);

/// The engines behind outcomes_of().
std::vector<Report> reports_of_processes(int ranks, const RankFunction& function, Duration timeout);
std::vector<Report> reports_of_world(int ranks, const RankFunction& function, Duration timeout);

}  // namespace tutti::testing

/// Leaves the test where there are not so many ranks.
#define TUTTI_NEEDS_RANKS(ranks)                     \
  if (!::tutti::testing::has_ranks(ranks)) {         \
    GTEST_SKIP() << "needs " << (ranks) << " ranks"; \
  }                                                  \
  static_assert(true)

/// Leaves the test where ranks are not of one of these engines.
#define TUTTI_ONLY_ON(why, ...)                                                        \
  if (const auto fits = {__VA_ARGS__};                                                 \
      std::find(fits.begin(), fits.end(), ::tutti::testing::engine()) == fits.end()) { \
    GTEST_SKIP() << (why);                                                             \
  }                                                                                    \
  static_assert(true)
