/// @file
/// Sends that begin without their receivers.

#include <gtest/gtest.h>

#include "topology/families/families.hpp"
#include "tutti/error.hpp"
#include "unit/simulate/simulated.hpp"

namespace tutti {
namespace {

TEST(Eager, SendsBeginBeforeTheirReceivers) {
  const TopologyPtr full = full_topology(2);
  const Machine on{.ts = 1e-6, .tw = 1e-9};
  const double message = 1e-6 + 1000e-9;
  SimulationOptions options{.eager = 1000, .skew = {{}, {.start = 5e-6}}};
  for (const Ports ports : {Ports::single, Ports::multiple}) {
    Machine with = on;
    with.ports = ports;
    const Simulation early = messages_on(*full, {{0, 1}}, 1000, with, options);
    EXPECT_NEAR(early.finished[0], message, 1e-15);
    EXPECT_NEAR(early.finished[1], 5e-6, 1e-15);
    options.eager = 999;
    const Simulation late = messages_on(*full, {{0, 1}}, 1000, with, options);
    EXPECT_NEAR(late.finished[0], 5e-6 + message, 1e-15);
    options.eager = 1000;
  }
}

// Two ranks send before they receive: with buffered sends both come to their ends, in the time of a message.
TEST(Eager, SendsEndWhatWouldWaitForever) {
  const Record text = [](Script& me, const Problem&) {
    const int other = 1 - me.rank();
    for (int k = 0; k < 3; ++k) {
      me.send(me.input(), other);
      me.wait();
    }
    for (int k = 0; k < 3; ++k) {
      me.receive(me.output(other), other);
      me.wait();
    }
  };
  const Problem problem{.collective = Collective::all_gather, .ranks = 2, .count = 100};
  const Machine on{.ts = 1e-6, .tw = 1e-9};
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    Workload workload(text, problem, 1);
    EXPECT_NEAR(simulate(workload, *full_topology(2), on, {.engine = engine, .eager = 100}).seconds, 3 * 1.1e-6, 1e-15);
    Workload again(text, problem, 1);
    EXPECT_THROW(simulate(again, *full_topology(2), on, {.engine = engine, .eager = 99}), Error);
  }
}

// Rank 0 sends a long message and then a short one, which is there before rank 1 comes to the first of its two
// receives: that one takes the long message all the same.
TEST(Eager, ReceivesTakeMessagesInTheOrderOfTheirSends) {
  const auto in = [](std::int64_t count) { return Slice{Buffer::input, 0, count}; };
  const auto out = [](std::int64_t count) { return Slice{Buffer::output, 0, count}; };
  const Record text = [&](Script& me, const Problem&) {
    if (me.rank() == 0) {
      me.send(in(2000), 1);
      me.send(in(8), 1);
    } else if (me.rank() == 1) {
      me.receive(out(100), 2);
      me.wait();
      me.receive(out(2000), 0);
      me.wait();
      me.send(in(8), 3);
      me.wait();
      me.receive(out(8), 0);
    } else if (me.rank() == 2) {
      me.send(in(100), 1);
    } else {
      me.receive(out(8), 1);
    }
  };
  const Machine on{.ports = Ports::multiple, .ts = 1e-6, .tw = 1e-9};
  Workload workload(text, {.collective = Collective::shift, .ranks = 4, .count = 2000}, 1);
  const Simulation result = simulate(workload, *full_topology(4), on, {.engine = Engine::flows, .eager = 8});
  EXPECT_NEAR(result.finished[3], 1.1e-6 + 3e-6 + 1.008e-6, 1e-15);
}

// A message that begins earlier delays none if messages share nothing.
TEST(Eager, SendsAreNeverSlower) {
  Machine on = machine;
  on.ports = Ports::multiple;
  for (const int ranks : {2, 5, 8}) {
    const TopologyPtr full = full_topology(ranks);
    for_each_fitting(ranks, [&](const Algorithm& algorithm, const Problem& problem) {
      SimulationOptions options;
      options.skew.resize(static_cast<std::size_t>(ranks));
      options.skew.back().start = 3e-6;
      const double unbuffered = simulated(algorithm, problem, *full, on, options).seconds;
      options.eager = 1 << 20;
      const Simulation buffered = simulated(algorithm, problem, *full, on, options);
      EXPECT_LE(buffered.seconds, unbuffered * (1 + precision));
      options.shuffle = 5;
      EXPECT_NEAR(simulated(algorithm, problem, *full, on, options).seconds, buffered.seconds,
                  precision * buffered.seconds);
    });
  }
}

}  // namespace
}  // namespace tutti
