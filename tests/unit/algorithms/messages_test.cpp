/// @file
/// Recordings of an algorithm's messages alone, held against the whole of its program.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {
namespace {

/// Whether a message is received, from or to whom, and how many elements it has.
using Messages = std::vector<std::tuple<bool, int, std::int64_t>>;

Messages messages_of(const Choice& choice, const Problem& problem, int rank, const Layout& layout, Detail detail) {
  Program program;
  record_rank(choice, problem, rank, program, layout, detail);
  Messages messages;
  for (const Op& op : program.ops) {
    if (op.communicates()) messages.emplace_back(op.receives(), op.peer, Slices(program.slices(op)).elements());
  }
  std::sort(messages.begin(), messages.end());
  return messages;
}

void expect_same_messages(const Algorithm& algorithm, const Problem& problem, const Layout& layout) {
  if (unmet_need(algorithm, problem, layout)) return;
  for (const int segments : {0, 3}) {
    const Choice choice(algorithm, {.segments = segments});
    for (int rank = 0; rank < problem.ranks; ++rank) {
      EXPECT_EQ(messages_of(choice, problem, rank, layout, Detail::messages),
                messages_of(choice, problem, rank, layout, Detail::all))
          << describe(problem) << " by " << algorithm.name << ", rank " << rank << ", " << layout.nodes() << " nodes";
    }
  }
}

TEST(Messages, AreRecordedAloneAsTheyAreInTheWholeProgram) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int ranks : {1, 2, 5, 7, 8, 12, 16}) {
      std::vector<Location> nodes;
      for (int rank = 0; rank < ranks; ++rank) nodes.push_back({.node = 2 * rank / 5});
      for (const std::int64_t count : {0, 1, 7, 40}) {
        Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = count, .distance = 2};
        if (has_root(problem.collective)) problem.root = ranks / 3;
        for (const Layout& layout : {Layout(), Layout(nodes)}) expect_same_messages(*algorithm, problem, layout);
      }
    }
  }
}

TEST(Messages, OfAnAllReduceBySwingsAreOneRunOfElements) {
  const Choice swing(*algorithms::find(Collective::all_reduce, "swing"), {});
  for (int ranks = 1; ranks <= 512; ranks *= 2) {
    const Problem problem{.collective = Collective::all_reduce, .ranks = ranks, .count = 3 * ranks + 1};
    for (int rank = 0; rank < ranks; ++rank) {
      Program program;
      record_rank(swing, problem, rank, program);
      for (const Op& op : program.ops) EXPECT_EQ(program.slices(op).size(), 1U) << ranks << " ranks, rank " << rank;
    }
  }
}

}  // namespace
}  // namespace tutti
