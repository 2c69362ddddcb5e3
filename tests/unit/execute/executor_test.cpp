/// @file
/// The executor over channels that refuse, delay and cut messages: what comes of each algorithm is right all the same.

#include "execute/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "execute/traced_connection.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/rewrite/program_compiler.hpp"
#include "support/fake_network.hpp"
#include "support/reference.hpp"
#include "support/values.hpp"

namespace tutti::runtime {
namespace {

using testing::Affine;
using testing::FakeNetwork;
using testing::Faults;

constexpr std::uint64_t seed = 71;

struct Add {
  Affine operator()(const Affine& a, const Affine& b) const { return {a.scale + b.scale, a.offset + b.offset}; }
};

Affine combined(const Problem& problem, const Affine& a, const Affine& b) {
  return problem.commutative ? Add{}(a, b) : testing::Compose{}(a, b);
}

/// The ranks of one collective, each with buffers and executor.
class Ranks {
 public:
  /// Some of them are recorded.
  Ranks(const Choice& choice, const Problem& problem, FakeNetwork& network, Recorder& recorder)
      : problem_(problem),
        recorder_(recorder),
        network_(network),
        op_(problem.commutative ? detail::user_operator<Affine>(Add{}, true)
                                : detail::user_operator<Affine>(testing::Compose{}, false)) {
    const Schedule schedule = record(choice, problem);
    for (int rank = 0; rank < problem.ranks; ++rank)
      inputs_.push_back(testing::contributions<Affine>(seed, rank, testing::input_size(problem, rank)));
    for (int rank = 0; rank < problem.ranks; ++rank) ranks_.push_back(make(rank, schedule));
  }

  /// Lets ranks advance in any order until all are done; false if they do not come to an end.
  bool run() {
    constexpr int most_looks = 1'000'000;
    std::vector<Rank*> open;
    for (const auto& rank : ranks_) open.push_back(rank.get());
    for (int look = 0; look < most_looks; ++look) {
      std::erase_if(open, [](const Rank* rank) { return rank->executor.done(); });
      if (open.empty()) return true;
      open[network_.random()() % open.size()]->executor.advance();
    }
    return false;
  }

  /// The first rank whose output is not what the collective gives; -1: there is none.
  int first_wrong() const {
    const auto f = [this](const Affine& a, const Affine& b) { return combined(problem_, a, b); };
    for (int rank = 0; rank < problem_.ranks; ++rank) {
      const auto wanted = testing::expected(problem_, inputs_, rank, f);
      if (wanted && *wanted != ranks_[static_cast<std::size_t>(rank)]->output) return rank;
    }
    return -1;
  }

 private:
  struct Rank {
    Rank(const Program& program, std::unique_ptr<Connection> to, int number, std::vector<int> members,
         Recorder& recorder)
        : compiled(compile(program)),
          connection(std::move(to)),
          traced(*connection, recorder, 0, number, std::move(members)),
          executor(number % 2 == 0 ? *connection : static_cast<const Connection&>(traced)) {}

    CompiledProgram compiled;
    std::unique_ptr<Connection> connection;
    TracedConnection traced;  // every other rank is
    std::vector<Affine> input;
    std::vector<Affine> output;
    std::vector<Affine> scratch;
    Bindings bindings;
    Executor executor;
  };

  std::unique_ptr<Rank> make(int number, const Schedule& schedule) const {
    std::vector<int> all(static_cast<std::size_t>(problem_.ranks));
    std::iota(all.begin(), all.end(), 0);
    auto rank = std::make_unique<Rank>(schedule.programs[static_cast<std::size_t>(number)], network_.connect(number),
                                       number, all, recorder_);
    rank->input = inputs_[static_cast<std::size_t>(number)];
    const std::int64_t size = problem_.in_place ? problem_.count : output_blocks(problem_, number).total();
    rank->output.resize(static_cast<std::size_t>(size));
    const bool starts_in_output =
        problem_.in_place || (problem_.collective == Collective::broadcast && number == problem_.root);
    if (starts_in_output) std::copy(rank->input.begin(), rank->input.end(), rank->output.begin());
    rank->scratch.resize(static_cast<std::size_t>(rank->compiled.scratch));
    const auto at = [](std::vector<Affine>& data) { return reinterpret_cast<std::byte*>(data.data()); };
    rank->bindings.base = {at(rank->input), at(rank->output), at(rank->scratch)};
    rank->bindings.element_size = sizeof(Affine);
    rank->executor.begin({&rank->compiled, &rank->bindings, {&op_, sizeof(Affine)}, 0, 0, 5});
    return rank;
  }

  Problem problem_;
  Recorder& recorder_;
  FakeNetwork& network_;
  detail::Operator op_;
  std::vector<std::vector<Affine>> inputs_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

class ExecutorOver : public ::testing::TestWithParam<int> {};

TEST_P(ExecutorOver, FaultyChannelsComesToTheRightResult) {
  const int p = GetParam();
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(p));
  const auto some = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  Recorder recorder(0, true, "unwritten");
  int cases = 0;
  int placed = 0;
  int lent = 0;
  for (const Algorithm* const algorithm : algorithms::catalogue()) {
    algorithms::for_each_case(*algorithm, p, [&](const Problem& problem, const Parameters& parameters) {
      const Faults faults{some(60), some(30), some(100), some(100), some(100), some(100), some(100)};
      const std::uint64_t lots = random();
      FakeNetwork network(p, lots, faults);
      Ranks ranks({*algorithm, parameters}, problem, network, recorder);
      ASSERT_TRUE(ranks.run()) << algorithm->name << ", " << describe(problem) << ", seed " << lots << ": stands still";
      ASSERT_EQ(ranks.first_wrong(), -1) << algorithm->name << ", " << describe(problem) << ", seed " << lots;
      ++cases;
      placed += network.placed();
      lent += network.lent();
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(cases, 60) << "seed " << seed;
  if (p > 1) {
    EXPECT_GT(placed, 20) << "seed " << seed;
    EXPECT_GT(lent, 0) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ExecutorOver, ::testing::Values(1, 2, 3, 4, 5, 8, 13));

// A message of another call is not touched: the executor stands still and says so.
TEST(Executor, LeavesMessagesOfAnotherCallAlone) {
  FakeNetwork network(2, seed, {});
  const auto sender = network.connect(1);
  const auto receiver = network.connect(0);
  const Algorithm* const gather = algorithms::find(Collective::gather, "flat");
  ASSERT_NE(gather, nullptr);
  const Problem problem{.collective = Collective::gather, .ranks = 2, .count = 1};
  const Schedule schedule = record(*gather, problem);
  const CompiledProgram compiled = compile(schedule.programs[0]);
  const CompiledProgram other = compile(schedule.programs[1]);
  std::vector<Affine> mine(1), theirs(1), out(2);
  Bindings here;
  here.base = {reinterpret_cast<std::byte*>(mine.data()), reinterpret_cast<std::byte*>(out.data()), nullptr};
  here.element_size = sizeof(Affine);
  Bindings there;
  there.base = {reinterpret_cast<std::byte*>(theirs.data()), nullptr, nullptr};
  there.element_size = sizeof(Affine);
  Executor receives(*receiver);
  Executor sends(*sender);
  receives.begin({&compiled, &here, {nullptr, sizeof(Affine)}, 0, 0, 1});
  sends.begin({&other, &there, {nullptr, sizeof(Affine)}, 0, 0, 2});
  sends.advance();
  receives.advance();
  EXPECT_TRUE(receives.met_another_call());
  EXPECT_FALSE(receives.done());
  EXPECT_FALSE(sends.done());
}

// Rank 1 has something for the place of a message that it takes in elsewhere, and has it before it reads that message.
TEST(Executor, FillsNoPlaceBeforeItHasReadWhatLiesThere) {
  constexpr int half_count = 4096;  // more than is combined without looking for places
  const Problem problem{.collective = Collective::all_reduce, .ranks = 2, .count = 2 * half_count};
  const auto text = [](Script& me, const Problem&) {
    const Slice half{Buffer::output, 0, half_count};
    if (me.rank() == 0) {
      me.send(half, 1);
      me.wait();
      me.receive(half, 1);
    } else {
      me.reduce(half, Slice{Buffer::input, 0, half_count}, Slice{Buffer::input, half_count, half_count});
      me.receive(me.scratch(0, half_count), 0);
      me.wait();
      me.send(half, 0);
    }
  };
  FakeNetwork network(2, seed, {.placed = 100});
  const detail::Operator op = detail::user_operator<Affine>(Add{}, true);
  std::vector<std::vector<Affine>> memory;
  std::vector<std::unique_ptr<Connection>> ends;
  std::vector<CompiledProgram> programs;
  std::vector<Bindings> bindings(2);
  std::vector<std::unique_ptr<Executor>> executors;
  for (int rank = 0; rank < 2; ++rank) {
    for (int buffer = 0; buffer < 3; ++buffer)
      memory.push_back(testing::contributions<Affine>(seed, rank + buffer, 2 * half_count));
    ends.push_back(network.connect(rank));
    programs.push_back(compile(record_rank(text, problem, rank)));
  }
  const std::vector<Affine> sent(memory[1].begin(), memory[1].begin() + half_count);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (std::size_t buffer = 0; buffer < 3; ++buffer)
      bindings[rank].base[buffer] = reinterpret_cast<std::byte*>(memory[3 * rank + buffer].data());
    bindings[rank].element_size = sizeof(Affine);
    executors.push_back(std::make_unique<Executor>(*ends[rank]));
    executors[rank]->begin({&programs[rank], &bindings[rank], {&op, sizeof(Affine)}, 0, 0, 5});
  }
  for (int look = 0; look < 10; ++look) executors[static_cast<std::size_t>(look % 2)]->advance();
  EXPECT_TRUE(executors[0]->done() && executors[1]->done());
  const std::vector<Affine> taken(memory[5].begin(), memory[5].begin() + half_count);
  EXPECT_EQ(taken, sent);
  for (std::size_t k = 0; k < half_count; ++k) EXPECT_EQ(memory[1][k], Add{}(memory[3][k], memory[3][k + half_count]));
}

}  // namespace
}  // namespace tutti::runtime
