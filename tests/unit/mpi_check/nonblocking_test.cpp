/// @file
/// Nonblocking collectives of MPI programs that are checked: what their ranks begin is compared.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST_P(Unchanged, ThatIsCheckedNamesWhatRanksBeginThatDiffers) {
  const Ran ran = run(3, program("mistakes") + " begun", {"TUTTI_MPI_CHECK=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("rank 1 of 3 began it in begun (mistakes.c:"));
}

TEST_P(Unchanged, ThatIsCheckedMayBeginCollectivesAlike) {
  for (const int ranks : {2, 3, 5}) {
    const Ran ran = run(ranks, program("mistakes") + " begun_alike", {"TUTTI_MPI_CHECK=1"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("began"))) << ranks;
  }
}

TEST_P(Unchanged, ThatIsCheckedNamesCountsThatDifferInWhatRanksBegin) {
  for (const char* const way : {"begun_counts", "begun_kinds", "located"})
    expect_success(3, program("mismatches") + " " + way, {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesBuffersThatOverlap) {
  const Ran ran = run(3, program("mismatches") + " overlaps", {"TUTTI_MPI_CHECK=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("rank 1 of 3 called from overlaps (mismatches.c:"));
  expect_success(3, program("mismatches") + " overlaps_sent", {"TUTTI_MPI_CHECK=1"});
  const Ran begun = run(3, program("mismatches") + " overlaps_begun", {"TUTTI_MPI_CHECK=1"});
  EXPECT_THAT(begun.err, HasSubstr("MPI_Iallreduce: what rank 1 sends and what it receives have 12 bytes in common"));
  if (mpi() == "mpich") return;
  EXPECT_THAT(begun.out, HasSubstr("as expected")) << begun.err;
}

TEST_P(Unchanged, ThatIsCheckedNamesThreadsInOneCommunicator) {
  const Ran ran = run(2, program("makers") + " meet_by_threads threads", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=5"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err,
              HasSubstr("MPI_Barrier: two threads of rank 0 are in collectives of communicator the copy at once"));
}

TEST_P(Unchanged, ThatIsCheckedNamesTypesThatDiffer) {
  expect_success(3, program("mismatches") + " types_of_each", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesLengthsThatDifferBetweenNeighbours) {
  for (const char* const way : {"neighbours", "neighbours_begun"})
    expect_success(3, program("neighbours") + " " + way, {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesEdgesThatOneRankAloneLists) {
  expect_success(3, program("neighbours") + " edges", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesWhoIsInPlace) {
  expect_success(3, program("mismatches") + " in_place", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesWhatGroupsCallOtherwise) {
  for (const char* const way :
       {"between_groups", "between_groups_by_roots", "between_groups_of_all", "between_groups_begun"})
    expect_success(3, program("mismatches") + " " + way, {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedMayPassWhatOnlyLooksWrong) {
  for (const std::string way :
       {"mismatches begun_counts_alike", "mismatches interleaves", "mismatches in_place_of_some",
        "mismatches between_groups_alike", "neighbours neighbours_alike"}) {
    const std::size_t space = way.find(' ');
    for (const int ranks : {2, 3, 5}) {
      const Ran ran = run(ranks, program(way.substr(0, space)) + way.substr(space), {"TUTTI_MPI_CHECK=1"});
      EXPECT_EQ(ran.status, 0) << way << ran.out << ran.err;
      EXPECT_THAT(ran.err, Not(HasSubstr("tutti: "))) << way << ranks;
    }
  }
}

TEST_P(Unchanged, ThatIsCheckedMayFreeCommunicatorsWhereOthersAreToBegin) {
  expect_success(3, program("mistakes") + " begun_and_freed", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesWhatRanksBeginWhereOthersMeet) {
  const Ran ran = run(3, program("mistakes") + " begun_first", {"TUTTI_MPI_CHECK=1"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("rank 1 called MPI_Barrier; ranks 0, 2 began MPI_Iallreduce with 4 bytes and MPI_SUM "
                                 "(nonblocking collective 1 of communicator MPI_COMM_WORLD)"));
}

TEST_P(Unchanged, ThatIsCheckedNamesWhatSomeHaveBegunAtTheEnd) {
  const Ran ran = run(3, program("mistakes") + " begun_by_some", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err,
              AllOf(ContainsRegex("rank [02] of 3: this rank began MPI_Ibarrier \\(nonblocking collective 1 of "
                                  "communicator MPI_COMM_WORLD\\), and "),
                    ContainsRegex("rank [02] of 3 began it in begun_by_some \\(mistakes.c:")));
}

INSTANTIATE_TEST_SUITE_P(Mpis, Unchanged, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
