/// @file
/// Messages, handles, plans and communicators that are made from others.

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>
#include <thread>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using testing::Engine;
using testing::on_ranks;

TEST(RuntimeMessages, ArriveInTheOrderInWhichTheyAreSent) {
  on_ranks(3, [](Communicator& comm) {
    std::vector<int> data(200);
    std::iota(data.begin(), data.end(), 0);
    const int to = (comm.rank() + 1) % comm.size();
    const int from = (comm.rank() + 2) % comm.size();
    std::vector<int> received(data.size(), -1);
    std::vector<Handle> handles;
    for (std::size_t k = 0; k < data.size(); ++k) {
      handles.push_back(comm.send_async(std::span(&data[k], 1), to));
      handles.push_back(comm.receive_async(std::span(&received[k], 1), from));
    }
    comm.wait(handles);
    EXPECT_EQ(received, data);
  });
}

// The textbook's exchange: post both, then wait for both.
TEST(RuntimeMessages, ExchangeWithoutBuffers) {
  on_ranks(2, [](Communicator& comm) {
    const int other = 1 - comm.rank();
    const std::array<double, 3> mine{1.0 + comm.rank(), 2.0, 3.0};
    std::array<double, 3> theirs{};
    Handle sending = comm.send_async(mine, other);
    Handle receiving = comm.receive_async(theirs, other);
    comm.wait(sending, receiving);
    EXPECT_EQ(theirs[0], 1.0 + other);
    EXPECT_TRUE(comm.test(sending));
  });
}

TEST(RuntimeMessages, WaitAllCompletesWhatWasDropped) {
  on_ranks(4, [](Communicator& comm) {
    std::vector<int> received(4, -1);
    const int mine = comm.rank();
    for (int peer = 0; peer < comm.size(); ++peer) {
      (void)comm.send_async(std::span(&mine, 1), peer);
      (void)comm.receive_async(std::span(&received[static_cast<std::size_t>(peer)], 1), peer);
    }
    comm.wait_all();
    EXPECT_EQ(received, (std::vector<int>{0, 1, 2, 3}));
  });
}

TEST(RuntimeMessages, EmptyMessagesSynchronize) {
  on_ranks(2, [](Communicator& comm) {
    std::vector<int> nothing;
    if (comm.rank() == 0) comm.send(nothing, 1);
    if (comm.rank() == 1) comm.receive(nothing, 0);
  });
}

TEST(RuntimeHandles, OutstandingOperationsCompleteInAnyOrder) {
  on_ranks(5, [](Communicator& comm) {
    std::minstd_rand random(static_cast<unsigned>(comm.rank()) + 1);
    // More than there are lanes: the later ones queue.
    constexpr std::size_t many = 30;
    std::vector<std::vector<std::int64_t>> data;
    for (std::size_t k = 0; k < many; ++k) data.emplace_back(k * 3, comm.rank() + static_cast<std::int64_t>(k));
    std::vector<Handle> handles;
    for (auto& each : data) handles.push_back(comm.all_reduce_async(each, sum));
    std::vector<std::size_t> order(many);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t k : order) handles[k].wait();
    for (std::size_t k = 0; k < many; ++k) {
      EXPECT_EQ(data[k], std::vector<std::int64_t>(k * 3, 10 + 5 * static_cast<std::int64_t>(k)));
    }
  });
}

TEST(RuntimeHandles, TestMakesProgress) {
  on_ranks(3, [](Communicator& comm) {
    int value = comm.rank();
    Handle handle = comm.all_reduce_async(std::span(&value, 1), maximum);
    while (!handle.test()) std::this_thread::yield();
    EXPECT_EQ(value, 2);
    EXPECT_FALSE(handle.algorithm().empty());
  });
}

TEST(RuntimePlans, RunAgainWithChangedData) {
  on_ranks(4, [](Communicator& comm) {
    std::vector<int> in(7);
    std::vector<int> out(7);
    Plan plan = comm.plan_all_reduce(in, out, sum);
    EXPECT_FALSE(plan.algorithm().empty());
    for (int round = 0; round < 50; ++round) {
      std::fill(in.begin(), in.end(), comm.rank() * round);
      if (round % 2 == 0) plan.run();
      if (round % 2 == 1) {
        plan.start();
        plan.wait();
      }
      EXPECT_EQ(out, std::vector<int>(7, 6 * round));
    }
  });
}

TEST(RuntimePlans, MeetPlainCallsOfTheSameShape) {
  on_ranks(2, [](Communicator& comm) {
    int value = comm.rank() + 1;
    Plan plan = comm.plan_all_reduce(std::span(&value, 1), product);
    if (comm.rank() == 0) plan();
    if (comm.rank() == 1) comm.all_reduce(std::span(&value, 1), product);
    EXPECT_EQ(value, 2);
  });
}

TEST(RuntimePlans, CountsOfAllToAllTravelAtEachStart) {
  on_ranks(3, [](Communicator& comm) {
    // Rank i sends i + j elements to rank j.
    std::vector<std::int64_t> send;
    for (int j = 0; j < 3; ++j) send.push_back(comm.rank() + j);
    const auto total = static_cast<std::size_t>(std::accumulate(send.begin(), send.end(), std::int64_t{0}));
    std::vector<int> in(total);
    std::vector<int> out(total, -1);
    Plan plan = comm.plan_all_to_all_v(in, out, send, send);
    for (int round = 0; round < 3; ++round) {
      std::fill(in.begin(), in.end(), 10 * round + comm.rank());
      plan();
      std::size_t at = 0;
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < comm.rank() + i; ++k) EXPECT_EQ(out[at++], 10 * round + i);
      }
    }
    EXPECT_FALSE(plan.algorithm().empty());
  });
}

TEST(RuntimeSplit, NumbersRanksByKeyThenByRank) {
  for (const int half : {2, 3}) {
    if (!testing::has_ranks(2 * half)) continue;
    on_ranks(2 * half, [half](Communicator& comm) {
      // Colors 0, 1, 2, 0, 1, 2; within a color the higher rank comes first.
      auto part = comm.split(comm.rank() % half, -comm.rank());
      ASSERT_TRUE(part);
      EXPECT_EQ(part->size(), 2);
      EXPECT_EQ(part->rank(), comm.rank() < half ? 1 : 0);
      EXPECT_EQ(part->all_gather(comm.rank()), (std::vector<int>{comm.rank() % half + half, comm.rank() % half}));
    });
  }
}

TEST(RuntimeSplit, NegativeColorsGetNothing) {
  on_ranks(4, [](Communicator& comm) {
    auto part = comm.split(comm.rank() == 2 ? -1 : 5);
    EXPECT_EQ(part.has_value(), comm.rank() != 2);
    if (part) {
      EXPECT_EQ(part->all_reduce(1, sum), 3);
    }
  });
}

TEST(RuntimeSplit, RowsAndColumnsOfAGridWorkAtOnce) {
  for (const int columns : {2, 3}) {
    if (!testing::has_ranks(2 * columns)) continue;
    on_ranks(2 * columns, [columns](Communicator& comm) {
      Communicator row = comm.split(comm.rank() / columns).value();
      Communicator column = comm.split(comm.rank() % columns).value();
      std::vector<int> by_row(5, comm.rank());
      std::vector<int> by_column(5, comm.rank());
      Handle first = row.all_reduce_async(by_row, sum);
      Handle second = column.all_reduce_async(by_column, sum);
      Handle third = comm.barrier_async();
      // Half of the ranks wait in the other order.
      if (comm.rank() % 2 == 0) {
        comm.wait(third, second, first);
      } else {
        comm.wait(first, second, third);
      }
      const int first_of_row = comm.rank() / columns * columns;
      EXPECT_EQ(by_row, std::vector<int>(5, columns * first_of_row + columns * (columns - 1) / 2));
      EXPECT_EQ(by_column, std::vector<int>(5, 2 * (comm.rank() % columns) + columns));
    });
  }
}

TEST(RuntimeSplit, InheritsTheTimeout) {
  on_ranks(2, [](Communicator& comm) {
    comm.set_timeout(std::chrono::milliseconds(4500));
    EXPECT_EQ(comm.duplicate().timeout(), Duration(4.5));
  });
}

TEST(RuntimeSplit, ManyCommunicatorsComeAndGo) {
  on_ranks(3, [](Communicator& comm) {
    for (int round = 0; round < 100; ++round) {
      Communicator fresh = comm.duplicate();
      EXPECT_EQ(fresh.all_reduce(round, maximum), round);
    }
  });
}

TEST(RuntimeChoice, CanBeAskedAndOverridden) {
  on_ranks(4, [](Communicator& comm) {
    std::vector<float> data(64);
    EXPECT_EQ(comm.all_reduce_async(data, sum, {.algorithm = "ring"}).algorithm(), "ring");
    comm.wait_all();
    Plan plan = comm.plan_all_reduce(data, sum);
    EXPECT_EQ(plan.algorithm(), comm.algorithm_of(Collective::all_reduce, 64, sizeof(float)));
  });
  ASSERT_EQ(setenv("TUTTI_ALGORITHM_ALL_REDUCE", "mesh", 1), 0);
  on_ranks(4, [](Communicator& comm) { EXPECT_EQ(comm.algorithm_of(Collective::all_reduce, 10, 4), "mesh"); });
  ASSERT_EQ(unsetenv("TUTTI_ALGORITHM_ALL_REDUCE"), 0);
}

TEST(RuntimeChoice, AWrongNameInTheEnvironmentIsToldWithItsVariable) {
  ASSERT_EQ(setenv("TUTTI_ALGORITHM_ALL_REDUCE", "foo", 1), 0);
  for (const testing::Outcome& outcome : testing::outcomes_of(3, [](Communicator& comm) { comm.all_reduce(1, sum); })) {
    EXPECT_EQ(outcome.code, ErrorCode::invalid_argument);
    for (const char* part :
         {"TUTTI_ALGORITHM_ALL_REDUCE=foo: all-reduce has no such algorithm", "; set it to one of ", "ring"}) {
      EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
    }
  }
  ASSERT_EQ(unsetenv("TUTTI_ALGORITHM_ALL_REDUCE"), 0);
}

// Messages come late, and one after the other: what was combined before is not combined again.
TEST(RuntimeShort, ACallThatHadToStopGoesOnWhereItWas) {
  TUTTI_NEEDS_RANKS(4);
  on_ranks(4, [](Communicator& comm) {
    for (const char* algorithm : {"linear", "binomial", "flat"}) {
      for (int late = 0; late < comm.size(); ++late) {
        comm.barrier();
        // The root comes when all others are there, but for one.
        if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
        if (comm.rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::array<long, 3> data{comm.rank() + 1L, 10L * comm.rank(), 1};
        comm.reduce(data, sum, 0, {.algorithm = algorithm});
        if (comm.rank() != 0) continue;
        EXPECT_EQ(data, (std::array<long, 3>{10, 60, 4})) << algorithm << " " << late;
      }
    }
  });
}

TEST(RuntimeShort, AUsersOperatorMayCallAgain) {
  on_ranks(2, [](Communicator& comm) {
    Communicator other = comm.duplicate();
    const auto counted = [&](int a, int b) { return a + b + other.all_reduce(1, sum); };
    int value = comm.rank() + 1;
    value = comm.all_reduce(value, commutative(counted), {.algorithm = "flat"});
    EXPECT_EQ(value, 1 + 2 + 2);
  });
}

TEST(RuntimeChoice, FewBytesTakeFewRoundsAndManyTakeLittleTraffic) {
  TUTTI_NEEDS_RANKS(8);
  on_ranks(8, [](Communicator& comm) {
    EXPECT_NE(comm.algorithm_of(Collective::all_reduce, 64, 8), "ring");
    EXPECT_EQ(comm.algorithm_of(Collective::all_reduce, 1 << 24, 8), "direct");
  });
}

TEST(RuntimeRun, ManyRanksOnFewCores) {
  TUTTI_NEEDS_RANKS(70);
  on_ranks(70, [](Communicator& comm) { EXPECT_EQ(comm.all_reduce(comm.rank(), sum), 70 * 69 / 2); });
}

TEST(RuntimeRun, RunsInsideRuns) {
  on_ranks(2, [](Communicator& outer) {
    run(3, [&](Communicator& inner) { EXPECT_EQ(inner.all_reduce(outer.rank(), sum), 3 * outer.rank()); });
    outer.barrier();
  });
}

}  // namespace
}  // namespace tutti
