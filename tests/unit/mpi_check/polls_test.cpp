/// @file
/// Programs of MPI that nobody has changed, whose ranks look again and again for what does not come: loops that never
/// end are named where the program is checked, and no others.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class Polls : public Unchanged {
 protected:
  static constexpr int timeout = 1;

  static Ran run(int ranks, const std::string& way) {
    return Unchanged::run(ranks, program("polls") + " " + way,
                          {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=" + std::to_string(timeout)});
  }
  static void expect_as_expected(int ranks, const std::string& way) {
    const Ran ran = run(ranks, way);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  }
  /// Returns the program's last words.
  static std::string told_by(int ranks, const std::string& way) {
    const Ran ran = run(ranks, way);
    EXPECT_NE(ran.status, 0) << way << ran.err;
    return ran.err;
  }
};

// By each function that looks; a loop that does not look at the error's code ends, too.
TEST_P(Polls, OfAnyFunctionThatNeverEndAreNamed) {
  for (const char* const way : {"each_test", "each_other"}) expect_as_expected(2, way);
}

TEST_P(Polls, ForANonblockingCollectiveThatNeverEndAreNamed) { expect_as_expected(2, "begun"); }

TEST_P(Polls, OfACircleAreNamed) {
  for (const int ranks : {2, 3, 4}) {
    EXPECT_THAT(told_by(ranks, "circle"),
                AllOf(HasSubstr("ranks wait for one another, for ever: rank 0 waits for rank 1 to send with tag 3, in "
                                "MPI_Iprobe of MPI_COMM_WORLD called from circle (polls.c:"),
                      HasSubstr("waits for rank 0 to send with tag 3")))
        << ranks;
  }
}

TEST_P(Polls, ForOneThatHasEndedAreNamed) {
  EXPECT_THAT(told_by(2, "ended"),
              AllOf(HasSubstr("ranks wait for ever for one that has ended: rank 0 waits for rank 1 to send with tag 0, "
                              "in MPI_Test of MPI_COMM_WORLD called from ended (polls.c:"),
                    HasSubstr("; rank 1 has come to MPI_Finalize")));
}

TEST_P(Polls, ForOneInACollectiveAreNamed) {
  // On a busy machine the ranks in the collective may come to their timeout before the polls are known to be a wait.
  EXPECT_THAT(told_by(3, "collective"),
              AnyOf(HasSubstr("rank 0 waits for rank 1 to send with tag 0, in MPI_Iprobe of "),
                    HasSubstr("ranks 1, 2 wait for all ranks to come to the first collective of communicator "
                              "MPI_COMM_WORLD, in MPI_Barrier called from collective (polls.c:")));
}

TEST_P(Polls, ForAMessageOrACollectiveAreNamed) {
  EXPECT_THAT(told_by(3, "consensus"),
              AllOf(HasSubstr("for any rank to send with tag 3 or all ranks to begin MPI_Ibarrier, nonblocking "
                              "collective 1, in MPI_Iprobe, MPI_Test of MPI_COMM_WORLD"),
                    HasSubstr("rank 2 has come to MPI_Finalize")));
}

// By other work, calls, threads, signals, or a number of tries.
TEST_P(Polls, ThatEndOtherwiseGoOn) {
  expect_as_expected(16, "late");
  expect_as_expected(3, "window");
}

TEST_P(Polls, OfFortranThatNeverEndAreNamed) {
  for (const char* const module : {"mpi", "mpi_f08"}) {
    const std::string path = program(std::string("messages_") + module);
    if (!is_there(path)) continue;
    const Ran ran = Unchanged::run(2, path + " polls", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
    EXPECT_EQ(ran.status, 0) << module << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    for (const char* const function :
         {"Test", "Testall", "Testany", "Testsome", "Request_get_status", "Iprobe", "Improbe"})
      EXPECT_THAT(ran.err, HasSubstr(std::string(", in MPI_") + function + " of ")) << module;
    EXPECT_THAT(ran.err, HasSubstr("(messages.f90:")) << module;
    const Ran waits = Unchanged::run(2, path + " waits", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
    EXPECT_NE(waits.status, 0) << module;
    EXPECT_THAT(waits.err, AllOf(HasSubstr("in MPI_Wait of "), HasSubstr("in MPI_Probe of "))) << module;
  }
}

INSTANTIATE_TEST_SUITE_P(Mpis, Polls, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
