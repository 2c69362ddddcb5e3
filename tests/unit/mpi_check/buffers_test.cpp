/// @file
/// MPI programs that are checked: their buffers, and signatures of what their ranks send.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> checked{"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=20"};

TEST_P(Unchanged, ThatIsCheckedNamesBuffersThatMayNotBe) {
  expect_success(2, program("buffers") + " alone", checked);
  expect_success(2, program("buffers") + " rooted", checked);
  expect_success(3, program("buffers") + " rooted_begun", checked);
  expect_success(3, program("buffers") + " between", checked);
}

TEST_P(Unchanged, ThatIsCheckedEndsByABufferThatMayNotBe) {
  const Ran ran = run(2, program("buffers") + " fatal", checked);
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("rank 1 gave NULL as the send buffer to MPI_Allreduce, which only a rank that sends "
                                 "nothing may; it sends 16 bytes (on communicator MPI_COMM_WORLD)"));
  EXPECT_THAT(ran.err, HasSubstr("rank 1 of 2 called from fatal (buffers.c:"));
  EXPECT_THAT(ran.err, Not(HasSubstr("waits for")));
}

TEST_P(Unchanged, ThatIsCheckedMayGiveBuffersThatNobodyReads) {
  for (const int ranks : {2, 3}) {
    const Ran ran = run(ranks, program("buffers") + " allowed", checked);
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("tutti: "))) << ranks;
  }
}

TEST_P(Unchanged, ExchangesInPlaceByATypeForEachRank) {
  for (const int ranks : {2, 3, 4}) expect_success(ranks, program("buffers") + " each_in_place");
  expect_success(3, program("buffers") + " each_in_place", checked);
}

TEST_P(Unchanged, ThatIsCheckedNamesSignaturesThatDiffer) {
  for (const char* const way : {"moved", "moved_by_mpi", "folded", "begun", "between"})
    expect_success(3, program("signatures") + " " + way, checked);
}

TEST_P(Unchanged, ThatIsCheckedMayDescribeDataInOtherWays) {
  for (const int ranks : {2, 3}) {
    for (const char* const way : {"alike", "made_alike"}) {
      const Ran ran = run(ranks, program("signatures") + " " + way, checked);
      EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
      EXPECT_THAT(ran.err, Not(HasSubstr("tutti: "))) << way << ranks;
    }
  }
}

TEST_P(Unchanged, ThatIsCheckedNamesArgumentsOfTopologiesThatDiffer) {
  expect_success(3, program("signatures") + " made", checked);
}

}  // namespace
}  // namespace tutti::test
