/// @file
/// Every collective of the C interface, for every element type and every root, against results computed the plain way.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "c_ranks.hpp"
#include "schedule/model/problem.hpp"
#include "support/reference.hpp"
#include "support/values.hpp"
#include "tutti/types.hpp"

namespace tutti::testing {
namespace {

template <typename T, tutti_type number>
struct Element {
  using Type = T;
  static constexpr tutti_type type = number;
};

template <typename T>
class CCollectives : public ::testing::Test {};

using Elements = ::testing::Types<
    Element<std::uint8_t, TUTTI_BOOL>, Element<std::int8_t, TUTTI_INT8>, Element<std::int16_t, TUTTI_INT16>,
    Element<std::int32_t, TUTTI_INT32>, Element<std::int64_t, TUTTI_INT64>, Element<std::uint8_t, TUTTI_UINT8>,
    Element<std::uint16_t, TUTTI_UINT16>, Element<std::uint32_t, TUTTI_UINT32>, Element<std::uint64_t, TUTTI_UINT64>,
    Element<float16, TUTTI_FLOAT16>, Element<bfloat16, TUTTI_BFLOAT16>, Element<float, TUTTI_FLOAT>,
    Element<double, TUTTI_DOUBLE>, Element<std::complex<float>, TUTTI_COMPLEX_FLOAT>,
    Element<std::complex<double>, TUTTI_COMPLEX_DOUBLE>>;
TYPED_TEST_SUITE(CCollectives, Elements);

constexpr std::array collectives = {Collective::broadcast,  Collective::reduce,         Collective::all_reduce,
                                    Collective::scan,       Collective::exclusive_scan, Collective::scatter,
                                    Collective::gather,     Collective::all_gather,     Collective::reduce_scatter,
                                    Collective::all_to_all, Collective::shift};

/// Small integers, whose sum over 5 ranks every type holds; 0 and 1 as truth values.
template <typename T>
T small(tutti_type type, int rank, std::int64_t element) {
  const auto number = static_cast<std::uint8_t>(mixed(7, rank, element) % (type == TUTTI_BOOL ? 2 : 20));
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
    return T(static_cast<float>(number));
  else
    return static_cast<T>(number);
}

template <typename T>
T folded_pair(tutti_type type, const T& a, const T& b) {
  if (type == TUTTI_BOOL) return a == T(0) && b == T(0) ? T(0) : T(1);
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

template <typename T>
bool are_equal(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// One rank's buffers, and the arguments that name them.
template <typename T>
struct RankCall {
  std::vector<T> in;
  std::vector<T> out;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> receive_counts;
  tutti_call_arguments arguments;
};

tutti_collective number_of(Collective collective) {
  const auto at = std::find(collectives.begin(), collectives.end(), collective);
  return static_cast<tutti_collective>(at - collectives.begin()) + TUTTI_BROADCAST;
}

template <typename T>
std::vector<std::vector<T>> inputs_of(const Problem& problem, tutti_type type) {
  std::vector<std::vector<T>> inputs;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    inputs.emplace_back();
    for (std::int64_t i = 0; i < input_size(problem, rank); ++i) inputs.back().push_back(small<T>(type, rank, i));
  }
  return inputs;
}

template <typename T>
void bind(RankCall<T>& call, const Problem& problem, tutti_type type, int rank) {
  call.arguments =
      tutti_arguments_of(number_of(problem.collective), call.in.data(), call.out.data(), problem.count, type);
  call.arguments.op = type == TUTTI_BOOL ? TUTTI_LOGICAL_OR : TUTTI_SUM;
  call.arguments.root = problem.root;
  call.arguments.distance = problem.distance;
  if (problem.counts.empty()) return;
  call.arguments.blocks = TUTTI_BY_COUNTS;
  call.counts = problem.counts;
  if (problem.collective == Collective::all_to_all) {
    call.counts.clear();
    for (int peer = 0; peer < problem.ranks; ++peer) {
      call.counts.push_back(problem.pair_count(rank, peer));
      call.receive_counts.push_back(problem.pair_count(peer, rank));
    }
  }
  call.arguments.counts = call.counts.data();
  call.arguments.receive_counts = call.receive_counts.data();
}

/// Makes the call blocking, started and planned; returns what stood in the output each time.
template <typename T>
std::vector<std::vector<T>> results_of(tutti_communicator comm, RankCall<T>& call) {
  const std::vector<T> before = call.out;
  std::vector<std::vector<T>> results;
  EXPECT_OK(tutti_call(comm, &call.arguments));
  results.push_back(call.out);
  std::copy(before.begin(), before.end(), call.out.begin());
  tutti_handle handle = nullptr;
  EXPECT_OK(tutti_start(comm, &call.arguments, &handle));
  EXPECT_OK(tutti_wait(&handle, nullptr));
  EXPECT_EQ(handle, nullptr);
  results.push_back(call.out);
  tutti_plan plan = nullptr;
  EXPECT_OK(tutti_plan_create(comm, &call.arguments, &plan));
  for (int run = 0; run < 2; ++run) {
    std::copy(before.begin(), before.end(), call.out.begin());
    EXPECT_OK(tutti_plan_start(plan));
    std::int32_t done = run;  // the second run is waited for
    while (done == 0) EXPECT_OK(tutti_plan_test(plan, &done));
    EXPECT_OK(tutti_plan_wait(plan));
    results.push_back(call.out);
  }
  EXPECT_OK(tutti_plan_free(&plan));
  EXPECT_EQ(plan, nullptr);
  return results;
}

template <typename T>
void expect_results(tutti_communicator comm, const Problem& problem, tutti_type type) {
  const int rank = tutti_rank(comm);
  const auto inputs = inputs_of<T>(problem, type);
  const auto fold = [type](const T& a, const T& b) { return folded_pair(type, a, b); };
  const auto wanted = expected(problem, inputs, rank, fold);
  RankCall<T> call;
  call.in = inputs[static_cast<std::size_t>(rank)];
  const bool is_message = problem.collective == Collective::broadcast;
  // Ranks that get nothing pass NULL, but where the collective leaves an output alone that every rank has.
  const bool has_unused = problem.collective == Collective::exclusive_scan && rank == 0;
  const std::size_t size = wanted ? wanted->size() : has_unused ? static_cast<std::size_t>(problem.count) : 0;
  call.out.assign(size, small<T>(type, 99, 0));
  if (is_message && rank == problem.root) call.out = call.in;
  bind(call, problem, type, rank);
  for (const std::vector<T>& result : results_of(comm, call)) {
    if (wanted) {
      EXPECT_TRUE(are_equal(result, *wanted)) << describe(problem) << " on rank " << rank;
    }
  }
}

/// Problems of a collective on p ranks: equal blocks, and where there are such blocks by counts, one of them empty.
std::vector<Problem> problems_of(Collective collective, int p) {
  std::vector<Problem> problems;
  Problem problem{.collective = collective, .ranks = p};
  problem.distance = collective == Collective::shift ? 2 : 0;
  for (int root = 0; root < (has_root(collective) ? p : 1); ++root) {
    problem.root = root;
    problem.count = 3;
    problem.counts.clear();
    problems.push_back(problem);
    if (!has_blocks(collective) && collective != Collective::shift) continue;
    problem.count = 0;
    problem.counts.resize(static_cast<std::size_t>(collective == Collective::all_to_all ? p * p : p));
    std::iota(problem.counts.begin(), problem.counts.end(), 0);
    problems.push_back(problem);
  }
  return problems;
}

TYPED_TEST(CCollectives, AreRightForEveryRootAndNumberOfRanks) {
  using T = typename TypeParam::Type;
  for (int p = 1; p <= 5; ++p) {
    on_c_ranks(p, [&](tutti_communicator comm) {
      EXPECT_EQ(tutti_size(comm), p);
      for (const Collective collective : collectives) {
        for (const Problem& problem : problems_of(collective, p)) expect_results<T>(comm, problem, TypeParam::type);
      }
      EXPECT_OK(tutti_barrier(comm));
    });
  }
}

TEST(CCollectivesByName, AreTheCalls) {
  on_c_ranks(3, [](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    const std::array<std::int32_t, 3> in = {rank, 10 + rank, 20 + rank};
    std::array<std::int32_t, 3> out{};
    std::array<std::int32_t, 9> all{};
    EXPECT_OK(tutti_all_reduce(comm, in.data(), out.data(), 3, TUTTI_INT32, TUTTI_MAXIMUM));
    EXPECT_EQ(out, (std::array<std::int32_t, 3>{2, 12, 22}));
    EXPECT_OK(tutti_reduce(comm, in.data(), out.data(), 3, TUTTI_INT32, TUTTI_SUM, 1));
    EXPECT_EQ(out[1], rank == 1 ? 33 : 12);
    out[0] = rank;
    EXPECT_OK(tutti_broadcast(comm, out.data(), 1, TUTTI_INT32, 2));
    EXPECT_EQ(out[0], 2);
    EXPECT_OK(tutti_scan(comm, in.data(), out.data(), 1, TUTTI_INT32, TUTTI_SUM));
    EXPECT_EQ(out[0], rank * (rank + 1) / 2);
    EXPECT_OK(tutti_exclusive_scan(comm, in.data(), out.data(), 1, TUTTI_INT32, TUTTI_SUM));
    EXPECT_EQ(out[0], rank * (rank > 0 ? rank - 1 : 1) / 2);
    EXPECT_OK(tutti_all_gather(comm, in.data(), all.data(), 2, TUTTI_INT32));
    EXPECT_EQ(all[5], 12);
    EXPECT_OK(tutti_gather(comm, in.data(), all.data(), 3, TUTTI_INT32, 0));
    EXPECT_EQ(all[8], rank == 0 ? 22 : 0);
    EXPECT_OK(tutti_scatter(comm, in.data(), out.data(), 1, TUTTI_INT32, 1));
    EXPECT_EQ(out[0], 10 * rank + 1);
    EXPECT_OK(tutti_reduce_scatter(comm, in.data(), out.data(), 1, TUTTI_INT32, TUTTI_SUM));
    EXPECT_EQ(out[0], 30 * rank + 3);
    EXPECT_OK(tutti_all_to_all(comm, in.data(), out.data(), 1, TUTTI_INT32));
    EXPECT_EQ(out[2], 10 * rank + 2);
    EXPECT_OK(tutti_shift(comm, in.data(), out.data(), 3, TUTTI_INT32, 1));
    EXPECT_EQ(out[0], (rank + 2) % 3);
  });
}

TEST(CCollectivesInPlace, TakeOneBuffer) {
  on_c_ranks(4, [](tutti_communicator comm) {
    std::vector<double> data(100, tutti_rank(comm) + 1.0);
    EXPECT_OK(tutti_all_reduce(comm, data.data(), data.data(), 100, TUTTI_DOUBLE, TUTTI_AVERAGE));
    EXPECT_EQ(data[99], 2.5);
    std::vector<std::int32_t> all(4, tutti_rank(comm));
    EXPECT_OK(tutti_all_gather(comm, &all[static_cast<std::size_t>(tutti_rank(comm))], all.data(), 1, TUTTI_INT32));
    EXPECT_EQ(all, (std::vector<std::int32_t>{0, 1, 2, 3}));
  });
}

// The root alone knows the counts, and leaves a gap between blocks.
TEST(CCollectivesByCounts, MayBeKnownToTheRootAlone) {
  on_c_ranks(3, [](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    const std::vector<std::int64_t> counts = {0, 1, 2};
    const std::vector<std::int64_t> displacements = {0, 3, 0};
    const std::vector<float> in(static_cast<std::size_t>(rank), static_cast<float>(rank));
    std::vector<float> out(4, -1);
    tutti_call_arguments gather = tutti_arguments_of(TUTTI_GATHER, in.data(), out.data(), rank, TUTTI_FLOAT);
    gather.root = 1;
    gather.blocks = TUTTI_BY_COUNTS_AT_ROOT;
    if (rank == 1) {
      gather.counts = counts.data();
      gather.displacements = displacements.data();
    }
    EXPECT_OK(tutti_call(comm, &gather));
    if (rank == 1) {
      EXPECT_EQ(out, (std::vector<float>{2, 2, -1, 1}));
    }
  });
}

// Options reach the call: one that no algorithm has is refused by name.
TEST(CCollectiveOptions, NameTheAlgorithm) {
  on_c_ranks(4, [](tutti_communicator comm) {
    std::vector<std::int64_t> data(64, 1);
    tutti_call_arguments sum = tutti_arguments_of(TUTTI_ALL_REDUCE, data.data(), data.data(), 64, TUTTI_INT64);
    sum.op = TUTTI_SUM;
    for (const char* const algorithm : {"ring", "recursive-doubling"}) {
      sum.algorithm = algorithm;
      EXPECT_OK(tutti_call(comm, &sum));
    }
    EXPECT_EQ(data[63], 16);
    sum.algorithm = "telepathy";
    EXPECT_EQ(tutti_call(comm, &sum), TUTTI_INVALID_ARGUMENT);
    EXPECT_NE(std::string(tutti_last_error()).find("telepathy"), std::string::npos) << tutti_last_error();
    EXPECT_OK(tutti_barrier(comm));
  });
}

}  // namespace
}  // namespace tutti::testing
