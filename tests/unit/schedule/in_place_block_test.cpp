/// @file
/// Programs of ranks whose input is their own block of the output: which copies they have.

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "schedule/rewrite/rewrites.hpp"

namespace tutti {
namespace {

bool touches(const Program& program, const Slice& block) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const Op& op) {
    const auto written = program.slices(op);
    return op.kind != OpKind::send && std::any_of(written.begin(), written.end(), [&](const Slice& slice) {
             return slice.buffer == block.buffer && slice.first < block.end() && block.first < slice.end();
           });
  });
}

// Either nothing is written where the block lies, or what the rank has there was brought to scratch first.
TEST(OwnBlockProgram, WritesTheBlockOnlyWhereItHasACopy) {
  constexpr std::int64_t count = 3;
  int without_copy = 0;
  for (const int p : {1, 2, 3, 4, 5, 7, 8, 12, 16}) {
    const Problem problem{.collective = Collective::all_gather, .ranks = p, .count = count};
    for (const Algorithm* algorithm : algorithms::algorithms_for(Collective::all_gather)) {
      if (unmet_need(*algorithm, problem)) continue;
      for (int rank = 0; rank < p; ++rank) {
        Program recorded;
        record_rank(Choice(*algorithm), problem, rank, recorded);
        const Slice block{Buffer::output, rank * count, count};
        const Program program = with_in_place_block(recorded, Buffer::input, block);
        const bool has_copy = program.scratch == recorded.scratch + count;
        EXPECT_NE(has_copy, program.scratch == recorded.scratch) << algorithm->name;
        EXPECT_TRUE(has_copy || !touches(program, block)) << algorithm->name << ", rank " << rank << " of " << p;
        if (has_copy) {
          EXPECT_EQ(program.operand(program.ops.front()).front(), (Slice{Buffer::input, 0, count})) << algorithm->name;
          EXPECT_EQ(program.ops.size(), recorded.ops.size() + 1);
        } else {
          EXPECT_EQ(program.ops.size(), recorded.ops.size());
          without_copy += algorithm->name == "ring" && p > 1 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(without_copy, 2 + 3 + 4 + 5 + 7 + 8 + 12 + 16) << "the ring copies nothing";
}

TEST(OwnBlockProgram, KeepsPhasesWithTheirOperations) {
  Program program;
  program.ops.resize(3);
  program.pool = {{Buffer::output, 0, 2}, {Buffer::output, 2, 2}};
  program.ops[0] = {.kind = OpKind::send, .ends_step = true, .peer = 1, .at = 0, .slices = 1};
  program.ops[1] = {.kind = OpKind::receive, .ends_step = true, .peer = 1, .at = 0, .slices = 1};
  program.ops[2] = {.kind = OpKind::send, .ends_step = true, .peer = 1, .at = 1, .slices = 1};
  program.phases = {{0, "first"}, {2, "second"}};
  const Program moved = with_in_place_block(program, Buffer::input, {Buffer::output, 0, 2});
  ASSERT_EQ(moved.ops.size(), 4U);
  EXPECT_EQ(moved.ops[0].kind, OpKind::copy);
  EXPECT_EQ(moved.phases[0].op, 0U);
  EXPECT_EQ(moved.phases[1].op, 3U);
}

}  // namespace
}  // namespace tutti
