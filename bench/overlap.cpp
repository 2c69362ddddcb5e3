/// @file
/// Share of an all-reduce that hides behind computing: bench_overlap [RANKS].
///
/// Ranks are threads. Each computes for about as long as the all-reduce takes alone; then both are done, in sequence
/// and at once, in three ways: with nothing but the wait at the end, with a test between the pieces of the computation,
/// and with a progress thread. The ratio is the time in sequence over the time at once: 1 means that nothing was
/// hidden, 2 that the shorter of the two was hidden whole. With as many ranks as cores, threads that compute and
/// threads that communicate share the cores, and what one gains the other may lose.

#include <fmt/format.h>

#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "measure/pace.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

constexpr int pieces = 64;  // pieces of a computation
constexpr int rounds = 15;  // rounds of which the median is taken

// Work on a number that stays in a register, so that it competes for a core and not for memory. The compiler knows
// neither where it begins nor that nobody asks for the result.
void compute(std::int64_t steps) {
  static thread_local volatile double kept = 0.5;
  double x = kept;
  for (std::int64_t k = 0; k < steps; ++k) x = x * 0.999999 + 2e-6;
  kept = x;
}

enum class Way { sequence, wait_at_the_end, test_between };

class Overlap {
 public:
  Overlap(Communicator& comm, std::size_t count) : comm_(comm), in_(count, 1.0), out_(count) {}

  // The median of the rounds, in seconds; the same on every rank.
  template <typename Act>
  double median_of_rounds(Act act) {
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
      comm_.barrier();
      comm_.barrier();
      const auto begin = measure::Clock::now();
      act();
      times.push_back(comm_.all_reduce(measure::seconds_since(begin), maximum));
    }
    return measure::median_of(times);
  }

  double communicating() {
    return median_of_rounds([&] { comm_.all_reduce(in_, out_, sum); });
  }
  double both(Way way, std::int64_t steps) {
    return median_of_rounds([&] { act(way, steps); });
  }

 private:
  void act(Way way, std::int64_t steps) {
    if (way == Way::sequence) {
      compute(steps);
      return comm_.all_reduce(in_, out_, sum);
    }
    Handle handle = comm_.all_reduce_async(in_, out_, sum);
    for (int piece = 0; piece < pieces; ++piece) {
      compute(steps / pieces);
      if (way == Way::test_between) (void)handle.test();
    }
    handle.wait();
  }

  Communicator& comm_;
  std::vector<double> in_;
  std::vector<double> out_;
};

// Returns the steps of computing that take that long.
std::int64_t steps_for(double seconds) {
  constexpr std::int64_t trial = 1 << 20;
  const auto begin = measure::Clock::now();
  compute(trial);
  return static_cast<std::int64_t>(static_cast<double>(trial) * seconds / measure::seconds_since(begin));
}

void print_row(std::string_view way, std::int64_t bytes, double alone, double sequence, double overlapped) {
  fmt::print("{:>8} {:<22}{:>12} {:>12} {:>12} {:>7.2f}\n", text_of(Bytes{bytes}), way, text_of(Seconds{alone}),
             text_of(Seconds{sequence}), text_of(Seconds{overlapped}), sequence / overlapped);
}

void measure_size(int ranks, std::int64_t bytes, bool progress_thread) {
  run(ranks,
      [&](Communicator& comm) {
        Overlap overlap(comm, static_cast<std::size_t>(bytes) / sizeof(double));
        overlap.communicating();  // warm-up
        const double alone = overlap.communicating();
        std::int64_t steps = steps_for(alone);
        comm.broadcast(steps);
        const double sequence = overlap.both(Way::sequence, steps);
        const double waited = overlap.both(Way::wait_at_the_end, steps);
        const double tested = progress_thread ? 0 : overlap.both(Way::test_between, steps);
        if (comm.rank() != 0) return;
        print_row(progress_thread ? "progress thread" : "wait at the end", bytes, alone, sequence, waited);
        if (!progress_thread) print_row("test between pieces", bytes, alone, sequence, tested);
      },
      {.progress_thread = progress_thread});
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) try {
  using namespace tutti;
  require(argc <= 2, "usage: bench_overlap [RANKS]");
  const int ranks = argc == 2 ? static_cast<int>(parse_integer(argv[1], "a number of ranks", 1, 1024)) : 2;
  fmt::print("all-reduce of doubles over {} ranks; {}\n", ranks, measure::machine_in_words());
  fmt::print("{:>8} {:<22}{:>12} {:>12} {:>12} {:>7}\n", "BYTES", "PROGRESS", "ALONE", "IN SEQUENCE", "AT ONCE",
             "RATIO");
  for (const std::int64_t bytes : {std::int64_t{1} << 16, std::int64_t{1} << 20, std::int64_t{1} << 24}) {
    bench::measure_size(ranks, bytes, false);
    bench::measure_size(ranks, bytes, true);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_overlap: {}\n", error.what());
  return 2;
}
