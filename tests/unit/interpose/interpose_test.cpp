/// @file
/// Programs of MPI that nobody has changed, started by `tutti mpi` under each MPI.

#include <set>

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::set<std::string> in_shared_memory() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm")) names.insert(file.path().filename());
  return names;
}

/// In bytes, by what the system says of itself.
long long free_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    long long kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

TEST_P(Unchanged, MovesElementsOfTypesMadeInEveryWay) {
  for (const int ranks : {2, 3}) expect_success(ranks, program("types") + " drawn 4711 150", {all_served()});
}

// Long enough to be cut into parts, but where the program is checked.
TEST_P(Unchanged, MovesLongMessagesOfElementsThatLieApart) {
  for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"})
    expect_success(3, program("types") + " long 66", {all_served(), checked});
}

TEST_P(Unchanged, WaitsForNothingThatWaitsForIt) {
  for (const int ranks : {2, 5}) {
    expect_progress(ranks, "isend", 300);
    expect_progress(ranks, "ssend", 300);
    expect_progress(ranks, "queue", 10);
  }
  for (const char* const way : {"window", "requests"}) expect_progress(3, way, 300);
  // A program that is checked leaves nothing to MPI, also what that is faster at.
  for (const char* const way : {"isend", "ssend", "queue", "window"})
    expect_progress(3, way, 10, {"TUTTI_MPI_CHECK=1"});
}

// Open MPI would reach the memory of another rank without it.
TEST_P(Unchanged, IsAwakeWhileOthersNeedItsMpi) {
  for (const char* const checked : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) {
    for (const char* const way : {"targets", "gets"})
      expect_progress(2, way, 500, {all_served(), checked, "OMPI_MCA_osc=pt2pt"});
  }
}

// The library takes no descriptor that the program may lack.
TEST_P(Unchanged, MayOpenFewFiles) {
  const Ran ran = run(2, "prlimit --nofile=63:63 " + program("beside") + " 20 plain", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, ContainsRegex("\nMPI_Allreduce .* MPI: no socket shows .*ulimit -n"));
}

TEST_P(Unchanged, HasShortTimeSlices) { expect_progress(2, "slices", 1); }

// A long message needs its sender until it has come if no rank may read another's memory.
TEST_P(Unchanged, SendsOnWhileItWaits) {
  const char* const alone = mpi() == "mpich" ? "UCX_TLS=posix,self" : "OMPI_MCA_btl_vader_single_copy_mechanism=none";
  for (const int ranks : {2, 5}) expect_progress(ranks, "isend", 100, {alone});
  expect_progress(3, "isend", 20, {alone, "TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, CallsMpiWhileMpiEnds) { expect_hazard_survived(3, "finalize", 1); }

TEST_P(Unchanged, HasCommunicatorsBetweenGroups) { expect_hazard_survived(4, "between", 1); }

TEST_P(Unchanged, MakesManyCommunicators) { expect_hazard_survived(2, "communicators", 300); }

TEST_P(Unchanged, CallsMpiWhileCommunicatorsGo) {
  for (const char* const heap : {"TUTTI_HEAP=0", "TUTTI_HEAP=1"})
    expect_success(3, program("hazards") + " callbacks 30", {heap});
}

TEST_P(Unchanged, RefusesToFreeCommunicators) { expect_hazard_survived(3, "refusals", 1); }

TEST_P(Unchanged, HasThreads) { expect_hazard_survived(3, "threads", 300); }

TEST_P(Unchanged, HandlesItsErrors) { expect_success(3, program("hazards") + " mismatch", {"TUTTI_MPI_CHECK=1"}); }

TEST_P(Unchanged, GetsTheErrorsOfMpi) {
  for (const char* const way : {"refused", "gone", "gaps"}) {
    expect_success(3, program("arguments") + " " + way);
    expect_success(4, program("arguments") + " " + way, {"TUTTI_MPI_CHECK=1"});
  }
  for (const char* const way : {"refused_buffers", "twice"}) expect_success(3, program("arguments") + " " + way);
}

TEST_P(Unchanged, ThatIsCheckedHearsOfOneBufferThatMpiLetsPass) {
  const Ran ran = run(4, program("arguments") + " twice", {"TUTTI_MPI_CHECK=1"});
  if (mpi() == "mpich") {
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  } else {
    EXPECT_THAT(ran.err, HasSubstr("scan: what rank 1 sends and what it receives have "));
  }
}

TEST_P(Unchanged, WritesBlocksThatOverlap) {
  for (const int ranks : {2, 5}) expect_success(ranks, program("arguments") + " overlaps", {all_served()});
  // The first call of the program that MPI forbids.
  const Ran checked = run(3, program("arguments") + " overlaps", {"TUTTI_MPI_CHECK=1"});
  EXPECT_NE(checked.status, 0) << checked.out;
  EXPECT_THAT(checked.out + checked.err, HasSubstr("output overlap at byte")) << checked.out << checked.err;
}

// A program that is profiled gets a signal all the time, from its begin on.
TEST_P(Unchanged, GetsSignals) {
  const Ran ran = run(4, program("beside") + " 20 signals plain", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("MPI_Allreduce"), Not(HasSubstr("cannot share memory")))) << ran.out;
}

TEST_P(Unchanged, HasDataAtAbsoluteAddresses) { expect_hazard_survived(3, "bottom", 1); }

TEST_P(Unchanged, ReducesInPlaceAtAnyRoot) {
  expect_hazard_survived(4, "in_place", 1);
  expect_success(3, program("hazards") + " forwarded_in_place");
  expect_success(4, program("hazards") + " of_cxx", {all_served()});
}

TEST_P(Unchanged, CountsInWideNumbers) {
  expect_success(3, program("hazards") + " large");
  expect_success(3, program("hazards") + " large", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, FreesItsOperators) { expect_hazard_survived(3, "operator", 300); }

TEST_P(Unchanged, CombinesElementsOfItsOwn) {
  for (const char* const way : {"holes", "backwards"})
    expect_success(3, program("operators") + " " + way, {"TUTTI_MPI_CHECK=1"});
  const Ran ran = run(2, program("operators") + " endless", {"TUTTI_MPI_REPORT=1", all_served()});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err,
              AllOf(ContainsRegex("\nMPI_Allreduce .* tutti: "), ContainsRegex("\nMPI_Scan .* MPI: its arguments")));
}

TEST_P(Unchanged, GetsTheSameBitsInEveryRun) {
  for (const int ranks : {2, 3, 4}) {
    const Ran one = run(ranks, program("hazards") + " bits");
    EXPECT_EQ(one.status, 0) << one.out << one.err;
    EXPECT_EQ(run(ranks, program("hazards") + " bits").out, one.out);
  }
}

TEST_P(Unchanged, SaysWhatItCalled) {
  const Ran ran = run(3, program("beside") + " 20 plain", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("as rank 0 of 3 saw them"), HasSubstr("MPI_Allreduce"), HasSubstr(" 20 "),
                             HasSubstr("tutti: ")));
}

TEST_P(Unchanged, SaysWhatMpiServes) {
  const Ran gone = run(3, program("arguments") + " gone", {"TUTTI_MPI_REPORT=1"});
  EXPECT_EQ(gone.status, 0) << gone.out << gone.err;
  EXPECT_THAT(gone.err, AllOf(ContainsRegex("\nMPI_Barrier +any +3 .* MPI: no communicator\n"),
                              Not(HasSubstr("cannot share memory"))));
  // A call that the program's handler has left by a jump is over, and others after it are not within it.
  const Ran left = run(3, program("mistakes") + " leaps", {"TUTTI_MPI_REPORT=1", "TUTTI_MPI=0"});
  EXPECT_EQ(left.status, 0) << left.out << left.err;
  EXPECT_THAT(left.err, ContainsRegex("\nMPI_Allreduce +any +42 .* MPI: TUTTI_MPI=0\n"));
}

TEST_P(Unchanged, ThatIsCheckedNamesItsOwnCallsBesideAReport) {
  const Ran ran = run(2, program("mistakes") + " both", {"TUTTI_MPI_CHECK=1", "TUTTI_MPI_REPORT=1"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("rank 0 called broadcast with root 0; rank 1 with root 1 "
                                 "(call 2 of communicator MPI_COMM_WORLD)"));
}

TEST_P(Unchanged, ThatIsCheckedNamesCallsThatDiffer) {
  const Ran ran = run(3, program("hazards") + " different", {"TUTTI_MPI_CHECK=1"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("rank 1 called broadcast; ranks 0, 2 called barrier"));
  EXPECT_THAT(ran.err, HasSubstr("called from different (hazards.c:"));
}

TEST_P(Unchanged, ThatIsCheckedNamesRootsThatDiffer) {
  const Ran both = run(2, program("mistakes") + " both", {"TUTTI_MPI_CHECK=1"});
  EXPECT_NE(both.status, 0);
  EXPECT_THAT(both.err, AllOf(HasSubstr("rank 0 called broadcast with root 0; rank 1 with root 1 "
                                        "(call 2 of communicator MPI_COMM_WORLD)"),
                              HasSubstr("called from both (mistakes.c:")));
  const Ran ran = run(3, program("mistakes") + " roots", {"TUTTI_MPI_CHECK=1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("(call 1 of communicator the first copy)"));
  EXPECT_EQ(times(ran.err, "called from roots (mistakes.c:"), 6) << ran.err;
}

TEST_P(Unchanged, ThatIsCheckedNamesRootsThatAloneKnowBlocks) {
  for (const int ranks : {2, 3, 5}) expect_success(ranks, program("mistakes") + " rooted", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesLengthsThatDiffer) {
  expect_success(3, program("mistakes") + " lengths", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedNamesOperatorsThatDiffer) {
  expect_success(3, program("mistakes") + " named_operators", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, IsCalledWhatItIsRenamedTo) {
  expect_success(3, program("mistakes") + " renamed", {"TUTTI_MPI_CHECK=1"});
}

TEST_P(Unchanged, ThatIsCheckedHearsThoseWhoMeet) {
  const Ran ran = run(3, program("mistakes") + " apart", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=4"});
  EXPECT_NE(ran.status, 0);
  for (const char* const rank : {"rank 1", "rank 2"})
    EXPECT_THAT(ran.err, HasSubstr(std::string(rank) + " of 3 is in MPI_Barrier"));
  const Ran unmet = run(3, program("mistakes") + " unmet", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=1"});
  EXPECT_NE(unmet.status, 0);
  EXPECT_THAT(unmet.err,
              AllOf(HasSubstr(" for all ranks to come to the first collective of communicator the copy"),
                    AnyOf(HasSubstr("rank 0 waits for rank 1 to send with tag 9, in MPI_Recv of MPI_COMM_WORLD"),
                          HasSubstr("rank 0 of 3 is in MPI_Recv"))));
}

TEST_P(Unchanged, HasHandlersThatGoTheirOwnWay) {
  for (const char* const way : {"jumps", "calls"}) expect_success(3, program("mistakes") + " " + way, {all_served()});
  expect_success(3, program("mistakes") + " leaps");
}

TEST_P(Unchanged, UsesFewErrorCodes) { expect_success(3, program("mistakes") + " codes", {all_served()}); }

// Rank 1 may have had no time yet to tell what it waits for.
TEST_P(Unchanged, ThatIsCheckedNamesItsHang) {
  const Ran ran = run(3, program("hazards") + " hang", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=2"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("no progress for 2 s (TUTTI_TIMEOUT allows more): "));
  EXPECT_THAT(ran.err,
              ContainsRegex("rank 0 waits for rank 1 to enter barrier \\(call 2 of communicator MPI_COMM_WORLD\\)"
                            "(; rank 1 waits for rank 0 to send with tag 9, .*)?; rank 2 waits for rank 1"));
  EXPECT_THAT(ran.err, HasSubstr("rank 1 of 3 is in MPI_Recv"));
}

TEST_P(Unchanged, ThatIsCheckedNamesWhatComputes) {
  const Ran ran = run(3, program("hazards") + " busy", {"TUTTI_MPI_CHECK=1", "TUTTI_TIMEOUT=2"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("rank 1 of 3 is in "), HasSubstr("busy (hazards.c:")));
}

TEST_P(Unchanged, ThatIsEndedEndsOnAllRanks) {
  EXPECT_NE(run(3, program("hazards") + " killed").status, 0);
  EXPECT_NE(run(3, program("hazards") + " exits").status, 0);
}

TEST_P(Unchanged, DoesOtherWorkOfMpisBeside) {
  expect_success(3, program("beside") + " 4 pending files unmapped far counts packed pairs groups forks returns");
  expect_success(3, program("beside") + " 2 unmapped far packed pairs groups", {"TUTTI_MPI_CHECK=1"});
  expect_success(5, program("beside") + " 2 pending unmapped far groups at_exit");
}

TEST_P(Unchanged, SendsMoreThanTwoGibibytes) {
  if (free_memory() < 12LL << 30) GTEST_SKIP() << "less than 12 GiB of memory are free";
  expect_success(2, program("beside") + " 1 whole torn");
}

TEST_P(Unchanged, LeavesNothingInSharedMemory) {
  const auto before = in_shared_memory();
  EXPECT_NE(run(3, program("hazards") + " killed").status, 0);
  EXPECT_NE(run(3, program("hazards") + " exits").status, 0);
  for (const std::string& name : in_shared_memory())
    EXPECT_TRUE(before.contains(name) || name.find("tutti") == std::string::npos) << name;
}

TEST_P(Unchanged, GetsOneLineForTwoLibraries) {
  const std::string other = mpi() == "mpich" ? "openmpi" : "mpich";
  if (!is_there(library(other))) GTEST_SKIP() << "there is one MPI only";
  for (const std::string& both : {library(mpi()) + ":" + library(other), library(other) + ":" + library(mpi())}) {
    const Ran ran =
        run_plainly(2, "/usr/bin/env TUTTI_MPI_REPORT=1 LD_PRELOAD=" + both + " " + program("beside") + " 20 plain");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
    EXPECT_EQ(times(ran.err, "steps aside"), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("tutti: ")) << ran.err;
  }
}

TEST_P(Unchanged, GetsOneLineForTheWrongLibrary) {
  const std::string other = mpi() == "mpich" ? "openmpi" : "mpich";
  if (!is_there(library(other))) GTEST_SKIP() << "there is one MPI only";
  const Ran ran = run(2, "/usr/bin/env LD_PRELOAD=" + library(other) + " " + program("beside") + " 20 plain");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected"));
  EXPECT_EQ(times(ran.err, "steps aside"), 1) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(Mpis, Unchanged, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test
