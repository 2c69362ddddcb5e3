/// @file
/// All collectives at random, several at once, on several communicators, on several element types, in memory of both
/// kinds, and messages between any two ranks, with ranks at their own pace: every byte is checked, on ranks of every
/// kind, against what one rank computes by itself.
///
/// A fixed number of operations is run; TUTTI_STRESS_SECONDS=60 goes on for about a minute on all kinds of ranks
/// together. TUTTI_STRESS_SEED=n draws other operations.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>

#include "algorithms/catalogue.hpp"
#include "property/stress_messages.hpp"
#include "support/ranks.hpp"
#include "support/sanitizers.hpp"
#include "support/trial.hpp"

namespace tutti {
namespace {

using testing::Affine;
using testing::Compose;
using testing::Form;
using testing::Trial;
using Random = std::mt19937_64;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

template <std::size_t N>
int one_of(Random& random, const int (&values)[N]) {
  return values[below(random, static_cast<int>(N))];
}

/// Most messages are short; one in thirty is of about a megabyte over all ranks.
std::int64_t random_count(Random& random, const Problem& problem) {
  if (below(random, 30) != 0) return one_of(random, {0, 1, 2, 5, 17, 100, 700, 3000}) + below(random, 3);
  const std::int64_t most = has_blocks(problem.collective) ? 120'000 / problem.ranks : 120'000;
  return most / 2 + below(random, static_cast<int>(most / 2));
}

/// Returns one problem on every rank, because all draw equal random numbers.
Problem random_problem(Random& random, int p) {
  const auto collectives = all_collectives();
  Problem problem{
      .collective = collectives[static_cast<std::size_t>(below(random, static_cast<int>(collectives.size())))],
      .ranks = p};
  if (problem.collective == Collective::barrier) return problem;
  problem.count = random_count(random, problem);
  if (problem.collective == Collective::all_to_all)
    problem.count = std::min<std::int64_t>(problem.count, 120'000 / (p * p));
  if (has_root(problem.collective)) problem.root = below(random, p);
  if (problem.collective == Collective::shift) problem.distance = below(random, 3 * p) - p;
  if (has_blocks(problem.collective) && below(random, 2) == 0) {
    problem.counts.resize(static_cast<std::size_t>(problem.collective == Collective::all_to_all ? p * p : p));
    for (std::int64_t& count : problem.counts) count = below(random, 3) == 0 ? 0 : below(random, 50);
    problem.count = 0;
  }
  return problem;
}

/// An algorithm that fits wherever the ranks are, or none: then the library chooses. What fits ranks that are dealt to
/// two nodes in turn keeps the order of ranks on any nodes.
std::string_view random_algorithm(Random& random, const Problem& problem) {
  std::vector<Location> in_turn;
  for (int rank = 0; rank < problem.ranks; ++rank) in_turn.push_back({.node = rank % 2});
  const Layout layout(std::move(in_turn));
  std::vector<std::string_view> names{""};
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (!unmet_need(*algorithm, problem, layout)) names.push_back(algorithm->name);
  }
  return names[static_cast<std::size_t>(below(random, static_cast<int>(names.size())))];
}

/// Memory of a rank's buffers. Ranks need not agree.
enum class Place : std::uint8_t { own, allocated };

/// A trial whose element type is forgotten.
class AnyTrial {
 public:
  virtual ~AnyTrial() = default;
  virtual Handle start(Communicator& comm) = 0;
  virtual void run(Communicator& comm, Form form) = 0;
  virtual void check() = 0;
};

template <typename T, typename Op>
class TrialOf final : public AnyTrial {
 public:
  TrialOf(Communicator& comm, const Problem& problem, std::uint64_t seed, Op op, std::string_view algorithm,
          std::function<T(const T&, const T&)> reference, Place place)
      : trial_(problem, comm.rank(), seed, op, {.algorithm = algorithm}, std::move(reference)),
        setting_(trial_.setting()),
        result_(setting_.out) {
    if (place == Place::own) return;
    in_ = comm.allocate<T>(setting_.in.size());
    out_ = comm.allocate<T>(setting_.out.size());
    std::copy(setting_.in.begin(), setting_.in.end(), in_.begin());
    std::copy(setting_.out.begin(), setting_.out.end(), out_.begin());
    setting_.in = in_;
    setting_.out = out_;
  }

  Handle start(Communicator& comm) override { return testing::call_async(comm, setting_); }
  void run(Communicator& comm, Form form) override {
    if (form == Form::plan) {
      testing::make_plan(comm, setting_).run();
    } else {
      testing::call(comm, setting_);
    }
  }
  void check() override {
    std::copy(out_.begin(), out_.end(), result_.begin());
    trial_.check();
  }

 private:
  Trial<T, Op> trial_;
  testing::Setting<T, Op> setting_;
  std::span<T> result_;  // view in which the trial looks
  Memory<T> in_;
  Memory<T> out_;
};

/// Draws everything that ranks must agree on from `shared`, and the rest from `own`. Values are such that results do
/// not depend on rounding.
std::unique_ptr<AnyTrial> random_trial(Communicator& comm, std::uint64_t seed, Random& own) {
  Random shared(seed);
  Problem problem = random_problem(shared, comm.size());
  const int type = below(shared, 6);
  problem.commutative = type != 0 || !reduces(problem.collective);
  const std::string_view algorithm = random_algorithm(shared, problem);
  problem.in_place = allows_in_place(problem.collective) && below(own, 2) == 0;
  const Place place = below(own, 3) == 0 ? Place::allocated : Place::own;
  const auto trial = [&]<typename T, typename Op>(Op op, std::function<T(const T&, const T&)> reference) {
    return std::make_unique<TrialOf<T, Op>>(comm, problem, seed, op, algorithm, std::move(reference), place);
  };
  switch (type) {
    case 1:
      return trial.operator()<float>(sum, [](float a, float b) { return a + b; });
    case 2:
      return trial.operator()<double>(maximum, [](double a, double b) { return std::max(a, b); });
    case 3:
      return trial.operator()<std::uint8_t>(bitwise_xor,
                                            [](auto a, auto b) { return static_cast<std::uint8_t>(a ^ b); });
    case 4:
      return trial.operator()<std::int64_t>(minimum, [](auto a, auto b) { return std::min(a, b); });
    case 5:
      return trial.operator()<float16>(sum, [](auto a, auto b) { return float16(a + b); });
    default:
      return trial.operator()<Affine>(Compose{}, Compose{});
  }
}

/// Operations that were started and not yet waited for.
struct Outstanding {
  std::vector<std::unique_ptr<AnyTrial>> trials;
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
  const int choice = below(own, 200);
  if (choice == 0) std::this_thread::sleep_for(std::chrono::microseconds(below(own, 5000)));
  if (choice < 5) std::this_thread::sleep_for(std::chrono::microseconds(below(own, 300)));
  if (choice < 50) std::this_thread::yield();
}

/// One round: up to 12 operations on all communicators, some of them outstanding together.
void round(std::vector<Communicator>& comms, Random& common, Random& own) {
  Outstanding outstanding;
  const int operations = 1 + below(common, 12);
  for (int k = 0; k < operations; ++k) {
    Communicator& comm = comms[static_cast<std::size_t>(below(common, static_cast<int>(comms.size())))];
    // Ranks of one communicator draw the same problem, whatever communicators the others are in.
    const std::uint64_t seed = common();
    outstanding.trials.push_back(random_trial(comm, seed, own));
    AnyTrial& trial = *outstanding.trials.back();
    dawdle(own);
    // A plan is made where it is used, by ranks that need not agree on that: it is no call.
    const int form = below(own, 8);
    if (form < 2) {
      trial.run(comm, form == 0 ? Form::plan : Form::blocking);
    } else {
      outstanding.handles.push_back(trial.start(comm));
      if (form < 5) outstanding.handles.back().wait();
    }
    if (below(common, 4) == 0) testing::exchange_messages(comm, seed, own);
  }
  outstanding.finish(own);
}

/// The communicator itself, a duplicate, two parts that are not equally large, and parts of those parts.
std::vector<Communicator> family(Communicator& comm, Random& own) {
  const int p = comm.size();
  std::vector<Communicator> comms{comm, comm.duplicate()};
  comms.push_back(comm.split(comm.rank() < p / 3 ? 0 : 1, below(own, 100)).value());
  comms.push_back(comms.back().split(comms.back().rank() % 2, -comm.rank()).value());
  return comms;
}

/// Enough for the first messages, for rings that turn and for communicators that go; more where a sanitizer does not
/// make each take ten times as long.
constexpr int least_rounds = test::addresses_are_reserved ? 4 : 5;

void stress(int p, std::uint64_t seed, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  testing::on_ranks(p, [&](Communicator& comm) {
    Random common(seed);
    Random own(seed + 1000003U * (static_cast<std::uint64_t>(comm.rank()) + 1));
    for (int rounds = 0, go = 1; go != 0; ++rounds) {
      std::vector<Communicator> comms = family(comm, own);
      for (int k = 0; k < 5; ++k) round(comms, common, own);
      go = rounds < least_rounds || std::chrono::steady_clock::now() < end ? 1 : 0;
      comm.broadcast(go);
    }
  });
}

struct Case {
  int ranks;
  const char* progress_thread;
};

void PrintTo(const Case& which, std::ostream* stream) {
  *stream << which.ranks << " ranks, TUTTI_PROGRESS_THREAD=" << which.progress_thread;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int ranks : testing::possible({2, 3, 4, 7, 16})) all.push_back({ranks, "0"});
  for (const int ranks : testing::possible({3})) all.push_back({ranks, "1"});
  return all;
}

/// Threads; processes that may read one another's memory, or not, or some of them; ranks of either MPI.
constexpr std::uint64_t kinds_of_ranks = 6;

/// Returns the share of a case in the time that is asked for.
std::chrono::milliseconds time_of_a_case() {
  const std::uint64_t seconds = from_environment("TUTTI_STRESS_SECONDS", 0);
  return std::chrono::milliseconds(1000 * seconds / kinds_of_ranks / cases().size());
}

class RuntimeStress : public ::testing::TestWithParam<Case> {};

TEST_P(RuntimeStress, EveryByteIsRight) {
  const std::uint64_t seed = from_environment("TUTTI_STRESS_SEED", 4711);
  std::cout << "seed " << seed << std::endl;
  setenv("TUTTI_PROGRESS_THREAD", GetParam().progress_thread, 1);
  stress(GetParam().ranks, seed, time_of_a_case());
}

INSTANTIATE_TEST_SUITE_P(Kinds, RuntimeStress, ::testing::ValuesIn(cases()));

}  // namespace
}  // namespace tutti
