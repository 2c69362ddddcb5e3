/// @file
/// Ranks by the hundred on one machine: they come together and end, and what they cost grows with the pairs that talk.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/child.hpp"
#include "support/command.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

constexpr long long kibibyte = 1024;

Ran run_scale_ranks(int ranks, const std::vector<std::string>& words = {}) {
  setenv("TUTTI_TIMEOUT", "300", 1);  // for machines that have other things to do
  std::vector<std::string> line{"run", "-n", std::to_string(ranks), TUTTI_SCALE_RANKS};
  line.insert(line.end(), words.begin(), words.end());
  return run_command(TUTTI_COMMAND, line);
}

std::map<std::string, long long> numbers_in(const std::string& text) {
  std::map<std::string, long long> numbers;
  std::istringstream stream(text);
  std::string name;
  for (long long number = 0; stream >> name && stream >> number;) numbers[name] = number;
  return numbers;
}

TEST(Scale, FiveHundredAndTwelveRanksComeTogetherAndEnd) {
  const Ran ran = run_scale_ranks(addresses_are_reserved ? 40 : 512);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(Scale, MemoryGrowsWithThePairsThatTalk) {
  constexpr long long of_a_rank = 64 * kibibyte;
  constexpr long long of_a_pair = 8 * kibibyte;
  for (const int p : {2, 3, 16, 61, 64}) {
    SCOPED_TRACE(p);
    const std::string looked = fmt::format("{}/looked-{}-{}", testing::TempDir(), getpid(), p);
    const Ran ran = run_scale_ranks(p, {looked});
    std::filesystem::remove(looked);
    ASSERT_EQ(ran.status, 0) << ran.err;
    std::map<std::string, long long> held = numbers_in(ran.out);
    EXPECT_LE(held["start"], p * of_a_rank);
    EXPECT_GT(held["start"], 0);
    // Three collectives, of which each rank talks to so many in each direction.
    const int partners = 3 * std::bit_width(static_cast<unsigned>(p));
    EXPECT_LE(held["talked"], p * (of_a_rank + partners * of_a_pair));
    EXPECT_GT(held["talked"], held["start"]);
    // Ranks that are ahead have begun to talk on the new communicator.
    EXPECT_LE(held["split"] - held["talked"], p * (of_a_rank + partners * of_a_pair));
  }
}

TEST(Scale, NoFileSystemOfSharedMemoryPlaysAPart) {
  const Ran ran = run_scale_ranks(4);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::HasSubstr("file /memfd:tutti (deleted)\n"));
  EXPECT_THAT(ran.out, testing::Not(testing::HasSubstr("/dev/shm")));
}

TEST(Scale, ARankHasFewAddressesBeforeItAllocates) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  for (const int p : {2, 16}) {
    const Ran ran = run_scale_ranks(p);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_LE(numbers_in(ran.out)["addresses"], 1024 * 1024 * kibibyte) << p;
  }
}

TEST(Scale, SixteenRanksRunWithFewAddressesAndHardlyAnyFileSystem) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  const auto answer_of = [](bool has_file_system) {
    return in_child([&]() -> std::string {
      if (has_file_system && !has_own_shared_memory(1024 * kibibyte)) return "not allowed";
      const rlimit limit{4096 * 1024 * kibibyte, 4096 * 1024 * kibibyte};
      setrlimit(RLIMIT_AS, &limit);
      const Ran ran = run_scale_ranks(16);
      const bool are_few = numbers_in(ran.out)["addresses"] <= 1024 * 1024 * kibibyte;
      return std::to_string(ran.status) + (are_few ? "; few" : "; many") + ran.err;
    });
  };
  EXPECT_EQ(answer_of(false), "0; few");
  const std::string answer = answer_of(true);
  if (answer == "not allowed") GTEST_SKIP() << "no mount namespace to be had";
  EXPECT_EQ(answer, "0; few");
}

}  // namespace
}  // namespace tutti::test
