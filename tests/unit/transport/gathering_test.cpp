/// @file
/// Gathering of ranks: what each would have to ask of every other one, kept together.

#include "transport/processes/gathering.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <optional>
#include <string>

#include "support/child.hpp"
#include "transport/processes/access_kind.hpp"
#include "transport/processes/process_memory.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::runtime {
namespace {

UsableCores cores_of(std::size_t first, std::size_t count, double quota) {
  UsableCores cores;
  for (std::size_t core = first; core < first + count; ++core) cores.allow(core);
  cores.limit(quota);
  return cores;
}

TEST(Gathering, AddsUpTheCoresOfItsRanks) {
  Gathering gathering;
  UsableCores expected;
  for (const UsableCores& each : {cores_of(0, 3, 8), cores_of(2, 3, 7), cores_of(500, 4, 9)}) {
    gathering.note_cores(each);
    expected.add(each);
    EXPECT_EQ(gathering.cores().allowed(), expected.allowed());
    EXPECT_EQ(gathering.cores().count(), expected.count());
  }
  EXPECT_EQ(expected.count(), 7);
}

TEST(Gathering, KnowsWhetherItsProcessesAreOfOneKind) {
  Gathering gathering;
  for (const std::uint64_t kind : {7, 7, 7}) {
    gathering.note_kind(kind);
    EXPECT_TRUE(gathering.are_of_one_kind());
  }
  for (const std::uint64_t kind : {8, 7}) {
    gathering.note_kind(kind);
    EXPECT_FALSE(gathering.are_of_one_kind());
  }
}

TEST(Gathering, KnowsTheReachOfAllOnceEachHasFoundItsOwn) {
  for (const bool last : {true, false}) {
    Gathering gathering;
    for (int rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(gathering.do_all_reach_all(3), std::nullopt);
      gathering.note_reach(true);
    }
    EXPECT_EQ(gathering.do_all_reach_all(3), std::nullopt);
    gathering.note_reach(last);
    EXPECT_EQ(gathering.do_all_reach_all(3), last);
  }
}

std::string kind_after(int option, unsigned long value) {
  return test::in_child([&] {
    if (option != 0) prctl(option, value, 0, 0, 0);
    return std::to_string(access_kind_of_this_process());
  });
}

TEST(AccessKind, IsThatOfAChildUnlessTheChildLetsNobodyReadIt) {
  const std::string mine = std::to_string(access_kind_of_this_process());
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0) GTEST_SKIP() << "each process here has a kind of its own";
  EXPECT_EQ(kind_after(0, 0), mine);
  EXPECT_NE(kind_after(PR_SET_DUMPABLE, 0), mine);
}

// The system does not tell by which rules such a process has been confined.
TEST(AccessKind, IsOneOfItsOwnWhereAProcessMayBeConfined) {
  const std::string one = kind_after(PR_SET_NO_NEW_PRIVS, 1);
  EXPECT_NE(one, std::to_string(access_kind_of_this_process()));
  EXPECT_NE(one, kind_after(PR_SET_NO_NEW_PRIVS, 1));
}

/// Returns whether rank 0 of three finds that it can read all, where rank 2 has joined with a mark that is not there,
/// as a process of that kind.
bool reaches_beside_a_stranger(std::uint64_t kind_of_rank_2) {
  Segment segment = Segment::create(3);
  segment.join(0);
  for (const int rank : {1, 2}) {
    const ProcessMark mark = rank == 1 ? Origin().mark() : ProcessMark{};
    segment.record(rank).join(getpid(), mark);
    segment.gathering().note_kind(rank == 1 ? access_kind_of_this_process() : kind_of_rank_2);
  }
  const ProcessMemory memory(segment);
  return segment.record(0).reach() == RankRecord::Reach::all;
}

// A rank asks the next one alone if all are of one kind, and each otherwise.
TEST(ProcessMemory, AsksOneRankWhereAllAreOfOneKind) {
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0) GTEST_SKIP() << "each process here has a kind of its own";
  EXPECT_TRUE(reaches_beside_a_stranger(access_kind_of_this_process()));
  EXPECT_FALSE(reaches_beside_a_stranger(access_kind_of_this_process() + 1));
}

}  // namespace
}  // namespace tutti::runtime
