/// @file
/// Five ranks on two hosts, which one machine stands for: what goes wrong on one host is known on both, and named by
/// the numbers that the program knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/launchers.hpp"
#include "tutti/error.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class Hosts : public ::testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "tutti-hosts-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Returns the output of the ranks of hosts_ranks.cpp, rank R on the node of letter R. An mpirun that finds a rank
  /// gone ends the others, and drops what they have just said. So shells hide from it how ranks end, stay until the
  /// last has ended, and keep the output in files: all that ranks learn they learn from one another.
  std::vector<std::string> said(const std::string& scenario, const std::string& nodes = "AABBB") const {
    const std::string script = "cd " + folder.string() +
                               " && R=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; export TUTTI_NODE=$(echo " + nodes +
                               " | cut -c$((R + 1))); ulimit -c 0; " TUTTI_HOSTS_RANKS " " + scenario +
                               " > said.$R; touch ended.$R; for _ in $(seq 600); do [ $(ls -d ended.* | wc -l) = 5 ] "
                               "&& break; sleep 0.1; done; exit 0";
    std::vector<std::string> words(GetParam().command.begin() + 1, GetParam().command.end());
    words.insert(words.end(), {"-n", "5", "/bin/sh", "-c", script});
    (void)run_command(GetParam().command.front(), words);
    std::vector<std::string> lines;
    for (int rank = 0; rank < 5; ++rank) {
      std::ifstream text(folder / ("said." + std::to_string(rank)));
      for (std::string line; std::getline(text, line);) {
        if (line.starts_with("rank ")) lines.push_back(line);
      }
    }
    return lines;
  }
  static std::string code(ErrorCode code) { return ": " + std::to_string(static_cast<int>(code)) + " "; }

  std::filesystem::path folder;
};

TEST_P(Hosts, AllLearnOfARankThatIsGone) {
  const auto lines = said("gone");
  EXPECT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines, Each(HasSubstr(code(ErrorCode::peer_failed) + "rank 1 failed: its process is gone")));
}

TEST_P(Hosts, AllLearnOfARankThatEnds) {
  const auto lines = said("ends", "ABABA");
  EXPECT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines,
              Each(AllOf(HasSubstr(code(ErrorCode::peer_failed)),
                         HasSubstr("rank 3 ended with exit status 7 before its receive of 1 int32 from rank 0"))));
}

TEST_P(Hosts, AllLearnOfARankThatThrows) {
  const auto lines = said("throws");
  EXPECT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines, Each(HasSubstr(code(ErrorCode::peer_failed) + "rank 3 failed: a reason")));
}

TEST_P(Hosts, ACircleThroughBothIsSeen) {
  const auto lines = said("circle");
  EXPECT_THAT(lines, SizeIs(5));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("no error"))));
  // One communicator fails; those who wait on another learn that its ranks have ended.
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr(code(ErrorCode::timeout) + "ranks wait for one another, for ever: "),
                                    HasSubstr("rank 0 waits for rank 1 of communicator "),
                                    HasSubstr("rank 1 waits for rank 2 to send 1 int32"),
                                    HasSubstr("rank 2 waits for rank 2 of communicator "),
                                    HasSubstr("rank 4 waits for rank 3 to send 1 int32"),
                                    HasSubstr("rank 3 waits for rank 0 to send 1 int32"))));
}

TEST_P(Hosts, CallsThatDifferAreNamed) {
  const auto lines = said("mismatch");
  EXPECT_THAT(lines, SizeIs(8));  // lines of all, and then of the three of one host
  EXPECT_THAT(lines, Each(HasSubstr(code(ErrorCode::mismatch))));
  EXPECT_THAT(lines, Contains(HasSubstr("rank 4 called broadcast with root 0; ranks 0-3 with root 1")).Times(5));
  EXPECT_THAT(lines, Contains(HasSubstr("rank 2 called broadcast with root 0; ranks 0, 1 with root 1")).Times(3));
}

TEST_P(Hosts, WhoReadsWhomIsNamedByTheCommunicator) {
  const auto lines = said("unmap");
  EXPECT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines, Each(AllOf(HasSubstr(code(ErrorCode::invalid_argument)), HasSubstr("rank 4 cannot read 4000000 "),
                                HasSubstr(" of rank 3: Bad address"))));
}

INSTANTIATE_TEST_SUITE_P(Of, Hosts, ::testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace tutti::test
