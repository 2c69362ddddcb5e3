/// @file
/// All-to-all by counts, of which each rank knows its own alone, with counts that change from call to call.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "support/ranks.hpp"

namespace tutti {
namespace {

using testing::on_ranks;
using testing::Outcome;
using testing::outcomes_of;

/// Counts that each of p ranks sends to each: equal on all ranks, each of which reads no more of it than its own.
class Counts {
 public:
  explicit Counts(int p) : p_(static_cast<std::size_t>(p)), of_pairs_(p_ * p_, 2) {}

  std::int64_t& of(int from, int to) {
    return of_pairs_[static_cast<std::size_t>(from) * p_ + static_cast<std::size_t>(to)];
  }
  std::vector<std::int64_t> sent_by(int rank) {
    std::vector<std::int64_t> counts;
    for (int to = 0; to < static_cast<int>(p_); ++to) counts.push_back(of(rank, to));
    return counts;
  }
  std::vector<std::int64_t> received_by(int rank) {
    std::vector<std::int64_t> counts;
    for (int from = 0; from < static_cast<int>(p_); ++from) counts.push_back(of(from, rank));
    return counts;
  }

 private:
  std::size_t p_;
  std::vector<std::int64_t> of_pairs_;
};

/// For each rank in order, so many of what `value` says of it.
template <typename Value>
std::vector<std::int64_t> elements(const std::vector<std::int64_t>& counts, const Value& value) {
  std::vector<std::int64_t> all;
  for (std::size_t rank = 0; rank < counts.size(); ++rank)
    all.insert(all.end(), static_cast<std::size_t>(counts[rank]), value(static_cast<int>(rank)));
  return all;
}

void exchange(Communicator& comm, const std::vector<std::int64_t>& sends, const std::vector<std::int64_t>& receives) {
  const int me = comm.rank();
  const std::vector<std::int64_t> in = elements(sends, [me](int to) { return 1000 * me + to; });
  const std::vector<std::int64_t> wanted = elements(receives, [me](int from) { return 1000 * from + me; });
  std::vector<std::int64_t> out(wanted.size(), -1);
  comm.all_to_all_v(in, out, sends, receives);
  EXPECT_EQ(out, wanted) << "rank " << me;
}

class OwnCounts : public ::testing::TestWithParam<int> {};

// Most ranks know the shape of the call, and two do not. Blocks are empty, short, and too long for a slot.
TEST_P(OwnCounts, MayChangeBetweenAnyTwoRanksFromCallToCall) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    std::mt19937 random(7);  // equal numbers on all ranks
    const std::int64_t sizes[] = {0, 0, 1, 2, 3, 40, 3000, 70000};
    Counts counts(p);
    for (int call = 0; call < 100; ++call) {
      if (call % 3 != 0) {
        const int from = static_cast<int>(random() % static_cast<unsigned>(p));
        const int to = static_cast<int>(random() % static_cast<unsigned>(p));
        counts.of(from, to) = sizes[random() % std::size(sizes)];
      }
      exchange(comm, counts.sent_by(comm.rank()), counts.received_by(comm.rank()));
    }
  });
}

/// Change of what a rank sends to the one after it, and of what that expects from a call on of which nobody else knows.
struct Change {
  std::int64_t sent, expected;
};

TEST_P(OwnCounts, ThatOneRankAloneChangesAreAnErrorOfEveryRank) {
  const int p = GetParam();
  if (p < 2) return;
  for (const auto [sent, expected] : {Change{3, 5}, {5, 3}, {0, 2}, {4, 0}, {50000, 49999}, {50000, 0}}) {
    for (const int culprit : {0, p - 1}) {
      const int sender = (culprit + p - 1) % p;
      const auto outcomes = outcomes_of(p, [=, sent = sent, expected = expected](Communicator& comm) {
        Counts counts(p);
        counts.of(sender, culprit) = sent;
        const auto sends = counts.sent_by(comm.rank());
        auto receives = counts.received_by(comm.rank());
        for (int call = 0; call < 3; ++call) exchange(comm, sends, receives);
        if (comm.rank() == culprit) receives[static_cast<std::size_t>(sender)] = expected;
        const std::vector<std::int64_t> in = elements(sends, [](int to) { return to; });
        std::vector<std::int64_t> out = elements(receives, [](int from) { return from; });
        comm.all_to_all_v(in, out, sends, receives);
        comm.wait_all();
      });
      for (const Outcome& outcome : outcomes) {
        EXPECT_EQ(outcome.code, ErrorCode::mismatch);
        EXPECT_EQ(outcome.message, "all_to_all_v (call 4): rank " + std::to_string(sender) + " sends " + grouped(sent) +
                                       " elements to rank " + std::to_string(culprit) + ", which expects " +
                                       grouped(expected));
      }
    }
  }
}

// Ranks go on as long as they may: no call of a later round is taken for the one that does not match.
TEST_P(OwnCounts, ThatDoNotMatchEndALongRowOfCalls) {
  const int p = GetParam();
  if (p < 2) return;
  const auto outcomes = outcomes_of(p, [p](Communicator& comm) {
    const std::vector<std::int64_t> ones(static_cast<std::size_t>(p), 1);
    for (int call = 0; call < 100; ++call) {
      std::vector<std::int64_t> sends = ones;
      if (call == 10 && comm.rank() == 0) sends[1] = 0;
      const std::vector<std::int64_t> in = elements(sends, [](int) { return 0; });
      std::vector<std::int64_t> out(ones.size());
      comm.all_to_all_v(in, out, sends, ones);
    }
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_EQ(outcome.message, "all_to_all_v (call 11): rank 0 sends 0 elements to rank 1, which expects 1");
  }
}

TEST_P(OwnCounts, OfARankForItselfMustBeOne) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const auto me = static_cast<std::size_t>(comm.rank());
    std::vector<std::int64_t> sends(static_cast<std::size_t>(p), 2);
    std::vector<std::int64_t> receives = sends;
    receives[me] = 3;
    const std::vector<int> in(2 * sends.size());
    std::vector<int> out(2 * sends.size() + 1);
    try {
      comm.all_to_all_v(in, out, sends, receives);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_EQ(std::string(error.what()), "all_to_all_v: rank " + std::to_string(me) +
                                               " sends 2 elements to itself, but expects 3 of itself; the two counts "
                                               "must be equal");
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, OwnCounts, ::testing::ValuesIn(testing::possible({1, 2, 3, 4, 7})));

}  // namespace
}  // namespace tutti
