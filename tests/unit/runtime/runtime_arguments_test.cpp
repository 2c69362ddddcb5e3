/// @file
/// Arguments that one rank can see to be wrong: refused at once, with one sentence, and without harm to the
/// communicator.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using testing::Engine;
using ::testing::HasSubstr;
using testing::on_ranks;

constexpr int p = 3;

/// Every rank makes the call, and gets an error of that code with that text; the communicator works afterwards.
void expect_refused(const std::function<void(Communicator&)>& call, const std::string& text,
                    ErrorCode code = ErrorCode::invalid_argument) {
  on_ranks(p, [&](Communicator& comm) {
    try {
      call(comm);
      ADD_FAILURE() << "no error about: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
    EXPECT_EQ(comm.all_reduce(1, sum), p);
  });
}

std::vector<int> ints(int n) { return std::vector<int>(static_cast<std::size_t>(n)); }

TEST(RuntimeArguments, SizesThatDoNotFitAreNamed) {
  auto three = ints(3);
  auto four = ints(4);
  auto six = ints(6);
  expect_refused([&](Communicator& comm) { comm.all_reduce(three, four, sum); }, "all_reduce: the output of rank ");
  expect_refused([&](Communicator& comm) { comm.scan(three, four, sum); }, "has 4 elements, but must have 3");
  expect_refused([&](Communicator& comm) { comm.all_gather(three, six); },
                 "has 6 elements, but must have 3 blocks of 3");
  expect_refused([&](Communicator& comm) { comm.reduce_scatter(six, three, sum); }, "must have 3 blocks of 3");
  expect_refused([&](Communicator& comm) { comm.all_to_all(four, std::span<int>(six).first(4)); },
                 "4 elements cannot make 3 equal blocks");
  expect_refused([&](Communicator& comm) { comm.shift(three, four, 1); }, "as many as the input");
}

TEST(RuntimeArguments, RootsAndPeersMustBeRanks) {
  // The length of the block is told by a broadcast, of which the caller knows nothing.
  expect_refused([](Communicator& comm) { comm.scatter(ints(3), 3); }, "scatter: the root 3 is not one of the ranks");
  expect_refused(
      [](Communicator& comm) {
        comm.scatter_v(ints(3), std::vector<std::int64_t>{1, 1, 1}, -1);
      },
      "scatter_v: the root -1 is not one of the ranks");
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(2);
        comm.broadcast(data, 3);
      },
      "the root 3 is not one of the ranks 0 to 2");
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(2);
        comm.reduce(data, sum, -1);
      },
      "the root -1");
  expect_refused([](Communicator& comm) { comm.send(1, 7); }, "send to rank 7: not one of the ranks 0 to 2");
  expect_refused([](Communicator& comm) { comm.receive<int>(-2); }, "receive from rank -2");
}

TEST(RuntimeArguments, CountsMustBeOneARankAndFitTheBuffers) {
  const std::vector<std::int64_t> two{1, 2};
  const std::vector<std::int64_t> negative{1, -2, 3};
  const std::vector<std::int64_t> fit{2, 2, 2};
  auto in = ints(2);
  auto out = ints(7);
  expect_refused([&](Communicator& comm) { comm.gather_v(in, out, two); },
                 "gather_v over 3 ranks needs 3 counts, not 2");
  expect_refused([&](Communicator& comm) { comm.gather_v(in, out, negative); }, "a count is at least 0, not -2");
  expect_refused([&](Communicator& comm) { comm.all_gather_v(in, out, fit); },
                 "has 7 elements, but must have 6: the sum of the counts");
}

TEST(RuntimeArguments, BuffersMustNotOverlap) {
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(6);
        comm.all_reduce(std::span<const int>(data).first(4), std::span(data).subspan(1, 4), sum);
      },
      "overlap; they must be apart, or exactly the same elements");
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(6);
        comm.all_gather(std::span<const int>(data).subspan(1, 2), data);
      },
      "overlap; they must be apart, or the input exactly the rank's own block of the output");
}

TEST(RuntimeArguments, UnknownAlgorithmsAreMetWithTheNearestName) {
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(2);
        comm.all_reduce(data, sum, {.algorithm = "rign"});
      },
      "ring");
  expect_refused(
      [](Communicator& comm) {
        auto in = ints(3);
        auto out = ints(3);
        comm.all_to_all_v(in, out, {1, 1, 1}, {1, 1, 1}, {.algorithm = "brukc"});
      },
      "bruck");
}

TEST(RuntimeArguments, ParametersThatNoAlgorithmLooksAtAreRefused) {
  expect_refused(
      [](Communicator& comm) {
        auto own = ints(2);
        comm.broadcast(own, 0, {.algorithm = "chain", .radix = 2});
      },
      "broadcast by chain has segments alone, not a radix; leave radix out, or take k-nomial");
  expect_refused([](Communicator& comm) { comm.barrier({.grid = {1, 3}}); }, "no algorithm for barrier has a grid");
  on_ranks(p, [](Communicator& comm) {
    EXPECT_EQ(comm.all_reduce(1, sum, {.segments = 2}), p) << "one that is chosen may cut messages";
  });
}

TEST(RuntimeArguments, AlgorithmsThatDoNotFitAreRefused) {
  expect_refused(
      [](Communicator& comm) {
        auto data = ints(2);
        comm.all_reduce(data, [](int a, int b) { return a + b; }, {.algorithm = "ring"});
      },
      "commutative operator", ErrorCode::unsupported);
  expect_refused(
      [](Communicator& comm) {
        auto in = ints(3);
        auto out = ints(3);
        comm.all_to_all(in, out, {.algorithm = "pairwise"});
      },
      "power of two", ErrorCode::unsupported);
}

TEST(RuntimeArguments, PlansRunOneAtATime) {
  on_ranks(2, [](Communicator& comm) {
    auto data = ints(4);
    Plan plan = comm.plan_all_reduce(data, sum);
    plan.start();
    // The other rank may have come already: only then is the run over.
    if (!plan.test()) {
      EXPECT_THROW(plan.start(), Error);
    }
    plan.wait();
    plan();
  });
}

// Whether a run that is over at once has been waited for does not hang on how fast it was.
TEST(RuntimeArguments, PlansAreStartedAgainOnceTheyAreWaitedFor) {
  on_ranks(1, [](Communicator& comm) {
    auto data = ints(4);
    Plan plan = comm.plan_all_reduce(data, sum);
    const auto expect_under_way = [&] {
      plan.start();
      EXPECT_THROW(plan.start(), Error);
      EXPECT_THROW(plan.run(), Error);
    };
    expect_under_way();
    plan.wait();
    expect_under_way();
    EXPECT_TRUE(plan.test());
    expect_under_way();
    comm.wait_all();
    expect_under_way();
    Plan moved = std::move(plan);
    EXPECT_THROW(moved.start(), Error);
    moved.wait();
    moved();
    moved();
  });
}

TEST(RuntimeArguments, RunsNeedARankAndATimeout) {
  TUTTI_ONLY_ON("run() itself is meant, which starts threads", Engine::threads);
  const auto nothing = [](Communicator&) {};
  EXPECT_THROW(run(0, nothing), Error);
  EXPECT_THROW(run(1, nothing, {.timeout = Duration(-1)}), Error);
  run(1, [](Communicator& comm) { EXPECT_THROW(comm.set_timeout(Duration(0)), Error); });
}

TEST(RuntimeArguments, TimeoutComesFromTheEnvironment) {
  TUTTI_ONLY_ON("run() itself is meant, which starts threads", Engine::threads);
  ASSERT_EQ(setenv("TUTTI_TIMEOUT", "12.5", 1), 0);
  // A program may have a locale, where the system has it, in which numbers have a comma.
  for (const char* const locale : {"C", "de_DE", "de_DE.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, locale) == nullptr) continue;
    run(1, [](Communicator& comm) { EXPECT_EQ(comm.timeout(), Duration(12.5)); });
  }
  std::setlocale(LC_NUMERIC, "C");
  for (const char* const none : {"soon", "2,5", "3 ", " 3", "0", "-1", "nan", "inf", "1e9", "0x10", "2.5s"}) {
    ASSERT_EQ(setenv("TUTTI_TIMEOUT", none, 1), 0);
    EXPECT_THROW(run(1, [](Communicator&) {}), Error) << none;
  }
  ASSERT_EQ(unsetenv("TUTTI_TIMEOUT"), 0);
  run(1, [](Communicator& comm) { EXPECT_EQ(comm.timeout(), no_timeout); });
}

}  // namespace
}  // namespace tutti
