/// @file
/// Programs of MPI that nobody has changed, whose ranks make communicators, windows and files together: where one of
/// them does something else, that is named where the program is checked; where they all do the same, they go on.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Makers : public Unchanged {
 protected:
  /// Returns the program's last words. Calls that do not match are found at once, however long the limit of waits is; a
  /// long one leaves ranks of a busy machine the time to come.
  static std::string told(int ranks, const std::string& line, const std::string& limit = "TUTTI_TIMEOUT=20") {
    const Ran ran = run(ranks, line, {"TUTTI_MPI_CHECK=1", limit});
    EXPECT_NE(ran.status, 0) << line;
    return ran.err;
  }
};

TEST_P(Makers, GoOnWhereAllRanksMakeTheSame) {
  // Open MPI 4.1's own way to files hangs now and then in collective writes where long blocks of memory come fast,
  // which a plain glibc shows, too, that maps none of them (GLIBC_TUNABLES=glibc.malloc.mmap_threshold=1000000000).
  const std::string other_files = "OMPI_MCA_io=romio321";
  for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) {
    for (const int ranks : {2, 3}) expect_success(ranks, program("makers") + " make_all", {checked, other_files});
    expect_success(2, program("makers") + " make_all threads", {checked, other_files});
    // Open MPI 4.1 crashes now and then, by itself, where threads make communicators at once.
    if (mpi() == "mpich") expect_success(2, program("makers") + " make_by_threads threads", {checked});
    expect_success(2, program("makers") + " make_many_windows", {checked});
  }
}

TEST_P(Makers, OfFortranGoOnWhereAllRanksMakeTheSame) {
  for (const std::string module : {"mpi", "mpi_f08"}) {
    const std::string path = program("makers_" + module);
    if (!is_there(path)) GTEST_SKIP() << "there is no " << path;
    const std::string line = path + " " + own_path("makers_" + module).string();
    for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) {
      for (const int ranks : {2, 3}) expect_success(ranks, line, {checked});
    }
  }
}

// The MPICH of Debian has no ports.
TEST_P(Makers, MeetAtAPort) {
  if (mpi() == "mpich") GTEST_SKIP() << "MPICH cannot";
  for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) {
    for (const int ranks : {2, 3}) expect_success(ranks, program("makers") + " meet_at_a_port", {checked});
  }
}

TEST_P(Makers, AreNamedBesideCollectivesThatOthersCall) {
  EXPECT_THAT(told(3, program("makers") + " split_or_sum"),
              AllOf(HasSubstr("rank 1 called all_reduce; ranks 0, 2 called MPI_Comm_split (call 2 of communicator "
                              "MPI_COMM_WORLD)"),
                    HasSubstr("split_or_sum (makers.c:")));
  EXPECT_THAT(told(3, program("makers") + " file_or_window"),
              HasSubstr("rank 1 called MPI_Win_create; ranks 0, 2 called MPI_File_open (call 1 of "));
}

TEST_P(Makers, OfWindowsAndFilesAreNamedInWhatTheirRanksCallLater) {
  EXPECT_THAT(
      told(3, program("makers") + " fence_or_free"),
      AllOf(HasSubstr("rank 1 called MPI_Win_free; ranks 0, 2 called MPI_Win_fence (call 1 of communicator of a "
                      "window on MPI_COMM_WORLD)"),
            HasSubstr("fence_or_free (makers.c:")));
  EXPECT_THAT(
      told(3, program("makers") + " write_or_close"),
      HasSubstr("rank 1 called MPI_File_close; ranks 0, 2 called MPI_File_write_all (call 1 of communicator of a "
                "file on MPI_COMM_WORLD)"));
  EXPECT_THAT(
      told(3, program("makers") + " read_or_close"),
      HasSubstr("rank 1 called MPI_File_close; ranks 0, 2 called MPI_File_read_all_end (call 2 of communicator of a "
                "file on MPI_COMM_WORLD)"));
  EXPECT_THAT(told(3, program("makers") + " fence_or_sum"),
              AllOf(HasSubstr("ranks wait for one another, for ever: "),
                    HasSubstr("rank 1 to enter MPI_Win_fence (call 1 of communicator of a window on MPI_COMM_WORLD)")));
}

TEST_P(Makers, OfTwoGroupsAreNamedWhereOneRankDoesNotCome) {
  EXPECT_THAT(told(3, program("makers") + " merge_or_receive", "TUTTI_TIMEOUT=1"),
              AllOf(HasSubstr("all ranks to come to MPI_Intercomm_merge of intercommunicator "),
                    HasSubstr("rank 1 waits for rank 0 to send with tag 9, in MPI_Recv of MPI_COMM_WORLD"),
                    HasSubstr("merge_or_receive (makers.c:"), Not(HasSubstr("Segmentation fault"))));
}

TEST_P(Makers, OfIntercommunicatorsGoOnWhereTheirLeadersMeet) {
  for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) {
    for (const int ranks : {3, 4, 5}) {
      const Ran ran = run(ranks, program("makers") + " join_groups", {checked});
      EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
      EXPECT_THAT(ran.err, Not(HasSubstr("tutti: "))) << ranks;
    }
    expect_success(4, program("makers") + " join_groups threads", {checked});
  }
}

TEST_P(Makers, OfIntercommunicatorsAreNamedWhereTheirLeadersDoNotMeet) {
  const std::string soon = "TUTTI_TIMEOUT=1";
  EXPECT_THAT(told(3, program("makers") + " join_by_other_tags", soon),
              AllOf(HasSubstr("ranks wait for one another, for ever: "),
                    HasSubstr("rank 0 waits for rank 1 to send with tag 0, in MPI_Intercomm_create of MPI_COMM_WORLD"),
                    HasSubstr("rank 1 waits for rank 0 to send with tag 1, in MPI_Intercomm_create of MPI_COMM_WORLD"),
                    HasSubstr("join_by_other_tags (makers.c:")));
  EXPECT_THAT(told(3, program("makers") + " join_other_leaders", soon),
              AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 7, in MPI_Intercomm_create of "),
                    HasSubstr("rank 1 waits for rank 2 to send with tag 7, in MPI_Intercomm_create of "),
                    HasSubstr("rank 2 waits for its leader, rank 0, to meet that of the other group, in ")));
  EXPECT_THAT(told(2, program("makers") + " join_or_end", soon),
              AllOf(HasSubstr("rank 0 waits for rank 1 to send with tag 7, in MPI_Intercomm_create of MPI_COMM_WORLD"),
                    HasSubstr("rank 1 has come to MPI_Finalize")));
}

TEST_P(Makers, OfIntercommunicatorsAllHearThatTheirLeadersDoNotMeet) {
  expect_success(4, program("makers") + " join_and_go_on", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=4"});
}

TEST_P(Makers, OfIntercommunicatorsAreNamedWhereRanksOfAGroupTakeOthersForItsLeader) {
  EXPECT_THAT(told(3, program("makers") + " join_by_other_leaders"),
              HasSubstr("rank 0 called MPI_Intercomm_create with leader 0; rank 1 called MPI_Intercomm_create with "
                        "leader 1 (call 1 of communicator "));
}

// Rank 2 is late as well if others have the cores.
TEST_P(Makers, AreNamedWhereOneRankDoesNotCome) {
  const std::string soon = "TUTTI_TIMEOUT=1";
  EXPECT_THAT(told(3, program("makers") + " copy_or_receive", soon),
              AllOf(ContainsRegex("ranks? (0, )?1(, 2)? to enter MPI_Comm_dup .call 2 of communicator MPI_COMM_WORLD"),
                    AnyOf(HasSubstr("rank 1 waits for rank 0 to send with tag 9, in MPI_Recv of MPI_COMM_WORLD"),
                          HasSubstr("rank 1 of 3 is in MPI_Recv")),
                    HasSubstr("copy_or_receive (makers.c:")));
  EXPECT_THAT(told(2, program("makers") + " window_or_end", soon),
              AllOf(HasSubstr("MPI_Win_create (call 2 of"), HasSubstr("window_or_end (makers.c:")));
}

TEST_P(Makers, OfFortranAreNamed) {
  for (const char* const module : {"mpi", "mpi_f08"}) {
    const std::string path = program(std::string("messages_") + module);
    if (!is_there(path)) GTEST_SKIP() << "there is no " << path;
    EXPECT_THAT(
        told(2, path + " copy"),
        AllOf(HasSubstr("rank 0 called MPI_Comm_dup; rank 1 called barrier (call 1 of "), HasSubstr("messages.f90:")));
    EXPECT_THAT(told(2, path + " fence"),
                AllOf(HasSubstr("rank 0 called MPI_Win_free"), HasSubstr("rank 1 called MPI_Win_fence")));
  }
}

INSTANTIATE_TEST_SUITE_P(Mpis, Makers, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
