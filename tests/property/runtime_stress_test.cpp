/// @file
/// All collectives at random, several at once, on several communicators, with ranks at their own pace: every byte is
/// checked.
///
/// A fixed number of operations is run; TUTTI_STRESS_SECONDS=60 goes on for a minute. TUTTI_STRESS_SEED=n repeats a
/// run.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"
#include "support/trial.hpp"

namespace tutti {
namespace {

using testing::Affine;
using testing::Compose;
using testing::Trial;
using Random = std::mt19937_64;
using AffineTrial = Trial<Affine, Compose>;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

/// The same problem on every rank, because all draw from the same random numbers.
Problem random_problem(Random& random, int p) {
  const auto collectives = all_collectives();
  Problem problem{
      .collective = collectives[static_cast<std::size_t>(below(random, static_cast<int>(collectives.size())))],
      .ranks = p};
  problem.commutative = !reduces(problem.collective);
  if (problem.collective == Collective::barrier) return problem;
  constexpr int sizes[] = {0, 1, 2, 5, 17, 100, 3000};
  problem.count = sizes[below(random, 7)] + below(random, 3);
  if (has_root(problem.collective)) problem.root = below(random, p);
  if (problem.collective == Collective::shift) problem.distance = below(random, 3 * p) - p;
  if (has_blocks(problem.collective) && below(random, 2) == 0) {
    problem.counts.resize(static_cast<std::size_t>(problem.collective == Collective::all_to_all ? p * p : p));
    for (std::int64_t& count : problem.counts) count = below(random, 3) == 0 ? 0 : below(random, 50);
    problem.count = 0;
  }
  return problem;
}

/// An algorithm that fits, or none: then the library chooses.
std::string_view random_algorithm(Random& random, const Problem& problem) {
  std::vector<std::string_view> names{""};
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (!unmet_need(*algorithm, problem)) names.push_back(algorithm->name);
  }
  return names[static_cast<std::size_t>(below(random, static_cast<int>(names.size())))];
}

/// Operations that were started and not yet waited for.
struct Outstanding {
  std::vector<std::unique_ptr<AffineTrial>> trials;
  std::vector<Handle> handles;

  void finish(Random& own) {
    std::vector<std::size_t> order(handles.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::shuffle(order.begin(), order.end(), own);
    for (const std::size_t k : order) handles[k].wait();
    for (const auto& trial : trials) trial->check();
    trials.clear();
    handles.clear();
  }
};

void dawdle(Random& own) {
  const int choice = below(own, 40);
  if (choice == 0) std::this_thread::sleep_for(std::chrono::microseconds(below(own, 300)));
  if (choice < 10) std::this_thread::yield();
}

/// A ring of messages beside the collectives.
void exchange(Communicator& comm, std::uint64_t seed, Outstanding& outstanding) {
  const int p = comm.size();
  const auto data = testing::contributions<Affine>(seed, comm.rank(), 40);
  std::vector<Affine> received(data.size());
  Handle sending = comm.send_async(data, (comm.rank() + 1) % p);
  Handle receiving = comm.receive_async(received, (comm.rank() + p - 1) % p);
  if (!outstanding.handles.empty()) (void)outstanding.handles.front().test();
  comm.wait(receiving, sending);
  EXPECT_EQ(received, testing::contributions<Affine>(seed, (comm.rank() + p - 1) % p, 40));
}

/// One round: up to 12 operations on up to three communicators, half of them outstanding together.
void round(std::vector<Communicator>& comms, Random& common, Random& own) {
  Outstanding outstanding;
  const int operations = 1 + below(common, 12);
  for (int k = 0; k < operations; ++k) {
    const int which = below(common, static_cast<int>(comms.size()));
    const std::uint64_t seed = common();
    const bool waits = below(common, 2) == 0;
    Communicator& comm = comms[static_cast<std::size_t>(which)];
    // Ranks of one communicator draw the same problem, whatever communicators the others are in.
    Random shared(seed);
    Problem problem = random_problem(shared, comm.size());
    const std::string_view algorithm = random_algorithm(shared, problem);
    problem.in_place = allows_in_place(problem.collective) && below(own, 2) == 0;
    outstanding.trials.push_back(std::make_unique<AffineTrial>(problem, comm.rank(), seed, Compose{},
                                                               CollectiveOptions{.algorithm = algorithm}, Compose{}));
    dawdle(own);
    outstanding.handles.push_back(testing::call_async(comm, outstanding.trials.back()->setting()));
    if (waits) outstanding.handles.back().wait();
    if (below(common, 8) == 0) exchange(comm, seed, outstanding);
  }
  outstanding.finish(own);
}

void stress(int p, std::uint64_t seed, std::uint64_t seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  testing::on_ranks(p, [&](Communicator& comm) {
    Random common(seed);
    Random own(seed + 1000003U * (static_cast<std::uint64_t>(comm.rank()) + 1));
    for (int rounds = 0, go = 1; go != 0; ++rounds) {
      std::vector<Communicator> comms{comm, comm.duplicate()};
      // Not the same number of ranks on both sides of the split; the sides draw different problems by the same numbers.
      comms.push_back(comm.split(comm.rank() < p / 3 ? 0 : 1, below(own, 100)).value());
      for (int k = 0; k < 5; ++k) round(comms, common, own);
      go = rounds < 8 || std::chrono::steady_clock::now() < end ? 1 : 0;
      comm.broadcast(go);
    }
  });
}

class RuntimeStress : public ::testing::TestWithParam<int> {};

TEST_P(RuntimeStress, EveryByteIsRight) {
  const std::uint64_t seed = from_environment("TUTTI_STRESS_SEED", 4711);
  std::cout << "seed " << seed << "\n";
  stress(GetParam(), seed, from_environment("TUTTI_STRESS_SECONDS", 0) / 5);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RuntimeStress, ::testing::ValuesIn(testing::possible({2, 3, 4, 7, 16})));

}  // namespace
}  // namespace tutti
