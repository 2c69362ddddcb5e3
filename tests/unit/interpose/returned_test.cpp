/// @file
/// Programs of MPI that nobody has changed, and that get their errors back or handle them themselves: after a hang was
/// named, each call returns, and the job ends.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Returned : public Unchanged {
 protected:
  static Ran run(int ranks, const std::string& line) {
    return Unchanged::run(ranks, line, {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
  }
  /// Rank 0 may have left. The others have got errors, and gone on.
  static Ran expect_all_end(int ranks, const std::string& way, const std::string& handler = "returns") {
    Ran ran = run(ranks, program("returned") + " " + way + " " + handler);
    const std::string all = way + " " + handler + " of " + std::to_string(ranks) + "\n" + ran.out + ran.err;
    EXPECT_EQ(ran.status, 0) << all;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::string name = "rank " + std::to_string(rank);
      EXPECT_THAT(ran.out, HasSubstr(name + " ended")) << all;
      if (rank > 0) {
        EXPECT_THAT(ran.out, HasSubstr(name + " got errors")) << all;
      }
    }
    return ran;
  }
};

// A sentence is told by each rank that waits, and once, however many calls it ends.
TEST_P(Returned, ErrorsOfAFirstCollectiveEndEachCall) {
  for (const int ranks : {2, 4}) {
    const Ran ran = expect_all_end(ranks, "leave");
    EXPECT_EQ(times(ran.err, "come to the first collective of communicator MPI_COMM_WORLD, in MPI_Barrier called from"),
              ranks - 1)
        << ran.err;
  }
  for (const char* const way : {"receive", "copy", "window", "mixed", "two"}) expect_all_end(3, way);
}

TEST_P(Returned, ErrorsOfALaterCollectiveEndEachCall) {
  for (const char* const way : {"+leave", "+receive", "+two"}) expect_all_end(3, way);
  const Ran ran = expect_all_end(2, "operators");
  EXPECT_EQ(times(ran.err, "rank 0 called all_reduce with operator maximum"), 2) << ran.err;
}

TEST_P(Returned, ErrorsOfMessagesAndRequestsEndEachCall) {
  for (const char* const way : {"receives", "begun"}) expect_all_end(3, way);
}

TEST_P(Returned, ErrorsBetweenGroupsEndEachCall) { expect_all_end(3, "groups"); }

// MPI has work on them that never ends.
TEST_P(Returned, CommunicatorsWithErrorsGo) { expect_all_end(3, "freed"); }

TEST_P(Returned, ErrorsMayBeHandled) {
  for (const char* const handler : {"own", "jumps"}) {
    for (const char* const way : {"leave", "+leave"}) expect_all_end(3, way, handler);
  }
}

TEST_P(Returned, ErrorsMayBeThrown) {
  if (!is_there(program("thrown"))) GTEST_SKIP() << "no compiler of C++ for this MPI";
  for (const char* const way : {"barrier", "receive", "copy", "begun"}) {
    const Ran ran = run(3, program("thrown") + " " + way);
    EXPECT_EQ(ran.status, 0) << way << "\n" << ran.out << ran.err;
    EXPECT_EQ(times(ran.out, "caught: ranks wait for ever"), 4) << way << "\n" << ran.out << ran.err;
    for (const char* const rank : {"rank 0", "rank 1", "rank 2"})
      EXPECT_THAT(ran.out, HasSubstr(std::string(rank) + " ended")) << way << "\n" << ran.err;
    EXPECT_THAT(ran.out, Not(HasSubstr("nothing was thrown"))) << way;
  }
}

// The job ends with an error, and says which rank is missing.
TEST_P(Returned, ErrorsOfPythonAreRaised) {
  const Ran python = run_command("/usr/bin/python3", {"-c", "import mpi4py"});
  if (mpi() != "openmpi" || python.status != 0) GTEST_SKIP() << "mpi4py is there for Open MPI, or not at all";
  for (const char* const way : {"Barrier", "+Barrier", "allreduce", "recv"}) {
    const Ran ran = run(3, std::string("/usr/bin/python3 ") + TUTTI_UNCHANGED_SOURCES + "/raises.py " + way);
    EXPECT_NE(ran.status, 0) << way;
    EXPECT_EQ(times(ran.err, "ValueError: no input"), 1) << way << "\n" << ran.err;
    // The launcher ends the others with the first of them that has ended.
    EXPECT_GE(times(ran.err, "\nmpi4py.MPI.Exception: "), 1) << way << "\n" << ran.err;
    EXPECT_THAT(ran.err, testing::AnyOf(HasSubstr("rank 1 has come to MPI_Finalize"),
                                        HasSubstr("rank 1 of 3 is in MPI_Finalize")))
        << way;
  }
}

INSTANTIATE_TEST_SUITE_P(Mpis, Returned, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
