/// @file
/// Programs of MPI that nobody has changed, whose ranks wait for messages: those that wait for ever are named where the
/// program is checked, and no others.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class Deadlocks : public Unchanged {
 protected:
  static Ran run(int ranks, const std::string& way) {
    return Unchanged::run(ranks, program("deadlocks") + " " + way, {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=5"});
  }
  /// Returns the program's last words; the sentence is told once.
  static std::string told_by(int ranks, const std::string& way, const std::string& begin) {
    const Ran ran = run(ranks, way);
    EXPECT_NE(ran.status, 0) << way;
    EXPECT_EQ(times(ran.err, " of " + std::to_string(ranks) + ": " + begin), 1) << way << "\n" << ran.err;
    return ran.err;
  }
  /// The program is ended with a circle, or with a wait that is overdue where rank 1 has had no time yet to tell what
  /// it waits for.
  static void expect_first_collective_named(const Ran& ran) {
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err,
                AllOf(AnyOf(HasSubstr(circle), HasSubstr("no progress for ")),
                      HasSubstr("for all ranks to come to the first collective of communicator MPI_COMM_WORLD, "
                                "in MPI_Barrier called from first_collective (deadlocks.c:"),
                      AnyOf(HasSubstr("; rank 1 waits for rank 0 to send with tag 9, in MPI_Recv"),
                            HasSubstr("rank 1 of 3 is in MPI_Recv"))));
  }
  static constexpr const char* circle = "ranks wait for one another, for ever: ";
  static constexpr const char* end = "ranks wait for ever for one that has ended: ";
};

TEST_P(Deadlocks, OfTwoThatReceiveAreNamed) {
  EXPECT_THAT(told_by(2, "receives", circle),
              AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 7, in MPI_Recv of MPI_COMM_WORLD called from "
                              "receive (deadlocks.c:"),
                    HasSubstr("; rank 1 waits for rank 0 to send with tag 7, in MPI_Recv of MPI_COMM_WORLD"),
                    HasSubstr("receives (deadlocks.c:")));
}

TEST_P(Deadlocks, OfARingOfSendsAreNamed) {
  for (const int ranks : {2, 3}) {
    EXPECT_THAT(told_by(ranks, "ring", circle),
                AllOf(HasSubstr("rank 0 waits for rank 1 to receive its message with tag 3, in MPI_Ssend of "),
                      HasSubstr("waits for rank 0 to receive its message"), HasSubstr("ring (deadlocks.c:")));
  }
  EXPECT_THAT(told_by(3, "sends", circle), HasSubstr("rank 2 waits for rank 0 to receive its message with tag 4, in "
                                                     "MPI_Send of "));
}

TEST_P(Deadlocks, OfWhoWaitsForOneThatHasEndedAreNamed) {
  EXPECT_THAT(told_by(2, "finalized", end),
              AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 0, in MPI_Waitall of "),
                    HasSubstr("; rank 1 has come to MPI_Finalize")));
}

// Whoever finds it first says what both wait for, and from where they have called. Where rank 1 has had no time yet to
// tell what it waits for, those in the collective find that it is missing, and it says where it is.
TEST_P(Deadlocks, OfACollectiveAndAMessageAreNamed) {
  for (const char* const way : {"collective", "late_collective"}) {
    const Ran ran = run(3, way);
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("rank 1 to enter barrier (call 2 of communicator MPI_COMM_WORLD)"),
                               AnyOf(HasSubstr("rank 1 waits for rank 0 to send with tag 9, in MPI_Recv of MPI_COMM_"),
                                     HasSubstr("rank 1 of 3 is in MPI_Recv")),
                               HasSubstr("receive (deadlocks.c:"), HasSubstr("collective_after (deadlocks.c:")));
  }
}

TEST_P(Deadlocks, OfAFirstCollectiveAndAMessageAreNamed) {
  expect_first_collective_named(run(3, "first_collective"));
  const Ran ran = run(2, "first_of_all_but_one");
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr(end), HasSubstr("; rank 1 has come to MPI_Finalize")));
}

// Programs of one thread are named as well if any thread may be in MPI at any time, and programs of several are not.
TEST_P(Deadlocks, WhereThreadsMayCallAreNamedOfRanksWithOneThread) {
  EXPECT_THAT(told_by(2, "receives threads", circle), HasSubstr("rank 1 waits for rank 0 to send with tag 7"));
  expect_first_collective_named(run(3, "first_collective threads"));
  const Ran collective = run(3, "collective threads");
  EXPECT_NE(collective.status, 0);
  EXPECT_THAT(collective.err, AnyOf(HasSubstr("rank 1 waits for rank 0 to send with tag 9, in MPI_Recv of MPI_COMM_"),
                                    HasSubstr("rank 1 of 3 is in MPI_Recv")));
  const Ran helped = run(3, "helped threads");
  EXPECT_EQ(helped.status, 0) << helped.out << helped.err;
  EXPECT_THAT(helped.err, Not(HasSubstr("waits for"))) << helped.err;
}

TEST_P(Deadlocks, OfTagsThatDifferAreNamed) {
  EXPECT_THAT(told_by(2, "tags", circle),
              AllOf(HasSubstr("rank 1 to receive its message with tag 0 and rank 1 to send with tag 5, in MPI_Waitall"),
                    HasSubstr("rank 0 to receive its message with tag 1 and rank 0 to send with tag 6")));
}

TEST_P(Deadlocks, OfNonblockingCollectivesThatOthersNeverBeginAreNamed) {
  // Ranks 0 and 2 wait, and either may tell it, or both.
  const auto begun = HasSubstr(
      " waits for all ranks to begin MPI_Iallreduce, nonblocking collective 2, in "
      "MPI_Waitall of MPI_COMM_WORLD called from wait_for_begun (deadlocks.c:");
  EXPECT_THAT(told_by(3, "begun_and_message", circle),
              AllOf(begun, HasSubstr("; rank 1 waits for rank 0 to send with tag 6, in MPI_Recv of ")));
  const Ran left = run(3, "begun_and_end");
  EXPECT_NE(left.status, 0);
  EXPECT_THAT(left.err, AllOf(HasSubstr(end), begun, HasSubstr("; rank 1 has come to MPI_Finalize")));
  EXPECT_THAT(told_by(3, "copies", circle),
              HasSubstr("rank 0 waits for all ranks to begin MPI_Iscatter, nonblocking collective 2, in MPI_Wait of "));
  // Whoever waits in the barrier may tell it first. Where the others have had no time yet to tell what they wait for,
  // they say where they are.
  const Ran barrier = run(3, "begun_and_barrier");
  EXPECT_NE(barrier.status, 0);
  EXPECT_THAT(barrier.err,
              AllOf(AnyOf(HasSubstr("for all ranks to begin MPI_Iallreduce, nonblocking collective 2, in "),
                          HasSubstr("rank 0 of 3 is in MPI_Waitall")),
                    HasSubstr("to enter barrier (call 2 of communicator MPI_COMM_WORLD)")));
}

TEST_P(Deadlocks, OfTwoCopiesOfACommunicatorAreTold) {
  EXPECT_THAT(
      told_by(3, "two_copies", circle),
      AllOf(HasSubstr("rank 0 waits for rank 1 to receive its message with tag 5, in MPI_Ssend of (no name; "
                      "number 1 made of MPI_COMM_WORLD; ranks 0, 1, 2 of "),
            HasSubstr("rank 1 waits for rank 0 to send with tag 5, in MPI_Recv of (no name; number 2 made of ")));
}

TEST_P(Deadlocks, OfOneThatReceivesFromAnyNeedAllOthers) {
  EXPECT_THAT(told_by(3, "any", circle),
              AllOf(HasSubstr("rank 0 waits for any rank to send with any tag, in MPI_Probe of"),
                    HasSubstr("rank 1 waits for rank 0 to send with tag 1"),
                    HasSubstr("rank 2 waits for rank 0 to send with tag 2")));
}

TEST_P(Deadlocks, OfExchangesAreNamed) {
  EXPECT_THAT(told_by(3, "exchanges", circle),
              AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 2"), HasSubstr(", in MPI_Sendrecv of "),
                    Not(HasSubstr("rank 2 waits"))));
}

// Knowledge of messages needs memory, which may be at its end.
TEST_P(Deadlocks, AreLookedForWithoutMemory) { expect_success(2, program("starved"), {"TUTTI_MPI_CHECK=1"}); }

TEST_P(Deadlocks, AreNotNeededToTellMistakesWithoutMemory) {
  expect_success(2, program("starved") + " mistaken", {all_served()});
}

TEST_P(Deadlocks, MayBeHandledByTheProgram) {
  for (const int ranks : {2, 3}) {
    const Ran ran = run(ranks, "handled");
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  }
}

// Longer than the time that a wait in a collective may take.
TEST_P(Deadlocks, AreNotSeenWhereARankComputesForLong) {
  const Ran ran = run(3, "slow");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("waits for"))) << ran.err;
}

TEST_P(Deadlocks, OfFortranAreNamed) {
  for (const char* const module : {"mpi", "mpi_f08"}) {
    const std::string path = program(std::string("messages_") + module);
    if (!is_there(path)) GTEST_SKIP() << "there is no " << path;
    for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) expect_success(3, path, {checked});
    const Ran ran = Unchanged::run(2, path + " deadlock", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, AllOf(HasSubstr(circle), HasSubstr("rank 0 waits for rank 1 to send with tag 9, in MPI_Recv"),
                               HasSubstr("messages.f90:")));
  }
}

TEST_P(Deadlocks, OfNonblockingCollectivesOfFortranAreNamed) {
  for (const std::string module : {"mpi", "mpi_f08"}) {
    const std::string path = program("messages_" + module);
    if (!is_there(path)) GTEST_SKIP() << "there is no " << path;
    const Ran ran = Unchanged::run(2, path + " begun", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, AllOf(HasSubstr(circle),
                               HasSubstr("rank 0 waits for rank 1 to begin MPI_Ireduce, nonblocking "
                                         "collective 3, in MPI_Wait of MPI_COMM_WORLD"),
                               HasSubstr("rank 1 waits for rank 0 to send with tag 9")));
  }
}

INSTANTIATE_TEST_SUITE_P(Mpis, Deadlocks, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
