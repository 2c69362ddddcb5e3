/// @file
/// Calls that were prepared are found again, and no call is taken for another.

#include "calls/call_cache.hpp"

#include <gtest/gtest.h>

#include <random>

#include "calls/algorithm_trial.hpp"
#include "predict/model/machine_model.hpp"
#include "predict/profile/stored_profile.hpp"
#include "tutti/error.hpp"
#include "tutti/operators.hpp"

namespace tutti::runtime {
namespace {

constexpr std::uint64_t calls_seed = 4711;
constexpr int all_ranks = 4;

CallCache cache_of_rank_0() {
  return {0, all_ranks, {0, Layout(), std::make_unique<MachineModel>(threads_costs, all_ranks)}, {}};
}

/// A call with its own memory.
struct Asked {
  std::vector<std::int64_t> in;
  std::vector<std::int64_t> out;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> displacements;
  std::string algorithm = {};
  CollectiveOptions options = {};
  std::vector<std::int64_t> receive_counts = {};
  std::vector<std::int64_t> receive_displacements = {};

  untyped::Call all_reduce() {
    options.algorithm = algorithm;
    return {.collective = Collective::all_reduce,
            .input = in.data(),
            .input_size = static_cast<std::int64_t>(in.size()),
            .output = out.data(),
            .output_size = static_cast<std::int64_t>(out.size()),
            .type = detail::datatype_of<std::int64_t>(),
            .op = detail::operator_for<std::int64_t>(sum),
            .options = &options};
  }
  /// Sends what `counts` says, and receives what `receive_counts` says.
  untyped::Call all_to_all() {
    untyped::Call call = all_reduce();
    call.collective = Collective::all_to_all;
    call.op = {};
    call.by_counts = true;
    call.counts = counts;
    call.receive_counts = receive_counts;
    call.displacements = displacements;
    call.receive_displacements = receive_displacements;
    return call;
  }
  /// Gathers at rank 0, which alone reads `counts`.
  untyped::Call gather_at_root() {
    untyped::Call call = all_gather();
    call.collective = Collective::gather;
    call.counts_at_root = true;
    return call;
  }
  /// Gathers in `out` what `counts` says.
  untyped::Call all_gather() {
    untyped::Call call = all_reduce();
    call.collective = Collective::all_gather;
    call.op = {};
    call.by_counts = true;
    call.counts = counts;
    call.displacements = displacements;
    return call;
  }
};

Asked asked_for(std::size_t n) { return {std::vector<std::int64_t>(n), std::vector<std::int64_t>(n), {}, {}}; }

Asked gathered(std::vector<std::int64_t> counts, std::vector<std::int64_t> displacements = {}) {
  Asked asked = asked_for(16);
  asked.in.resize(static_cast<std::size_t>(counts.front()));
  asked.counts = std::move(counts);
  asked.displacements = std::move(displacements);
  if (asked.displacements.empty()) asked.out.resize(7);
  return asked;
}

TEST(CallCache, FindsACallAgainThatNamesItsAlgorithm) {
  CallCache cache = cache_of_rank_0();
  Asked ring = asked_for(8);
  Asked open = asked_for(8);
  ring.algorithm = "ring";
  const PreparedCall* const first = cache.find(ring.all_reduce()).get();
  EXPECT_EQ(first->request.algorithm, "ring");
  EXPECT_NE(cache.find(open.all_reduce()).get(), first);
  EXPECT_EQ(cache.find(ring.all_reduce()).get(), first);
  ring.algorithm = "Xing";  // the caller's memory, which a kept call may not look at
  EXPECT_THROW(cache.find(ring.all_reduce()), tutti::Error);
  Asked again = asked_for(8);
  again.algorithm = "ring";
  EXPECT_EQ(cache.find(again.all_reduce()).get(), first);
}

TEST(CallCache, FindsACallAgainThatHasCounts) {
  CallCache cache = cache_of_rank_0();
  Asked some = gathered({1, 2, 3, 1});
  const PreparedCall* const first = cache.find(some.all_gather()).get();
  EXPECT_EQ(cache.find(some.all_gather()).get(), first);
  Asked others = gathered({1, 3, 2, 1});
  EXPECT_EQ(cache.find(others.all_gather())->problem.counts, others.counts);
  Asked apart = gathered({1, 2, 3, 1}, {0, 4, 8, 12});
  EXPECT_EQ(cache.find(apart.all_gather())->output_displacements, apart.displacements);
  Asked elsewhere = gathered({1, 2, 3, 1}, {12, 8, 4, 0});
  EXPECT_EQ(cache.find(elsewhere.all_gather())->output_displacements, elsewhere.displacements);
}

/// Rank 0's part of an all-to-all by counts.
Asked exchanged(std::vector<std::int64_t> counts, std::vector<std::int64_t> receive_counts) {
  Asked asked{std::vector<std::int64_t>(8), std::vector<std::int64_t>(8), std::move(counts), {}};
  asked.receive_counts = std::move(receive_counts);
  return asked;
}

std::vector<std::int64_t> in_one_list(const Asked& asked) {
  std::vector<std::int64_t> counts = asked.counts;
  counts.insert(counts.end(), asked.receive_counts.begin(), asked.receive_counts.end());
  return counts;
}

TEST(CallCache, FindsACallAgainWhoseCountsItsRankAloneKnows) {
  CallCache cache = cache_of_rank_0();
  Asked even = exchanged({2, 2, 2, 2}, {2, 2, 2, 2});
  const std::shared_ptr<const PreparedCall> first = cache.find(even.all_to_all());
  ASSERT_NE(first->plan, nullptr) << "the rank's own counts suffice";
  EXPECT_EQ(first->problem.known_to, 0);
  EXPECT_EQ(cache.find(even.all_to_all()), first);
  for (Asked other : {exchanged({2, 1, 3, 2}, {2, 2, 2, 2}), exchanged({2, 2, 2, 2}, {2, 2, 3, 1})}) {
    const std::shared_ptr<const PreparedCall> found = cache.find(other.all_to_all());
    EXPECT_EQ(found->problem.counts, in_one_list(other));
    EXPECT_EQ(found->signature.digest, first->signature.digest) << "which other ranks may not have changed theirs";
    EXPECT_NE(found->signature.balance, first->signature.balance);
  }
  EXPECT_THROW(cache.find(exchanged({3, 1, 2, 2}, {2, 2, 2, 2}).all_to_all()), tutti::Error) << "to itself";
}

// Programs that send their elements there and back have as many elements each way.
TEST(CallCache, KeepsCallsOfEqualSizesAndOtherCountsSideBySide) {
  CallCache cache = cache_of_rank_0();
  Asked there = exchanged({2, 1, 3, 2}, {2, 2, 2, 2});
  Asked back = exchanged({2, 2, 2, 2}, {2, 1, 3, 2});
  const std::shared_ptr<const PreparedCall> first = cache.find(there.all_to_all());
  const std::shared_ptr<const PreparedCall> second = cache.find(back.all_to_all());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(cache.find(there.all_to_all()), first);
    EXPECT_EQ(cache.find(back.all_to_all()), second);
  }
}

// More of them than there are places: a call that differs in a count that it sends, or in one that it expects, is
// another one wherever it is kept.
TEST(CallCache, TakesNoCountsForOthersOfEqualSum) {
  CallCache cache = cache_of_rank_0();
  const std::vector<std::int64_t> even(4, 2);
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t k = 0; k < 6 * 49; ++k) {
      const std::vector<std::int64_t> counts = {2, k % 7 % 3, k / 7 % 5, 6 - k % 7 % 3 - k / 7 % 5};
      if (counts.back() < 0) continue;
      for (Asked asked : {exchanged(counts, even), exchanged(even, counts)})
        EXPECT_EQ(cache.find(asked.all_to_all())->problem.counts, in_one_list(asked));
    }
  }
}

TEST(CallCache, FindsACallAgainWhoseCountsHaveYetToTravel) {
  CallCache cache = cache_of_rank_0();
  Asked even = exchanged({2, 2, 2, 2}, {2, 2, 2, 2});
  even.algorithm = "bruck";
  const std::shared_ptr<const PreparedCall> first = cache.find(even.all_to_all());
  EXPECT_EQ(first->plan, nullptr) << "nothing is recorded before all know the counts";
  EXPECT_EQ(cache.find(even.all_to_all()), first);
  for (Asked other : {exchanged({2, 1, 3, 2}, {2, 2, 2, 2}), exchanged({2, 2, 2, 2}, {2, 2, 3, 1})}) {
    other.algorithm = "bruck";
    EXPECT_EQ(cache.find(other.all_to_all())->own_counts, in_one_list(other));
  }
}

TEST(CallCache, TellsCallsApartByTheirPlacesAndByHowManyCountsTheyHave) {
  CallCache cache = cache_of_rank_0();
  Asked even = exchanged({2, 2, 2, 2}, {2, 2, 2, 2});
  cache.find(even.all_to_all());
  Asked apart = exchanged({2, 2, 2, 2}, {2, 2, 2, 2});
  apart.displacements = {0, 2, 4, 6};
  apart.receive_displacements = {0, 2, 4, 6};
  EXPECT_EQ(cache.find(apart.all_to_all())->output_displacements, apart.receive_displacements);
  apart.receive_displacements = {6, 4, 2, 0};
  EXPECT_EQ(cache.find(apart.all_to_all())->output_displacements, apart.receive_displacements);
  for (Asked wrong : {exchanged({2, 2, 2, 2, 0}, {2, 2, 2, 2}), exchanged({2, 2, 2}, {2, 2, 2, 2, 2})})
    EXPECT_THROW(cache.find(wrong.all_to_all()), tutti::Error) << "as many counts, in other places";
}

TEST(CallCache, FindsWhatIsRunAgainByTheCountsThatTravelled) {
  CallCache cache = cache_of_rank_0();
  Asked even = exchanged({2, 2, 2, 2}, {2, 2, 2, 2});
  even.algorithm = "ring";
  const std::shared_ptr<const PreparedCall> known = cache.find(even.all_to_all());
  std::vector<std::int64_t> counts(16, 2);
  const std::shared_ptr<const PreparedCall> first = cache.with_counts(known, counts);
  EXPECT_EQ(cache.with_counts(known, counts), first);
  for (std::size_t pair = 0; pair < 40; ++pair) {
    std::vector<std::int64_t> others = counts;
    others[6 + pair % 10] += 1 + static_cast<std::int64_t>(pair);
    EXPECT_EQ(cache.with_counts(known, others)->problem.counts, others);
  }
  even.algorithm = "bruck";
  const std::shared_ptr<const PreparedCall> named = cache.find(even.all_to_all());
  EXPECT_NE(cache.with_counts(named, counts), cache.with_counts(known, counts));
}

TEST(CallCache, TakesCountsAtTheRootForNoOthers) {
  CallCache cache = cache_of_rank_0();
  Asked asked = gathered({1, 2, 3, 1});
  untyped::Call known_to_all = asked.all_gather();
  known_to_all.collective = Collective::gather;
  EXPECT_NE(cache.find(known_to_all)->plan, nullptr);
  const std::shared_ptr<const PreparedCall> at_root = cache.find(asked.gather_at_root());
  EXPECT_NE(at_root->plan, nullptr);
  EXPECT_FALSE(at_root->counts_travel);
  EXPECT_EQ(cache.find(asked.gather_at_root()), at_root);
  EXPECT_NE(cache.find(known_to_all), at_root);
  const CollectiveOptions passes_on{.algorithm = "binomial"};
  untyped::Call named = asked.gather_at_root();
  named.options = &passes_on;
  EXPECT_EQ(cache.find(named)->plan, nullptr);
  EXPECT_TRUE(cache.find(named)->counts_travel);
  EXPECT_EQ(cache.find(asked.gather_at_root()), at_root);
}

// More options than are kept, in any order.
TEST(CallCache, FindsACallAgainWhoseBlockIsInItsPlace) {
  CallCache cache = cache_of_rank_0();
  Asked apart = asked_for(2);
  apart.out.resize(8);
  untyped::Call call = apart.all_gather();
  call.by_counts = false;
  const auto prepared_apart = cache.find(call);
  call.input = apart.out.data();
  const auto prepared = cache.find(call);
  EXPECT_TRUE(prepared->is_in_own_block);
  EXPECT_NE(prepared, prepared_apart);
  EXPECT_EQ(prepared, cache.find(call));
  call.input = apart.out.data() + 1;
  EXPECT_THROW(cache.find(call), Error);
}

TEST(CallCache, TakesNoCallForAnother) {
  std::cout << "seed " << calls_seed << std::endl;
  std::mt19937_64 random(calls_seed);
  CallCache cache = cache_of_rank_0();
  // Each but the first has one parameter.
  const char* const names[] = {"", "two-tree", "recursive-multiplying", "mesh"};
  for (int call = 0; call < 2000; ++call) {
    Asked asked = asked_for(4 * (1 + random() % 3));
    const std::size_t name = random() % std::size(names);
    asked.algorithm = names[name];
    if (name <= 1) asked.options.segments = static_cast<int>(random() % 20);
    if (name == 0 || name == 2) asked.options.radix = random() % 2 == 0 ? 0 : 2 + static_cast<int>(random() % 4);
    if ((name == 0 || name == 3) && random() % 2 == 0)
      asked.options.grid = random() % 2 == 0 ? std::vector<int>{2, 2} : std::vector<int>{1, 4};
    const PreparedCall& found = *cache.find(asked.all_reduce());
    ASSERT_EQ(found.request.algorithm, asked.algorithm) << call;
    ASSERT_EQ(found.problem.count, static_cast<std::int64_t>(asked.in.size())) << call;
    const Parameters wanted{.segments = asked.options.segments,
                            .radix = asked.options.radix,
                            .grid = asked.options.grid.empty() ? Shape() : Shape(asked.options.grid)};
    ASSERT_EQ(found.request.parameters, wanted) << call;
  }
}

// A winner is found by the call's name, which comes back from a profile as it was kept.
TEST(AlgorithmTrials, NameCallsAsProfilesKeepThem) {
  PreparedCall call{.problem = {.collective = Collective::all_reduce, .ranks = 2, .count = 4}};
  call.type = detail::datatype_of<double>();
  call.signature.op_name = std::string_view("a sum \xC3");
  const std::string name = AlgorithmTrials::words_of(call, "threads on 2 cores");
  const StoredProfile profile{.machine = "this", .tutti = "0", .wisdom = {{.call = name, .algorithm = "ring"}}};
  EXPECT_EQ(parse_profile(text_of(profile), "profile").wisdom.at(0).call, name);
}

}  // namespace
}  // namespace tutti::runtime
