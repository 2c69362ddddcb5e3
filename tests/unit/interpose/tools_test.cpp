/// @file
/// Profiling libraries beside the one that serves collectives, and ranks that are started differently.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_P(Unchanged, IsSeenByToolsBesideTheLibrary) {
  const std::string tool = program("counting_tool");
  const Ran ran = run(2, program("hazards") + " operator 10", {"LD_PRELOAD=" + tool, "TUTTI_ALGORITHM_ALL_REDUCE=mpi"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("10 calls counted"));
}

TEST_P(Unchanged, IsSeenByToolsBehindTheLibrary) {
  const std::string tools = "LD_PRELOAD=" + library(mpi()) + ":" + program("counting_tool");
  const Ran ran = run_plainly(2, "/usr/bin/env " + tools + " " + program("hazards") + " operator 10");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("10 calls counted"), HasSubstr("as expected"))) << ran.err;
}

// One that comes first takes what it counts to MPI by itself, and so does it end MPI.
TEST_P(Unchanged, IsEndedByToolsBeforeTheLibrary) {
  const std::string tools = "LD_PRELOAD=" + program("counting_tool") + ":" + library(mpi());
  for (const int ranks : {1, 3}) {
    const Ran ran =
        run_plainly(ranks, "/usr/bin/env TUTTI_MPI_REPORT=1 " + tools + " " + program("hazards") + " operator 10");
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("10 calls counted"), HasSubstr("as expected"))) << ran.err;
    EXPECT_EQ(times(ran.err, "as rank 0 of " + std::to_string(ranks) + " saw them"), 1) << ran.err;
  }
}

// The launcher may be told by itself what to preload.
TEST_P(Unchanged, IsSeenByToolsOfTheLauncher) {
  const std::string tool = program("counting_tool");
  const std::string option = mpi() == "mpich" ? "-genv LD_PRELOAD " + tool : "-x LD_PRELOAD=" + tool;
  const Ran ran = run(2, option + " " + program("hazards") + " operator 10", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("10 calls counted"), HasSubstr("as expected"))) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("as rank 0 of 2 saw them"));
}

// Preloads that the launcher has been told to hand on come with the library.
TEST_P(Unchanged, IsSeenWhereTheLauncherHandsOnWhatItPreloads) {
  const std::string option = mpi() == "mpich" ? "-genvlist LD_PRELOAD " : "-x LD_PRELOAD ";
  const Ran ran = run(2, option + program("hazards") + " operator 10", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("as rank 0 of 2 saw them"));
}

TEST_P(Unchanged, MayBeSeveralPrograms) {
  const std::string plain = program("beside") + " 20 plain";
  const Ran ran = run(2, plain + " : -n 1 " + plain, {all_served(), "TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("as rank 0 of 3 saw them"), Not(HasSubstr("without this library"))));
}

// Requests of one rank alone are not met if all would have to take part.
TEST_P(Unchanged, MayHaveRanksThatAskForDifferentThings) {
  const std::string plain = program("beside") + " 20 plain";
  for (const char* const setting : {"TUTTI_MPI_REPORT=1", "TUTTI_MPI_MEASURE=1", "TUTTI_MPI_CHECK=1"}) {
    expect_success(1, "/usr/bin/env " + std::string(setting) + " " + plain + " : -n 2 " + plain, {all_served()});
    expect_success(1, plain + " : -n 2 /usr/bin/env " + std::string(setting) + " " + plain, {all_served()});
  }
}

TEST_P(Unchanged, SaysOnceWhatItCalledOfMpiAlone) {
  const Ran ran = run(3, program("beside") + " 20 plain", {"TUTTI_MPI_REPORT=1", "TUTTI_MPI=0"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(times(ran.err, "saw them"), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("as rank 0 of 3 saw them"));
}

}  // namespace
}  // namespace tutti::test
