/// @file
/// Operators of the program's own through the C interface: order is kept, and results never overlap operands.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "c_ranks.hpp"
#include "support/values.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// First left, then right. Clears the result before it reads the operands, so that an overlap would show.
void compose(void* result, const void* left, const void* right, std::int64_t count, void* calls) {
  auto* const out = static_cast<Affine*>(result);
  const auto* const a = static_cast<const Affine*>(left);
  const auto* const b = static_cast<const Affine*>(right);
  for (std::int64_t i = 0; i < count; ++i) out[i] = {0, 0};
  for (std::int64_t i = 0; i < count; ++i) out[i] = Compose{}(a[i], b[i]);
  if (calls != nullptr) ++*static_cast<std::int64_t*>(calls);
}

constexpr tutti_type affine = TUTTI_BYTES(sizeof(Affine));

std::vector<Affine> composed(int first, int last, std::int64_t count) {
  std::vector<Affine> result = contributions<Affine>(3, first, count);
  for (int rank = first + 1; rank <= last; ++rank) {
    const std::vector<Affine> next = contributions<Affine>(3, rank, count);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = Compose{}(result[i], next[i]);
  }
  return result;
}

/// Calls the collective on a rank with the operator; returns the output.
std::vector<Affine> result_of(tutti_communicator comm, tutti_collective collective, std::int64_t count, int root,
                              const char* algorithm) {
  std::int64_t calls = 0;
  const tutti_user_operator op = {compose, &calls, 0, "then"};
  const bool scatters = collective == TUTTI_REDUCE_SCATTER;
  const std::int64_t size = scatters ? count * tutti_size(comm) : count;
  const std::vector<Affine> in = contributions<Affine>(3, tutti_rank(comm), size);
  std::vector<Affine> out(static_cast<std::size_t>(count));
  tutti_call_arguments arguments = tutti_arguments_of(collective, in.data(), out.data(), count, affine);
  arguments.op = TUTTI_USER;
  arguments.user_operator = &op;
  arguments.root = root;
  arguments.algorithm = algorithm;
  EXPECT_OK(tutti_call(comm, &arguments));
  return out;
}

// Lengths: one element, and more than what is folded in one piece.
TEST(CUserOperator, KeepsTheOrderOfRanks) {
  for (int p = 1; p <= 5; ++p) {
    for (const std::int64_t count : {1, 1500}) {
      on_c_ranks(p, [&](tutti_communicator comm) {
        const int rank = tutti_rank(comm);
        for (int root = 0; root < p; ++root) {
          const auto reduced = result_of(comm, TUTTI_REDUCE, count, root, nullptr);
          if (rank == root) {
            EXPECT_EQ(reduced, composed(0, p - 1, count));
          }
        }
        EXPECT_EQ(result_of(comm, TUTTI_ALL_REDUCE, count, 0, nullptr), composed(0, p - 1, count));
        EXPECT_EQ(result_of(comm, TUTTI_SCAN, count, 0, nullptr), composed(0, rank, count));
        const auto before = result_of(comm, TUTTI_EXCLUSIVE_SCAN, count, 0, nullptr);
        if (rank > 0) {
          EXPECT_EQ(before, composed(0, rank - 1, count));
        }
        const auto whole = composed(0, p - 1, count * p);
        const auto own = whole.begin() + rank * count;
        EXPECT_EQ(result_of(comm, TUTTI_REDUCE_SCATTER, count, 0, nullptr), std::vector<Affine>(own, own + count));
      });
    }
  }
}

// Flat algorithms fold many operands at once, also into one of them.
TEST(CUserOperator, IsCalledOnPairsWhateverTheAlgorithmFolds) {
  on_c_ranks(5, [](tutti_communicator comm) {
    for (const char* const algorithm : {"flat", "binomial"}) {
      const auto reduced = result_of(comm, TUTTI_REDUCE, 700, 2, algorithm);
      if (tutti_rank(comm) == 2) {
        EXPECT_EQ(reduced, composed(0, 4, 700)) << algorithm;
      }
    }
  });
}

// The operator and the arguments may go once the call has begun, its state may not.
TEST(CUserOperator, NeedNotOutliveTheCallThatTakesIt) {
  on_c_ranks(4, [](tutti_communicator comm) {
    std::int64_t calls = 0;
    const std::vector<Affine> in = contributions<Affine>(3, tutti_rank(comm), 10);
    std::vector<Affine> out(10);
    tutti_plan plan = nullptr;
    {
      std::string name = "then";
      tutti_user_operator op = {compose, &calls, 0, name.c_str()};
      tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_REDUCE, in.data(), out.data(), 10, affine);
      arguments.op = TUTTI_USER;
      arguments.user_operator = &op;
      EXPECT_OK(tutti_plan_create(comm, &arguments, &plan));
      op = {};
      arguments = {};
      name = "gone";
    }
    EXPECT_OK(tutti_plan_start(plan));
    EXPECT_OK(tutti_plan_wait(plan));
    EXPECT_EQ(out, composed(0, 3, 10));
    EXPECT_OK(tutti_plan_free(&plan));
  });
}

TEST(CUserOperator, OfAnotherNameIsAMismatchOnEveryRank) {
  on_c_ranks(3, [](tutti_communicator comm) {
    const tutti_user_operator op = {compose, nullptr, 0, tutti_rank(comm) == 1 ? "after" : "then"};
    Affine data = {1, 1};
    Affine out{};
    tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_REDUCE, &data, &out, 1, affine);
    arguments.op = TUTTI_USER;
    arguments.user_operator = &op;
    EXPECT_EQ(tutti_call(comm, &arguments), TUTTI_MISMATCH);
    EXPECT_THAT(tutti_last_error(), HasSubstr("after"));
    EXPECT_THAT(tutti_last_error(), HasSubstr("then"));
  });
}

TEST(CUserOperator, ThatThrowsIsAFailedCallback) {
  const auto fails = [](void*, const void*, const void*, std::int64_t, void*) {
    throw std::runtime_error("the operator has no table");
  };
  const auto rank = [](tutti_communicator comm, void* user) -> tutti_status {
    const auto* const op = static_cast<const tutti_user_operator*>(user);
    double in = 1;
    double out = 0;
    tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_REDUCE, &in, &out, 1, TUTTI_DOUBLE);
    arguments.op = TUTTI_USER;
    arguments.user_operator = op;
    const tutti_status status = tutti_call(comm, &arguments);
    EXPECT_TRUE(status == TUTTI_CALLBACK_FAILED || status == TUTTI_PEER_FAILED) << status;
    EXPECT_THAT(tutti_last_error(), HasSubstr("the operator has no table"));
    return status;
  };
  tutti_user_operator op = {fails, nullptr, 0, "failing"};
  EXPECT_NE(tutti_run(2, rank, &op), TUTTI_OK);
}

}  // namespace
}  // namespace tutti::testing
