/// @file
/// Ranks of unchanged MPI programs that come late, or are stopped: the others wait for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Rank 0 comes late: once a file is there.
class LateRank : public Unchanged {
 protected:
  void SetUp() override { std::filesystem::remove(until_); }
  void TearDown() override { std::filesystem::remove(until_); }

  /// Returns the lines about rank 0 before it comes; all ends well.
  std::string told(const std::string& way, std::vector<std::string> settings) {
    settings.insert(settings.end(), {"TUTTI_MPI_CHECK=1", "TUTTI_LATE_AFTER=0.5", "LATE_UNTIL=" + until_.string()});
    Running running = start(3, program("hazards") + " " + way, settings);
    while (running.errors().find("; rank 0 (process ") == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ofstream(until_) << "";
    const Ran ran = running.wait();
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    return ran.err;
  }

  std::filesystem::path until_ = own_path("late_until");
};

TEST_P(LateRank, OfACollectiveIsWaitedFor) {
  EXPECT_THAT(told("late", {}),
              AllOf(ContainsRegex("tutti: no progress for [0-9.]+ s: ranks? [12].* for rank 0 to enter all_reduce "
                                  "\\(call [0-9]+ of communicator MPI_COMM_WORLD\\); rank 0 \\(process [0-9]+\\) "
                                  "(sleeps|computes)[^;]*, after its last call, all_reduce"),
                    HasSubstr("; the wait goes on (TUTTI_TIMEOUT=T would end such a wait after T seconds)")));
}

TEST_P(LateRank, OfAMessageIsWaitedForWhateverTheTimeout) {
  EXPECT_THAT(told("late_message", {"TUTTI_TIMEOUT=0.5"}),
              AllOf(ContainsRegex("tutti: no progress for [0-9.]+ s: ranks? [12].* for rank 0 to send with tag 9, in "
                                  "MPI_Recv of MPI_COMM_WORLD"),
                    ContainsRegex("; rank 0 \\(process [0-9]+\\) (sleeps|computes)"), Not(HasSubstr("for ever"))));
}

TEST_P(LateRank, OfTheFirstCollectiveIsWaitedFor) {
  EXPECT_THAT(told("late_copy", {}), HasSubstr(" for all ranks to come to the first collective of communicator "));
}

// Without checks nobody says anything, and nobody ends.
TEST_P(LateRank, OfAProgramThatIsNotCheckedIsWaitedForInSilence) {
  Running running = start(3, program("hazards") + " late",
                          {"TUTTI_LATE_AFTER=0.1", "TUTTI_TIMEOUT=0.1", all_served(), "LATE_UNTIL=" + until_.string()});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // for what should not come
  std::ofstream(until_) << "";
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("no progress")));
}

INSTANTIATE_TEST_SUITE_P(Of, LateRank, ::testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& launcher) { return launcher.param.name; });

}  // namespace
}  // namespace tutti::test
