/// @file
/// Ranks that call different things: every rank gets the same error, which names the odd one and what differs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "support/ranks.hpp"
#include "support/values.hpp"
#include "tutti/lab.hpp"
#include "tutti/untyped.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::on_ranks;
using testing::Outcome;
using testing::outcomes_of;
using ::testing::StartsWith;

using Call = std::function<void(Communicator&)>;

/// Call of most ranks, call of one rank, and the error's words for the difference.
struct Difference {
  std::string name;
  Call common;
  Call odd;
  std::string told;
};

std::vector<float> floats(int n) { return std::vector<float>(static_cast<std::size_t>(n), 1.0F); }

Call reduce_with(int count, int root) {
  return [=](Communicator& comm) {
    auto data = floats(count);
    comm.reduce(data, sum, root);
  };
}

template <typename Op>
Call all_reduce_with(Op op, CollectiveOptions options = {}) {
  return [=](Communicator& comm) {
    auto data = floats(6);
    comm.all_reduce(data, op, options);
  };
}

Call gather_v_with(std::int64_t more) {
  return [=](Communicator& comm) {
    // The rank's own block is as large either way: only the counts of others differ.
    std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()), 2);
    counts[static_cast<std::size_t>((comm.rank() + 1) % comm.size())] += more;
    if (more == 0) counts.assign(counts.size(), 2);
    auto in = floats(2);
    auto out = floats(static_cast<int>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
    comm.gather_v(in, out, counts, 0);
  };
}

Call shift_by(int distance) {
  return [=](Communicator& comm) {
    auto in = floats(3);
    auto out = floats(3);
    comm.shift(in, out, distance);
  };
}

template <typename T>
Call broadcast_of() {
  return [](Communicator& comm) {
    std::vector<T> data(4);
    comm.broadcast(data);
  };
}

float add(float a, float b) { return a + b; }
float multiply(float a, float b) { return a * b; }

std::vector<Difference> differences() {
  const auto plus = [](float a, float b) { return a + b; };
  return {
      {"collective", broadcast_of<float>(), [](Communicator& comm) { comm.barrier(); }, "called barrier"},
      {"root", reduce_with(4, 0), reduce_with(4, 1), "root 1"},
      {"count", reduce_with(4, 0), reduce_with(5, 0), "count 5"},
      {"type", broadcast_of<std::int32_t>(), broadcast_of<float>(), "element type float"},
      {"class", broadcast_of<testing::Affine>(), broadcast_of<std::int64_t>(), "element type int64"},
      {"library_operator", all_reduce_with(sum), all_reduce_with(maximum), "operator maximum"},
      {"average", all_reduce_with(sum), all_reduce_with(average), "operator average"},
      {"user_operator", all_reduce_with(&add), all_reduce_with(&multiply), "the user's operator"},
      {"commutativity", all_reduce_with(commutative(plus)), all_reduce_with(non_commutative(plus)),
       "a non-commutative operator"},
      {"algorithm", all_reduce_with(sum, {.algorithm = "ring"}),
       all_reduce_with(sum, {.algorithm = "reduce-broadcast"}), "algorithm reduce-broadcast"},
      {"segments", all_reduce_with(sum, {.segments = 2}), all_reduce_with(sum, {.segments = 3}), "3 segments"},
      {"radix", all_reduce_with(sum, {.algorithm = "recursive-multiplying", .radix = 2}),
       all_reduce_with(sum, {.algorithm = "recursive-multiplying", .radix = 3}), "radix 3"},
      {"distance", shift_by(1), shift_by(2), "distance 2"},
      {"counts", gather_v_with(0), gather_v_with(1), "count 3 for rank "},
      {"split", [](Communicator& comm) { (void)comm.split(0); }, [](Communicator& comm) { comm.duplicate(); },
       "called duplicate"},
      {"form",
       [](Communicator& comm) {
         auto in = floats(2);
         auto out = floats(2 * comm.size());
         comm.gather(in, out);
       },
       gather_v_with(0), "called gather_v"},
  };
}

class RuntimeMismatch : public ::testing::TestWithParam<int> {};

TEST_P(RuntimeMismatch, EndsEveryRankWithOneSentenceThatNamesTheCulprit) {
  const int p = GetParam();
  for (const Difference& difference : differences()) {
    for (const int culprit : {0, p - 1}) {
      SCOPED_TRACE(difference.name + ", culprit " + std::to_string(culprit));
      const auto outcomes = outcomes_of(p, [&](Communicator& comm) {
        comm.barrier();
        (comm.rank() == culprit ? difference.odd : difference.common)(comm);
      });
      const std::string who = "rank " + std::to_string(culprit);
      for (const Outcome& outcome : outcomes) {
        EXPECT_EQ(outcome.code, ErrorCode::mismatch);
        EXPECT_THAT(outcome.message, AllOf(HasSubstr(who), HasSubstr(difference.told)));
      }
      // The first rank to find the difference may have heard of one other rank alone if ranks send packets, and tells
      // of both; and two ranks may find it at once, when they have heard of different ones.
      if (testing::engine() == testing::Engine::world) continue;
      for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.message, outcomes[0].message);
      if (p > 2) {
        EXPECT_THAT(outcomes[0].message, StartsWith(who));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, RuntimeMismatch, ::testing::ValuesIn(testing::possible({2, 3, 4, 7})));

/// Ranks that send packets tell of those that they have heard so far: of one other alone in the order of ranks.
auto rank_2_differs() {
  return AnyOf(HasSubstr("rank 2 called reduce with root 1"), HasSubstr("; rank 2 with root 1"));
}

TEST(RuntimeMismatchText, TellsBothParties) {
  const auto outcomes = outcomes_of(4, [](Communicator& comm) { reduce_with(4, comm.rank() == 2 ? 1 : 0)(comm); });
  EXPECT_THAT(outcomes[0].message, AllOf(rank_2_differs(), HasSubstr("with root 0")));
  if (testing::engine() == testing::Engine::world) return;
  EXPECT_EQ(outcomes[0].message, "rank 2 called reduce with root 1; ranks 0, 1, 3 with root 0 (call 1)");
}

/// Ranks that only send do not wait for the others; all learn of it by wait_all().
void expect_mismatch(Communicator& comm) {
  EXPECT_THROW(
      {
        reduce_with(4, comm.rank() == 2 ? 1 : 0)(comm);
        comm.wait_all();
      },
      Error);
}

// Two algorithms of a program's own whose names are longer than what ranks tell one another of them.
TEST(RuntimeMismatchText, AlgorithmsWhoseNamesBeginAlikeAreToldApart) {
  const auto text = [](lab::Rank& me) {
    if (me.rank() > 0) return me.receive(me.message(), 0);
    for (int to = 1; to < me.size(); ++to) me.send(me.message(), to);
  };
  const std::string name(60, 'n');
  const lab::Algorithm one(Collective::broadcast, name + "-one", text);
  const lab::Algorithm other(Collective::broadcast, name + "-other", text);
  const auto outcomes = outcomes_of(3, [&](Communicator& comm) {
    std::vector<int> data(2);
    comm.broadcast(data, 0, {.algorithm = comm.rank() == 2 ? other.name() : one.name()});
    comm.wait_all();
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_THAT(outcome.message, AnyOf(HasSubstr("rank 2 called"), HasSubstr("; rank 2 with")));
  }
}

TEST(RuntimeMismatchText, LastsForAllLaterCalls) {
  const auto outcomes = outcomes_of(3, [](Communicator& comm) {
    expect_mismatch(comm);
    comm.barrier();
  });
  for (const Outcome& outcome : outcomes) EXPECT_THAT(outcome.message, rank_2_differs());
}

// Names are cut where they are told.
TEST(RuntimeMismatchText, TypesWhoseNamesBeginAlikeAreToldApart) {
  constexpr std::string_view names[] = {"an_application::with_a_name_that_is_long::Point2",
                                        "an_application::with_a_name_that_is_long::Point3"};
  const auto outcomes = outcomes_of(3, [&](Communicator& comm) {
    std::uint64_t data[2] = {};
    untyped::Call call{.collective = Collective::broadcast};
    call.output = data;
    call.output_size = 2;
    call.type = untyped::type_of_bytes(8, names[comm.rank() == 2 ? 1 : 0]);
    call.in_place = true;
    comm.run(call);
    comm.wait_all();
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_THAT(outcome.message, AnyOf(HasSubstr("rank 2 called"), HasSubstr("; rank 2 with")));
  }
}

TEST(RuntimeMismatchText, LeavesOtherCommunicatorsAlone) {
  on_ranks(3, [](Communicator& comm) {
    Communicator other = comm.duplicate();
    expect_mismatch(other);
    EXPECT_EQ(comm.all_reduce(1, sum), 3);
  });
}

TEST(RuntimeMismatchText, AllToAllByCountsNamesThePairThatDisagrees) {
  const auto outcomes = outcomes_of(3, [](Communicator& comm) {
    std::vector<std::int64_t> send(3, 2);
    std::vector<std::int64_t> receive(3, 2);
    if (comm.rank() == 2) send[0] = 3;
    auto in = floats(comm.rank() == 2 ? 7 : 6);
    auto out = floats(6);
    comm.all_to_all_v(in, out, send, receive);
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_EQ(outcome.message, "all_to_all_v (call 1): rank 2 sends 3 elements to rank 0, which expects 2");
  }
}

TEST(RuntimeMismatchText, CountsThatDifferAreShown) {
  // Every rank takes its own size for everybody's.
  const auto outcomes = outcomes_of(3, [](Communicator& comm) {
    const std::vector<std::int64_t> counts(3, comm.rank() == 1 ? 5 : 2);
    auto in = floats(comm.rank() == 1 ? 5 : 2);
    auto out = floats(comm.rank() == 1 ? 15 : 6);
    comm.barrier();
    comm.all_gather_v(in, out, counts);
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_EQ(
        outcome.message,
        "rank 1 called all_gather_v with count 5 for rank 0, 5 for rank 1, 5 for rank 2; ranks 0, 2 with count 2 for "
        "rank 0, 2 for rank 1, 2 for rank 2 (call 2)");
  }
}

TEST(RuntimeMismatchText, GridsThatDifferAreShown) {
  TUTTI_NEEDS_RANKS(4);
  const auto outcomes = outcomes_of(4, [](Communicator& comm) {
    const std::vector<int> grid = comm.rank() == 3 ? std::vector<int>{4, 1} : std::vector<int>{2, 2};
    all_reduce_with(sum, {.algorithm = "mesh", .grid = grid})(comm);
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.message, "rank 3 called all_reduce with grid 4x1; ranks 0, 1, 2 with grid 2x2 (call 1)");
  }
}

// Many shapes one after the other: those of a call are not mistaken for those of an earlier one.
TEST(RuntimeMismatchText, CountsThatDifferAreThoseOfTheCall) {
  for (const int before : {0, 1, 60}) {
    const auto outcomes = outcomes_of(2, [before](Communicator& comm) {
      for (int k = 0; k <= before; ++k) {
        std::vector<std::int64_t> counts{k + 1, k + 2};
        if (k == before && comm.rank() == 1) counts[0] += 10;
        auto in = floats(static_cast<int>(counts[static_cast<std::size_t>(comm.rank())]));
        auto out = floats(static_cast<int>(counts[0] + counts[1]));
        comm.all_gather_v(in, out, counts);
      }
    });
    const std::string common = std::to_string(before + 1);
    const std::string odd = std::to_string(before + 11);
    for (const Outcome& outcome : outcomes) {
      EXPECT_THAT(outcome.message,
                  AllOf(HasSubstr("with count " + common + " for rank 0"),
                        HasSubstr("with count " + odd + " for rank 0"), HasSubstr("called all_gather_v")));
    }
  }
}

TEST(RuntimeMismatchText, MessagesMustAgreeInTypeAndSize) {
  const auto by_count = outcomes_of(2, [](Communicator& comm) {
    auto data = floats(comm.rank() == 0 ? 4 : 5);
    comm.rank() == 0 ? comm.send(data, 1) : (void)comm.receive(data, 0);
  });
  const auto by_type = outcomes_of(
      2, [](Communicator& comm) { comm.rank() == 0 ? comm.send(1.0, 1) : (void)comm.receive<std::int64_t>(0); });
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(by_count[static_cast<std::size_t>(rank)].code, ErrorCode::mismatch);
    EXPECT_EQ(by_count[static_cast<std::size_t>(rank)].message,
              "rank 0 sends 4 float to rank 1, which receives 5 float");
    EXPECT_EQ(by_type[static_cast<std::size_t>(rank)].message,
              "rank 0 sends 1 double to rank 1, which receives 1 int64");
  }
}

}  // namespace
}  // namespace tutti
