/// @file
/// Communicators of ranks that an MPI program has: founded, used and gone.

#include "interpose/job_ranks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace tutti::interpose {
namespace {

// What a communicator has taken of the shared memory is found again by a later one, whether all of them have one engine
// or each its own.
TEST(JobRanks, GiveBackWhatCommunicatorsHadThatAreGone) {
  for (const bool has_threads : {false, true}) {
    runtime::Segment segment = runtime::Segment::create(1);
    segment.join(0);
    const auto ranks =
        JobRanks::of_one_host(std::move(segment), {0}, {.let_mpi_work = []() noexcept {}, .has_threads = has_threads});
    std::set<std::uint64_t> places;
    for (int round = 0; round < 100; ++round) {
      const std::optional<runtime::Foundation> founded = ranks->found({0}, 0);
      ASSERT_TRUE(founded.has_value()) << round;
      places.insert(founded->place);
      auto fresh = ranks->join(std::span(&*founded, 1), {0}, 0, [] { return std::string("a communicator"); });
      ASSERT_TRUE(fresh.has_value()) << round;
      fresh->run({});  // a barrier
    }
    EXPECT_LT(places.size(), 10U) << has_threads;
  }
}

}  // namespace
}  // namespace tutti::interpose
