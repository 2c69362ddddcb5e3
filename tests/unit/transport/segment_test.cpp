/// @file
/// The memory that ranks share: its parts, who may join it, what it says to those who may not.

#include "transport/processes/segment.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <ostream>
#include <span>

#include "support/child.hpp"
#include "support/refuse_call.hpp"
#include "transport/processes/process_memory.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

using testing::HasSubstr;
using testing::Not;

struct stat status_of(int file) {
  struct stat status = {};
  EXPECT_EQ(fstat(file, &status), 0);
  return status;
}

void put(const std::string& variable) {
  const std::size_t cut = variable.find('=');
  setenv(variable.substr(0, cut).c_str(), variable.substr(cut + 1).c_str(), 1);
}

// Joins as a rank of the segment would, from a process of its own; "rank R of P", or why it could not.
std::string answer_to(
    const Segment& segment, int rank, const std::function<void()>& damage = [] {}) {
  return test::in_child([&] {
    for (const std::string& variable : segment.environment(rank)) put(variable);
    damage();
    const auto joined = Segment::inherited();
    if (!joined) return std::string("alone");
    return "rank " + std::to_string(joined->rank()) + " of " + std::to_string(joined->ranks());
  });
}

TEST(SegmentGeometry, PartsFollowOneAnotherForEveryNumberOfRanks) {
  for (int ranks = 1; ranks <= Segment::most_ranks; ++ranks) {
    const SegmentGeometry parts = SegmentGeometry::of(ranks);
    const auto p = static_cast<std::size_t>(ranks);
    ASSERT_GE(parts.records, parts.gathering + sizeof(Gathering));
    ASSERT_GE(parts.records_end, parts.records + p * sizeof(RankRecord));
    ASSERT_GE(parts.control, parts.records_end);
    ASSERT_GE(parts.control_bytes, ControlSegment::bytes(ranks));
    ASSERT_GE(parts.heaps, parts.control + parts.control_bytes);
    ASSERT_EQ(parts.file_bytes, parts.heaps + p * heap_size);
    ASSERT_LE(parts.file_bytes, std::size_t{1} << 49);
    ASSERT_EQ((parts.gathering | parts.records) % line_pair, 0U);
    ASSERT_EQ(parts.control % 4096, 0U);
    ASSERT_EQ(parts.heaps % Extent::least, 0U);
  }
}

TEST(Extents, AreARowThatFillsTheHeap) {
  std::size_t end = 0;
  for (int index = 0; index < extent_count; ++index) {
    const Extent extent = Extent::number(index);
    ASSERT_EQ(extent.offset, end);
    end += extent.bytes;
    for (const std::size_t inside : {extent.offset, extent.offset + 1, extent.offset + extent.bytes / 2, end - 1}) {
      EXPECT_EQ(Extent::number_at(inside), index) << inside;
      EXPECT_EQ(Extent::begins_at(inside), inside == extent.offset) << inside;
    }
    EXPECT_EQ(extent.bytes % Extent::least, 0U);
  }
  EXPECT_EQ(end, heap_size);
}

TEST(SegmentGeometry, ARankCostsAtMost56KiBAndAWordForEachOther) {
  for (int ranks = 2; ranks <= Segment::most_ranks; ++ranks) {
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t most = p * ((std::size_t{56} << 10) + p * sizeof(std::uint64_t));
    const SegmentGeometry parts = SegmentGeometry::of(ranks);
    const std::size_t first_pages = heap::round_up(parts.records_end, heap::page);
    ASSERT_LE(first_pages + ControlSegment::bytes(ranks), most) << ranks;
    // A communicator that split makes has a control segment, and nothing else.
    ASSERT_LE(ControlSegment::bytes(ranks), most) << ranks;
  }
}

TEST(Segment, HasNoNameAndLetsNobodyElseIn) {
  const mode_t mask = umask(0777);
  const Segment masked = Segment::create(1);
  umask(0);
  const Segment segment = Segment::create(3);
  umask(mask);
  const struct stat status = status_of(segment.fd());
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status_of(masked.fd()).st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_nlink, 0U);
  EXPECT_EQ(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(segment.fd())), "/memfd:tutti (deleted)");
  EXPECT_EQ(segment.rank(), -1);
}

std::span<std::byte> control_of(const Segment& segment) {
  const SegmentGeometry parts = SegmentGeometry::of(segment.ranks());
  return {segment.at(parts.control), parts.control_bytes};
}

TEST(Segment, ReservesWhatIsNoHeapAndNothingElse) {
  const Segment segment = Segment::create(8);
  const auto held = static_cast<std::size_t>(status_of(segment.fd()).st_blocks) * 512;
  EXPECT_GE(held, ControlSegment::bytes(8));
  EXPECT_LE(held, std::size_t{8} * (64 << 10)) << "what messages need comes with the first of a pair";
  for (const std::byte byte : control_of(segment)) ASSERT_EQ(byte, std::byte{0});
}

TEST(Segment, OfBadNumbersOfRanksIsRefused) {
  for (const int ranks : {-1, 0, Segment::most_ranks + 1}) {
    EXPECT_THROW(static_cast<void>(Segment::create(ranks)), Error) << ranks;
  }
}

TEST(Segment, IsTheSameMemoryInEveryRank) {
  const Segment segment = Segment::create(2);
  const std::string seen = test::in_child([&] {
    for (const std::string& variable : segment.environment(1)) put(variable);
    const auto mine = Segment::inherited();
    mine->whole().header().identity = 42;
    control_of(*mine).back() = std::byte{43};
    mine->record(1).note_failure("a reason");
    mine->end(1);
    return std::to_string(mine->ranks());
  });
  EXPECT_EQ(seen, "2");
  EXPECT_EQ(segment.whole().header().identity, 42U);
  EXPECT_EQ(control_of(segment).back(), std::byte{43});
  EXPECT_TRUE(segment.record(1).has_ended());
  EXPECT_EQ(segment.record(1).failure(), "a reason");
  EXPECT_FALSE(segment.record(0).has_ended());
  EXPECT_EQ(segment.record(0).process(), 0);
}

// Returns the answer of a process that is invited to a segment and joins it as rank 1.
std::string answer_to(const Invitation& invitation) {
  return test::in_child([&] {
    Segment segment = Segment::invited(invitation);
    segment.join(1);
    segment.whole().header().identity = 42;
    return "rank " + std::to_string(segment.rank()) + " of " + std::to_string(segment.ranks());
  });
}

TEST(Segment, IsJoinedByWhoeverIsToldWhereItIs) {
  Segment segment = Segment::create(3);
  segment.join(0);
  EXPECT_EQ(segment.rank(), 0);
  EXPECT_EQ(answer_to(segment.invitation()), "rank 1 of 3");
  EXPECT_EQ(segment.whole().header().identity, 42U);
  EXPECT_THAT(answer_to(segment.invitation()), HasSubstr("rank 1 is already taken"));
  EXPECT_TRUE(segment.record(0).has_joined());
  EXPECT_FALSE(segment.record(2).has_joined());
}

// A refusal of the system while a rank looked whom it can read is no reason why a later copy fails.
TEST(ProcessMemory, KeepsNoRefusalOfItsFirstLook) {
  const Segment segment = Segment::create(1);
  const std::string answer = test::in_child([&]() -> std::string {
    for (const std::string& variable : segment.environment(0)) put(variable);
    const auto joined = Segment::inherited();
    if (!test::refuse_call({SYS_process_vm_readv, EPERM})) return "skipped";
    const ProcessMemory memory(*joined);
    if (memory.reaches_private()) return "reads in spite of the refusal";
    return memory.take_refusal() ? "a refusal is left" : "";
  });
  if (answer == "skipped") GTEST_SKIP() << "this process may not have calls refused";
  EXPECT_EQ(answer, "");
}

TEST(Segment, OfAnotherSecretIsNotJoined) {
  const Segment segment = Segment::create(2);
  Invitation invitation = segment.invitation();
  ++invitation.secret;
  EXPECT_THAT(answer_to(invitation), HasSubstr("is another segment"));
  invitation = segment.invitation();
  invitation.file = 0;
  EXPECT_THAT(answer_to(invitation), Not(HasSubstr("rank 1 of")));
  invitation.file = 99999;
  EXPECT_THAT(answer_to(invitation), HasSubstr("cannot be opened (No such file or directory)"));
}

TEST(Segment, CountsTheRanksThatAreLost) {
  Segment segment = Segment::create(3);
  segment.record(1).note_failure("a reason of its own");
  segment.lose(1, "exited with status 1");
  segment.lose(2, "was killed");
  EXPECT_EQ(segment.whole().header().losses.load(), 2U);
  EXPECT_EQ(segment.record(1).failure(), "a reason of its own");
  EXPECT_EQ(segment.record(2).failure(), "was killed");
}

// Joins as rank 1, closes all descriptors that a program may think are its own, and lives until it is told to end.
[[noreturn]] void live_without_descriptors(const Segment& segment) {
  for (const std::string& variable : segment.environment(1)) put(variable);
  const auto mine = Segment::inherited();
  close_range(3, ~0U, 0);
  auto& told = mine->whole().header().communicators;
  told.store(1);
  for (int turn = 0; turn < 20000 && told.load() != 2; ++turn) usleep(1000);
  _exit(0);
}

TEST(Segment, TellsWhichRanksStillRunWhateverTheyClose) {
  Segment segment = Segment::create(2);
  std::atomic<std::uint64_t>& stage = segment.whole().header().communicators;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) live_without_descriptors(segment);
  for (int turn = 0; turn < 20000 && stage.load() != 1; ++turn) usleep(1000);
  ASSERT_EQ(stage.load(), 1U);
  EXPECT_TRUE(segment.is_held(1));
  stage.store(2);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(segment.is_held(1)) << "its process has ended";
  EXPECT_TRUE(segment.is_held(0)) << "nobody has come who could have gone";
  segment.find_lost(1, "its process is gone");
  EXPECT_TRUE(segment.record(1).has_ended());
  EXPECT_EQ(segment.record(1).failure(), "its process is gone");
  EXPECT_EQ(segment.whole().header().losses.load(), 1U);
}

// A rank's number is the one that it knows itself by, in its own namespace of processes.
TEST(Segment, KnowsNoRankByTheNumberOfAStranger) {
  Segment segment = Segment::create(3);
  segment.join(0);
  EXPECT_EQ(segment.process_of(0), getpid());
  ProcessMark of_another = Origin().mark();
  ++of_another.value;
  segment.record(1).join(getpid(), of_another);
  EXPECT_EQ(segment.process_of(1), 0);
  EXPECT_EQ(segment.process_of(2), 0) << "nobody has joined";
}

TEST(Inherited, IsNothingWithoutALauncher) {
  EXPECT_EQ(test::in_child([] { return std::string(Segment::inherited() ? "joined" : "alone"); }), "alone");
}

TEST(Inherited, EveryRankJoinsOnce) {
  const Segment segment = Segment::create(3);
  for (int rank = 2; rank >= 0; --rank) EXPECT_EQ(answer_to(segment, rank), "rank " + std::to_string(rank) + " of 3");
  EXPECT_TRUE(segment.record(2).has_joined());
  EXPECT_THAT(answer_to(segment, 2),
              HasSubstr("rank 2 is already taken by process " + std::to_string(segment.record(2).process())));
}

struct Damage {
  const char* name;
  std::function<void(const Segment&)> done;
  const char* answer;
};

void PrintTo(const Damage& damage, std::ostream* stream) { *stream << damage.name; }

class Damaged : public testing::TestWithParam<Damage> {};

// Writes into the header of the file; the offsets are those of its fields.
std::function<void(const Segment&)> overwrite(off_t offset, std::uint32_t value) {
  return [=](const Segment& segment) {
    EXPECT_EQ(pwrite(segment.fd(), &value, sizeof(value), offset), static_cast<ssize_t>(sizeof(value)));
  };
}

std::function<void(const Segment&)> set(const char* name, const char* value) {
  return [=](const Segment&) { setenv(name, value, 1); };
}

TEST_P(Damaged, GetsOneSentence) {
  const Segment segment = Segment::create(4);
  EXPECT_THAT(answer_to(segment, 1, [&] { GetParam().done(segment); }), HasSubstr(GetParam().answer));
  EXPECT_FALSE(segment.record(1).has_joined());
}

INSTANTIATE_TEST_SUITE_P(
    Files, Damaged,
    testing::Values(
        Damage{"closed", [](const Segment& segment) { close(segment.fd()); },
               "in TUTTI_SEGMENT is not open: a program between `tutti run` and this one closed it"},
        Damage{"a device", [](const Segment& segment) { dup2(open("/dev/null", O_RDWR | O_CLOEXEC), segment.fd()); },
               "in TUTTI_SEGMENT is no shared memory: start this with `tutti run`"},
        Damage{"another file",
               [](const Segment& segment) { dup2(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), segment.fd()); },
               "is no segment of tutti"},
        Damage{"open to others", [](const Segment& segment) { fchmod(segment.fd(), 0640); },
               "the segment has mode 640, which lets other users in: it must be 600"},
        Damage{"cut off", [](const Segment& segment) { EXPECT_EQ(ftruncate(segment.fd(), 1 << 20), 0); },
               "the segment for 4 ranks has 1048576 bytes, not "},
        Damage{"no magic", overwrite(0, 0), "is no segment of tutti"},
        Damage{"another layout", overwrite(8, 77), "the segment has layout 77, this program has "},
        Damage{"another size of records", overwrite(16, 64), "the segment has records of 64 and "},
        Damage{"absurd ranks", overwrite(12, 1U << 31), "ranks, not for 1 to 4096"},
        Damage{"other ranks", overwrite(12, 5), "the segment for 5 ranks has "}));

INSTANTIATE_TEST_SUITE_P(
    Environments, Damaged,
    testing::Values(
        Damage{"no number", set("TUTTI_SEGMENT", "x"), "TUTTI_SEGMENT is a whole number from 0 to "},
        Damage{"empty", set("TUTTI_SEGMENT", ""), "not ''"},
        Damage{"a negative number", set("TUTTI_SEGMENT", "-1"), "not '-1'"},
        Damage{"a rank too large", set("TUTTI_RANK", "4"), "TUTTI_RANK is a whole number from 0 to 3, not '4'"},
        Damage{"no rank", [](const Segment&) { unsetenv("TUTTI_RANK"); }, "TUTTI_SEGMENT is set but TUTTI_RANK is not"},
        Damage{"no ranks", [](const Segment&) { unsetenv("TUTTI_RANKS"); },
               "TUTTI_SEGMENT is set but TUTTI_RANKS is not"},
        Damage{"other ranks", set("TUTTI_RANKS", "5"), "TUTTI_RANKS says 5 ranks, the segment 4"}));

TEST(Inherited, TheSegmentOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const Segment segment = Segment::create(2);
  EXPECT_EQ(fchown(segment.fd(), 1001, 1001), 0);
  EXPECT_EQ(answer_to(segment, 0), "the segment belongs to user 1001, not 0: run all ranks as the launcher's user");
}

TEST(Segment, SaysThatMemoryIsFull) {
  const std::string answer = test::in_child([] {
    if (!test::refuse_call({.call = SYS_fallocate, .error = ENOSPC})) return std::string("not allowed");
    static_cast<void>(Segment::create(4));
    return std::string("made");
  });
  if (answer == "not allowed") GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_THAT(answer, testing::MatchesRegex("the machine has no room for [0-9]+ KiB of shared memory: free memory, or "
                                            "raise the limit of this container"));
}

TEST(Segment, SaysThatFilesMustBeSmaller) {
  const std::string answer = test::in_child([] {
    const rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    static_cast<void>(Segment::create(4));
    return std::string("made");
  });
  EXPECT_THAT(answer, testing::MatchesRegex("no shared memory of .* \\(File too large\\): raise the limit of "
                                            "file sizes \\(ulimit -f\\)"));
}

TEST(Segment, SaysThatThereIsNoSharedMemory) {
  const std::string answer = test::in_child([] {
    if (!test::refuse_call({.call = SYS_memfd_create, .error = EPERM})) return std::string("not allowed");
    static_cast<void>(Segment::create(4));
    return std::string("made");
  });
  if (answer == "not allowed") GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_EQ(answer, "no shared memory to be had (Operation not permitted): the system must permit memfd_create()");
}

TEST(Segment, NeedsNoSharedMemoryFileSystem) {
  const std::string answer = test::in_child([] {
    if (!test::has_own_shared_memory(4096)) return std::string("not allowed");
    static_cast<void>(Segment::create(64));
    return std::string("made");
  });
  if (answer == "not allowed") GTEST_SKIP() << "no mount namespace to be had";
  EXPECT_EQ(answer, "made");
}

}  // namespace
}  // namespace tutti::runtime
