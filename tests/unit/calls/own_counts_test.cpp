/// @file
/// All-to-all by counts, of which each rank knows its own alone: over channels that refuse, delay and cut messages.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "unit/calls/ranks_of_one_thread.hpp"

namespace tutti::runtime {
namespace {

/// Whose text asks for the rank's own counts alone, and whose text asks for those of all ranks.
constexpr std::string_view by_own_counts = "";
constexpr std::string_view by_all_counts = "bruck";

/// Counts that each of p ranks sends to each.
struct Counts {
  explicit Counts(int ranks) : p(ranks), of_pairs(static_cast<std::size_t>(ranks * ranks)) {}

  std::int64_t& of(int from, int to) { return of_pairs[static_cast<std::size_t>(from * p + to)]; }
  void draw(std::mt19937_64& random) {
    for (std::int64_t& count : of_pairs) count = static_cast<std::int64_t>(random() % 5);
  }

  int p;
  std::vector<std::int64_t> of_pairs;
};

/// One rank's buffers of the call.
struct Exchanged {
  Exchanged(Counts& counts, int rank, std::string_view by) {
    options.algorithm = by;
    for (int peer = 0; peer < counts.p; ++peer) {
      sends.push_back(counts.of(rank, peer));
      receives.push_back(counts.of(peer, rank));
      in.insert(in.end(), static_cast<std::size_t>(sends.back()), rank * 100 + peer);
      wanted.insert(wanted.end(), static_cast<std::size_t>(receives.back()), peer * 100 + rank);
    }
    out.assign(wanted.size(), -1);
  }
  /// Expects another count of rank `from`, which does not know of it.
  void expect(int from, std::int64_t count) {
    std::int64_t& expected = receives[static_cast<std::size_t>(from)];
    out.resize(static_cast<std::size_t>(static_cast<std::int64_t>(out.size()) + count - expected));
    expected = count;
  }
  untyped::Call call() {
    return {.collective = Collective::all_to_all,
            .input = in.data(),
            .input_size = static_cast<std::int64_t>(in.size()),
            .output = out.data(),
            .output_size = static_cast<std::int64_t>(out.size()),
            .by_counts = true,
            .counts = sends,
            .receive_counts = receives,
            .type = detail::datatype_of<std::int64_t>(),
            .options = &options};
  }

  CollectiveOptions options;
  std::vector<std::int64_t> sends;
  std::vector<std::int64_t> receives;
  std::vector<std::int64_t> in;
  std::vector<std::int64_t> out;
  std::vector<std::int64_t> wanted;
};

std::vector<Exchanged> exchanged(Counts& counts, std::string_view by) {
  std::vector<Exchanged> data;
  for (int rank = 0; rank < counts.p; ++rank) data.emplace_back(counts, rank, by);
  return data;
}

using Operations = std::vector<std::shared_ptr<Operation>>;

/// Begins the call on all ranks, the last one first.
Operations begin(RanksOfOneThread& ranks, std::vector<Exchanged>& data) {
  Operations begun(data.size());
  for (std::size_t rank = data.size(); rank-- > 0;)
    begun[rank] = ranks[static_cast<int>(rank)].begin(data[rank].call());
  return begun;
}

/// Lets the ranks look until none of these goes on, and says whether that has come.
bool come_to_an_end(RanksOfOneThread& ranks, const Operations& begun) {
  const auto goes_on = [](const auto& each) { return each->active(); };
  for (int look = 0; look < most_looks; ++look) {
    if (std::none_of(begun.begin(), begun.end(), goes_on)) return true;
    ranks.look();
  }
  return false;
}

class AllToAllByCounts : public ::testing::TestWithParam<int> {
 protected:
  void expect_right_results(RanksOfOneThread& ranks, Counts& counts, std::string_view by) const {
    std::vector<Exchanged> data = exchanged(counts, by);
    ASSERT_TRUE(come_to_an_end(ranks, begin(ranks, data))) << "stands still";
    for (const Exchanged& each : data) EXPECT_EQ(each.out, each.wanted);
  }

  const int p = GetParam();
};

TEST_P(AllToAllByCounts, ComesToTheRightResultWithNewCountsEachTime) {
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(p));
  for (const std::string_view by : {by_own_counts, by_all_counts}) {
    const std::uint64_t lots = random();
    SCOPED_TRACE(::testing::Message() << "seed " << lots);
    RanksOfOneThread ranks(p, lots, some_faults(random));
    Counts counts(p);
    for (int call = 0; call < 5; ++call) {
      counts.draw(random);
      expect_right_results(ranks, counts, by);
    }
  }
}

// Most ranks find the call of before again, and two do not. More calls than there are call slots.
TEST_P(AllToAllByCounts, ComesToTheRightResultWhereTheCountsOfOnePairChange) {
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(p));
  const std::uint64_t lots = random();
  SCOPED_TRACE(::testing::Message() << "seed " << lots);
  RanksOfOneThread ranks(p, lots, some_faults(random));
  Counts counts(p);
  counts.draw(random);
  for (int call = 0; call < collective_slots + 5; ++call) {
    counts.of_pairs[random() % counts.of_pairs.size()] = static_cast<std::int64_t>(random() % 3);
    expect_right_results(ranks, counts, by_own_counts);
  }
}

/// Count that a rank sends to another one, which expects something else.
struct Unmatched {
  std::int64_t sent, expected;
};

/// Makes the call in which rank 1 alone expects something else of rank 0, on all ranks, and then settles on each of
/// them. Returns the errors of each rank's call, and those of what has failed of both.
std::pair<std::vector<std::string>, std::vector<std::string>> errors_of(RanksOfOneThread& ranks, Counts& counts,
                                                                        std::int64_t expected, std::string_view by) {
  std::vector<Exchanged> data = exchanged(counts, by);
  data[1].expect(0, expected);
  const Operations begun = begin(ranks, data);
  for (int look = 0; look < 1000 * counts.p; ++look) ranks.look();
  Operations all = begun;
  for (int rank = 0; rank < counts.p; ++rank) {
    if (begun[static_cast<std::size_t>(rank)]->state() != Operation::State::done) continue;
    all[static_cast<std::size_t>(rank)] = std::make_shared<SettlingOperation>(*ranks[rank].state);
    if (ranks[rank].state->failure().failed()) continue;
    ranks[rank].engine.begin(all[static_cast<std::size_t>(rank)]);
  }
  EXPECT_TRUE(come_to_an_end(ranks, all));
  std::pair<std::vector<std::string>, std::vector<std::string>> errors;
  for (int rank = 0; rank < counts.p; ++rank) {
    errors.first.push_back(error_of(*begun[static_cast<std::size_t>(rank)]));
    Failure& failure = ranks[rank].state->failure();
    errors.second.push_back(failure.failed() ? failure.error().what() : "no error");
  }
  return errors;
}

// Whether a message is too long, too short, not sent or not read. All ranks know the call's shape from before.
TEST_P(AllToAllByCounts, ThatOneRankAloneChangesAreAnErrorOfEveryRank) {
  if (p < 2) return;
  for (std::uint64_t lots = seed; lots < seed + 10; ++lots) {
    for (const auto [sent, expected] : {Unmatched{3, 5}, {5, 3}, {0, 2}, {4, 0}}) {
      std::mt19937_64 random(lots);
      RanksOfOneThread ranks(p, lots, some_faults(random));
      Counts counts(p);
      counts.draw(random);
      counts.of(0, 1) = sent;
      for (int call = 0; call < 2; ++call) expect_right_results(ranks, counts, by_own_counts);
      const auto [of_calls, of_ranks] = errors_of(ranks, counts, expected, by_own_counts);
      const std::string told = "all_to_all_v (call 3): rank 0 sends " + std::to_string(sent) +
                               " elements to rank 1, which expects " + std::to_string(expected);
      for (const std::string& error : of_ranks) EXPECT_EQ(error, told) << "seed " << lots;
      if (expected > 0) {
        EXPECT_EQ(of_calls[1], told) << "rank 1 does not get what it expects";
      }
    }
  }
}

// In this call: also on ranks that need nothing of the two, and whose own blocks have long been sent.
TEST_P(AllToAllByCounts, ThatTravelNameThePairThatDisagreesAtOnce) {
  if (p < 2) return;
  for (std::uint64_t lots = seed; lots < seed + 20; ++lots) {
    RanksOfOneThread ranks(p, lots, {.buffered = 100});
    std::mt19937_64 random(lots);
    Counts counts(p);
    counts.draw(random);
    counts.of(0, 1) = 3;
    for (const std::string& error : errors_of(ranks, counts, 5, by_all_counts).first)
      EXPECT_EQ(error, "all_to_all_v (call 1): rank 0 sends 3 elements to rank 1, which expects 5") << "seed " << lots;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, AllToAllByCounts, ::testing::Values(1, 2, 5, 8, 9, 12, 17));

}  // namespace
}  // namespace tutti::runtime
