/// @file
/// Ranks that come late: the others wait, and one line says for whom. Threads here; processes in odd_ranks_test.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Standard error's text while it lives.
class ErrorOutput {
 public:
  ErrorOutput() : before_(dup(STDERR_FILENO)), file_(open("/tmp", O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600)) {
    dup2(file_, STDERR_FILENO);
  }
  ErrorOutput(const ErrorOutput&) = delete;
  ErrorOutput& operator=(const ErrorOutput&) = delete;
  ~ErrorOutput() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(file_);
  }
  std::string text() const {
    std::ifstream stream("/proc/self/fd/" + std::to_string(file_));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  int lines() const {
    const std::string all = text();
    return static_cast<int>(std::count(all.begin(), all.end(), '\n'));
  }

 private:
  int before_;
  int file_;
};

/// Waits say so very soon.
class LateRanks : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { setenv("TUTTI_LATE_AFTER", "0.05", 1); }
  void TearDown() override { unsetenv("TUTTI_LATE_AFTER"); }
};

/// Stays away until so many lines have been told.
void stay_away(const ErrorOutput& errors, int lines) {
  while (errors.lines() < lines) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST_P(LateRanks, AreWaitedForAndTold) {
  const int p = GetParam();
  for (int late = 0; late < p; ++late) {
    const ErrorOutput errors;
    std::atomic<int> sums = 0;
    run(p, [&](Communicator& comm) {
      comm.barrier();
      if (comm.rank() == late) stay_away(errors, 1);
      sums += comm.all_reduce(1, sum);
    });
    EXPECT_EQ(sums, p * p);
    const std::string text = errors.text();
    EXPECT_THAT(text, ContainsRegex("^tutti: no progress for [0-9.]+ s: "));
    EXPECT_THAT(text, HasSubstr("for rank " + std::to_string(late) + " to enter all_reduce (call 2)"));
    EXPECT_THAT(text,
                ContainsRegex("; rank " + std::to_string(late) +
                              " (sleeps|computes).*, after its last call, barrier \\(call 1\\); the wait goes on"));
  }
}

// Each line tells for all ranks that wait.
TEST_P(LateRanks, AreToldByOneRankAgainAndAgain) {
  const int p = GetParam();
  const ErrorOutput errors;
  run(p, [&](Communicator& comm) {
    double value = comm.rank() == 0 ? 42 : 0;
    if (comm.rank() == 0) stay_away(errors, 3);
    comm.broadcast(value, 0);
    EXPECT_EQ(value, 42);
  });
  EXPECT_THAT(errors.text(), ContainsRegex("; rank 0 (sleeps|computes)[^;]*, and has called nothing here yet; the wait "
                                           "goes on"));
}

// Rank 0 is awaited by rank 1 alone, for which the others wait. A line that has all of them tells of no other late
// rank.
TEST_P(LateRanks, AreFoundBehindOthersThatWait) {
  const int p = GetParam();
  const ErrorOutput errors;
  const auto line_of_all = [&] {
    std::istringstream lines(errors.text());
    for (std::string line; std::getline(lines, line);) {
      bool has_all = true;
      for (int rank = 1; rank < p; ++rank)
        has_all = has_all && line.find("rank " + std::to_string(rank) + " waits for rank " + std::to_string(rank - 1) +
                                       " to send") != std::string::npos;
      if (has_all) return line;
    }
    return std::string();
  };
  run(p, [&](Communicator& comm) {
    int value = comm.rank();
    if (comm.rank() == 0) {
      while (line_of_all().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    } else {
      comm.receive(std::span(&value, 1), comm.rank() - 1);
    }
    if (comm.rank() + 1 < p) comm.send(value, comm.rank() + 1);
    EXPECT_EQ(value, 0);
  });
  EXPECT_THAT(line_of_all(), HasSubstr("; rank 0 "));
  EXPECT_THAT(line_of_all(), testing::Not(ContainsRegex("; rank [1-9] (sleeps|computes)")));
}

TEST_P(LateRanks, AreToldToWhoTests) {
  const ErrorOutput errors;
  run(GetParam(), [&](Communicator& comm) {
    if (comm.rank() == 0) stay_away(errors, 1);
    Handle handle = comm.barrier_async();
    while (!handle.test()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_THAT(errors.text(), HasSubstr("for rank 0 to enter barrier (call 1)"));
}

// Whoever has a limit is told that, too.
TEST_P(LateRanks, AreWaitedForUntilTheTimeout) {
  const int p = GetParam();
  const ErrorOutput errors;
  std::atomic<int> ended = 0;
  const auto body = [&](Communicator& comm) {
    if (comm.rank() == 0) {
      while (ended < p - 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return;
    }
    try {
      comm.barrier();
    } catch (const Error&) {
      ++ended;
      throw;
    }
  };
  EXPECT_THROW(run(p, body, {.timeout = std::chrono::milliseconds(400)}), Error);
  EXPECT_THAT(errors.text(), HasSubstr("; the wait goes on until it has lasted 0.4 s"));
}

// A mismatch that is sure already is one, whoever is late.
TEST(LateRanksThatDiffer, AreNamedThoughOneIsLate) {
  setenv("TUTTI_LATE_AFTER", "0.05", 1);
  std::atomic<int> ended = 0;
  const auto body = [&](Communicator& comm) {
    if (comm.rank() == 2) {
      while (ended < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return;
    }
    try {
      int value = 1;
      comm.rank() == 0 ? static_cast<void>(comm.all_reduce(value, sum)) : comm.barrier();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::mismatch);
      ++ended;
      throw;
    }
  };
  EXPECT_THROW(run(3, body), Error);
  unsetenv("TUTTI_LATE_AFTER");
}

TEST(LateAfter, IsATime) {
  for (const char* const text : {"soon", "-1", "1e10", "1 s"}) {
    setenv("TUTTI_LATE_AFTER", text, 1);
    try {
      run(1, [](Communicator&) {});
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr("TUTTI_LATE_AFTER is a number of seconds, such as 30, or 0 for never"));
    }
  }
  unsetenv("TUTTI_LATE_AFTER");
}

INSTANTIATE_TEST_SUITE_P(Ranks, LateRanks, testing::Values(2, 3, 5, 8));

}  // namespace
}  // namespace tutti
