/// @file
/// Algorithms whose ranks are all alike say so, and no others do.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "predict/replay/rank_programs.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/rewrite/program_compiler.hpp"
#include "support/sanitizers.hpp"

namespace tutti::algorithms {
namespace {

using MessageOf = std::tuple<bool, int, std::int64_t>;  // whether it is sent, the peer, and its elements

std::vector<MessageOf> messages_of(const Choice& choice, const Problem& problem, int rank, const Layout& layout) {
  Program program;
  record_rank(choice, problem, rank, program, layout, Detail::messages);
  std::vector<MessageOf> messages;
  for (const Op& op : program.ops) {
    if (op.communicates())
      messages.emplace_back(op.kind == OpKind::send, op.peer, Slices(program.slices(op)).elements());
  }
  std::sort(messages.begin(), messages.end());
  return messages;
}

template <typename TurnsOf>
bool is_alike(const Choice& choice, const Problem& problem, const TurnsOf& turns, const Layout& layout) {
  const std::vector<MessageOf> pattern = messages_of(choice, problem, 0, layout);
  for (int rank = 1; rank < problem.ranks; ++rank) {
    std::vector<MessageOf> turned = pattern;
    for (MessageOf& message : turned) std::get<int>(message) = turns(rank, std::get<int>(message));
    std::sort(turned.begin(), turned.end());
    if (messages_of(choice, problem, rank, layout) != turned) return false;
  }
  return true;
}

Layout on_three_nodes(int ranks) {
  std::vector<Location> locations(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) locations[static_cast<std::size_t>(rank)].node = std::min(rank / 2, 2);
  return Layout(std::move(locations));
}

/// Over so many ranks, wherever they are, with every radix and order of the operator.
bool is_alike_over(const Algorithm& algorithm, RankSymmetry::Kind kind, int ranks) {
  const std::int64_t count = algorithm.collective == Collective::barrier ? 0 : 2 * ranks;
  for (const Layout& layout : {Layout(), on_three_nodes(ranks)}) {
    for (const bool commutative : {true, false}) {
      Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = count, .distance = ranks / 3 + 1};
      problem.commutative = commutative || !reduces(algorithm.collective);
      EXPECT_TRUE(has_equal_blocks(problem));
      if (unmet_need(algorithm, problem, layout)) continue;
      for (const int radix : {0, 2, 3, 8}) {
        if (!is_alike({algorithm, {.radix = radix, .grid = {}}}, problem, RankSymmetry(kind, ranks), layout))
          return false;
      }
    }
  }
  return true;
}

TEST(Alike, AreTheRanksOfThoseThatSaySo) {
  constexpr std::array tried{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 24, 32};
  for (const Algorithm* algorithm : catalogue()) {
    const auto holds = [&](RankSymmetry::Kind kind) {
      return std::all_of(tried.begin(), tried.end(), [&](int ranks) {
        return !RankSymmetry::fit(kind, ranks) || is_alike_over(*algorithm, kind, ranks);
      });
    };
    if (algorithm->symmetry) {
      EXPECT_TRUE(holds(*algorithm->symmetry)) << name_of(algorithm->collective) << " by " << algorithm->name;
    } else {
      EXPECT_TRUE(std::none_of(RankSymmetry::all_kinds.begin(), RankSymmetry::all_kinds.end(), holds))
          << name_of(algorithm->collective) << " by " << algorithm->name;
    }
  }
}

/// Returns a rank's work in each step, its peers as `peer_of` has them: in any order, and with operands in any order.
template <typename PeerOf>
std::vector<std::vector<std::string>> steps_of(const Choice& choice, const Problem& problem, int rank,
                                               const PeerOf& peer_of) {
  Program program;
  record_rank(choice, problem, rank, program);
  const CompiledProgram compiled = compile(program, CompiledFor::pricing);
  std::vector<std::vector<std::string>> steps;
  for (const CompiledStep& step : compiled.steps) {
    std::vector<std::string>& acts = steps.emplace_back();
    for (const SendStep& send : compiled.sends_of(step))
      acts.push_back(fmt::format("{} to {}, {}th", send.elements, peer_of(send.peer), send.index));
    for (const FoldStep& fold : compiled.folds_of(step)) {
      std::vector<std::string> operands;
      for (const FoldOperand& operand : compiled.operands_of(fold))
        operands.push_back(operand.peer < 0 ? "own" : fmt::format("{} {}", peer_of(operand.peer), operand.index));
      std::sort(operands.begin(), operands.end());
      acts.push_back(fmt::format("{} of {} {}", fold.elements, fmt::join(operands, ","), fold.chained));
    }
    std::sort(acts.begin(), acts.end());
  }
  return steps;
}

template <typename TurnsOf>
bool has_steps_alike(const Choice& choice, const Problem& problem, const TurnsOf& turns) {
  for (int rank = 1; rank < problem.ranks; ++rank) {
    const auto turned = steps_of(choice, problem, 0, [&](int peer) { return turns(rank, peer); });
    if (turned != steps_of(choice, problem, rank, [](int peer) { return peer; })) return false;
  }
  return true;
}

bool has_steps_alike_over(const Algorithm& algorithm, int ranks) {
  const std::int64_t count = algorithm.collective == Collective::barrier ? 0 : 2 * ranks;
  for (const bool commutative : {true, false}) {
    for (const bool in_place : {false, true}) {
      Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = count, .distance = ranks / 3 + 1};
      problem.commutative = commutative || !reduces(algorithm.collective);
      problem.in_place = in_place && allows_in_place(algorithm.collective);
      if (unmet_need(algorithm, problem)) continue;
      for (const int radix : {0, 2, 3}) {
        const Choice choice(algorithm, {.radix = radix, .grid = {}});
        if (!has_steps_alike(choice, problem, RankSymmetry(*algorithm.symmetry, ranks))) return false;
      }
    }
  }
  return true;
}

TEST(Alike, AreTheStepsOfRanksThatAreUnlessTheyAreSaidToDiffer) {
  constexpr std::array tried{2, 3, 4, 5, 6, 8, 12, 16};
  for (const Algorithm* algorithm : catalogue()) {
    if (!algorithm->symmetry) {
      EXPECT_FALSE(algorithm->steps_differ) << algorithm->name;
      continue;
    }
    const bool are_alike = std::all_of(tried.begin(), tried.end(), [&](int ranks) {
      return !RankSymmetry::fit(*algorithm->symmetry, ranks) || has_steps_alike_over(*algorithm, ranks);
    });
    EXPECT_EQ(are_alike, !algorithm->steps_differ) << name_of(algorithm->collective) << " by " << algorithm->name;
  }
}

/// Returns grids of two dimensions, and of three if the ranks are many enough; and the usual one.
std::vector<Shape> grids_of(int ranks) {
  std::vector<Shape> grids{Shape()};
  for (int rows = 1; rows <= ranks; ++rows) {
    if (ranks % rows != 0) continue;
    grids.push_back({rows, ranks / rows});
    if (ranks / rows % 2 == 0) grids.push_back({rows, 2, ranks / rows / 2});
  }
  return grids;
}

/// Over so many ranks, wherever they are, by whatever parameters: the messages and the steps.
bool is_alike_on_grids(const Algorithm& algorithm, int ranks) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 2 * ranks, .distance = ranks / 3 + 1};
  for (const Shape& grid : grids_of(ranks)) {
    for (const int radix : {0, 2, 3, 8}) {
      const Choice choice(algorithm, {.radix = radix, .grid = grid});
      const std::optional<PeerSymmetry> turns = turns_of(choice, problem);
      if (!turns || !has_steps_alike(choice, problem, *turns)) return false;
      for (const Layout& layout : {Layout(), on_three_nodes(ranks)})
        if (!is_alike(choice, problem, *turns, layout)) return false;
    }
  }
  return true;
}

TEST(Alike, AreTheRanksOnGridsOfThoseThatSaySo) {
  constexpr std::array tried{1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 24};
  int on_grids = 0;
  for (const Algorithm* algorithm : catalogue()) {
    if (!algorithm->grid_symmetry) continue;
    ++on_grids;
    for (const int ranks : tried) {
      if (test::has_seen_enough && ranks > 9) continue;
      EXPECT_TRUE(is_alike_on_grids(*algorithm, ranks)) << name_of(algorithm->collective) << " by " << algorithm->name;
    }
  }
  EXPECT_GT(on_grids, 0);
}

}  // namespace
}  // namespace tutti::algorithms
