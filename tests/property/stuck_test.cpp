/// @file
/// Ranks that end, with status 0, are stopped, or are refused their peers' memory in the midst of large calls, in which
/// ranks help one another: nobody waits for them without end, and everybody is told.
///
/// The ranks are those of stuck_ranks.cpp; who hangs there is killed, and so does not tell.
/// TUTTI_STUCK_SEED=n draws other moments.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "launch/launch.hpp"
#include "support/child.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;

constexpr int ranks = 4;

/// Returns the output of all ranks, and of their launcher.
std::string run_of(const std::string& what, int victim, std::uint64_t seed, const std::string& memory = "own") {
  return test::in_child([&] {
    setenv("TUTTI_TIMEOUT", "2", 1);
    const int output = memfd_create("output", MFD_CLOEXEC);
    fcntl(output, F_SETFL, O_APPEND);  // or lines would be lost where two ranks write at once
    dup2(output, STDOUT_FILENO);
    std::string text;
    launch::LaunchedJob job{.ranks = ranks,
                            .command = {TUTTI_STUCK_RANKS, what, std::to_string(victim), std::to_string(seed), memory}};
    job.grace = std::chrono::seconds(20);
    launch::launch(job, [&](const std::string& line) { text += "report " + line + "\n"; });
    std::ifstream stream("/proc/self/fd/" + std::to_string(output));
    return text + std::string(std::istreambuf_iterator<char>(stream), {});
  });
}

std::uint64_t first_seed() {
  const char* const text = std::getenv("TUTTI_STUCK_SEED");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

std::vector<std::string> lines_with(const std::string& text, const std::string& begin) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(begin, 0) == 0) lines.push_back(line);
  }
  return lines;
}

TEST(Stuck, ARankThatEndsInTheMidstOfACallIsNamed) {
  for (std::uint64_t seed = first_seed(), end = seed + 4; seed < end; ++seed) {
    const int victim = static_cast<int>(seed % ranks);
    const std::string text = run_of("exits", victim, seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << text);
    const auto told = lines_with(text, "told ");
    ASSERT_EQ(told.size(), static_cast<std::size_t>(ranks) - 1);
    for (const std::string& line : told) {
      EXPECT_THAT(line, HasSubstr(" " + std::to_string(static_cast<int>(ErrorCode::peer_failed)) + " "));
      EXPECT_THAT(line, HasSubstr("rank " + std::to_string(victim) + " ended"));
    }
  }
}

/// Ranks whom the stopped one was helping by stores into memory that both reach, that of a shared heap too. They cannot
/// go on: each ends, and says why.
std::size_t kept_by_a_helper(const std::string& text) {
  const auto reports = lines_with(text, "report rank ");
  return std::count_if(reports.begin(), reports.end(), [](const std::string& line) {
    return line.find("cannot leave its failed call") != std::string::npos;
  });
}

TEST(Stuck, ARankThatIsStoppedEndsTheCallOfAllOthers) {
  for (std::uint64_t seed = first_seed(), end = seed + 2; seed < end; ++seed) {
    const int victim = static_cast<int>(seed % ranks);
    const std::string text = run_of("stops", victim, seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << text);
    const auto told = lines_with(text, "told ");
    ASSERT_EQ(told.size() + kept_by_a_helper(text), static_cast<std::size_t>(ranks) - 1);
    for (const std::string& line : told) {
      EXPECT_THAT(line, HasSubstr(" " + std::to_string(static_cast<int>(ErrorCode::timeout)) + " "));
      EXPECT_THAT(line, HasSubstr("rank " + std::to_string(victim)));
    }
  }
}

TEST(Stuck, ARankThatIsStoppedAboveSharedMemoryKeepsNobodyForEver) {
  for (std::uint64_t seed = first_seed(), end = seed + 2; seed < end; ++seed) {
    const std::string text = run_of("stops", static_cast<int>(seed % ranks), seed, "shared");
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << text);
    EXPECT_EQ(lines_with(text, "told ").size() + kept_by_a_helper(text), static_cast<std::size_t>(ranks) - 1);
    EXPECT_THAT(text, ::testing::Not(HasSubstr("SIGALRM")));
  }
}

// Helpers that may not write give their work back, and the result is right.
TEST(Stuck, RanksThatMayNotWriteToOthersAreNotNeeded) {
  for (const int victim : {1, -1}) {
    const std::string text = run_of("no-writes", victim, 0);
    if (!lines_with(text, "skip").empty()) GTEST_SKIP() << "no system calls may be refused here";
    EXPECT_EQ(lines_with(text, "done ").size(), static_cast<std::size_t>(ranks)) << text;
    EXPECT_THAT(text, ::testing::Not(HasSubstr("wrong")));
  }
}

// A rank that was allowed to read others when the job began cannot do its own part: all ranks are told so.
TEST(Stuck, ARankThatMayNotReadOthersAnyMoreEndsTheCallOfAll) {
  if (std::getenv("TUTTI_HEAP_LIBRARY") != nullptr) GTEST_SKIP() << "ranks read the heap that they share";
  const std::string text = run_of("no-reads", 1, 0);
  if (!lines_with(text, "skip").empty()) GTEST_SKIP() << "no system calls may be refused here";
  EXPECT_EQ(lines_with(text, "told ").size(), static_cast<std::size_t>(ranks)) << text;
}

}  // namespace
}  // namespace tutti
