/// @file
/// A rank's shared memory: what is handed out is apart, aligned, there, and comes back.

#include "transport/processes/shared_heap.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/child.hpp"
#include "support/refuse_call.hpp"
#include "support/sanitizers.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t held_by(const Segment& segment) {
  struct stat status = {};
  EXPECT_EQ(fstat(segment.fd(), &status), 0);
  return static_cast<std::size_t>(status.st_blocks) * 512;
}

std::size_t memory_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::size_t kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

struct Piece {
  std::byte* address;
  std::size_t bytes;
  std::byte filling;
};

bool is_filled(const Piece& piece, std::byte filling) {
  return std::all_of(piece.address, piece.address + piece.bytes, [=](std::byte byte) { return byte == filling; });
}

// Pieces that are too short to give pages back by themselves, among others that stay.
TEST(SharedHeap, SmallPiecesGiveTheirPagesBackTogether) {
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  constexpr std::size_t small = SharedHeap::large / 4 + 100;
  constexpr std::size_t pieces = 32 * mebibyte / small;
  const std::size_t before = held_by(segment);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::byte*> kept;
    std::vector<std::byte*> freed;
    for (std::size_t k = 0; k < pieces; ++k) {
      auto& list = k % 100 == 0 ? kept : freed;
      list.push_back(heap.allocate(small, 4096));
      ASSERT_TRUE(std::all_of(list.back(), list.back() + small, [](std::byte byte) { return byte == std::byte{0}; }));
      std::fill_n(list.back(), small, std::byte{7});
    }
    EXPECT_GE(held_by(segment) - before, pieces * small);
    for (std::byte* const each : freed) heap.free(each);
    for (std::byte* const each : kept) {
      ASSERT_TRUE(std::all_of(each, each + small, [](std::byte byte) { return byte == std::byte{7}; }));
    }
    EXPECT_LE(held_by(segment) - before, SharedHeap::most_idle + kept.size() * (small + 8192));
    for (std::byte* const each : kept) heap.free(each);
    EXPECT_LE(held_by(segment) - before, SharedHeap::most_idle + mebibyte);
  }
}

TEST(SharedHeap, PiecesAreAlignedAndNeverOverlap) {
  constexpr unsigned seed = 20240611;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const Segment segment = Segment::create(2);
  const std::uint64_t begin = segment.heap_offset(1);
  SharedHeap heap(segment, 1);
  std::vector<Piece> pieces;
  for (int turn = 0; turn < 4000; ++turn) {
    if (pieces.empty() || random() % 5 < 3) {
      const std::size_t bytes = random() % (std::size_t{1} << random() % 18);
      const std::size_t alignment = std::size_t{1} << random() % 14;
      const Piece piece{heap.allocate(bytes, alignment), bytes, static_cast<std::byte>(turn)};
      ASSERT_EQ(reinterpret_cast<std::size_t>(piece.address) % std::max<std::size_t>(alignment, 64), 0U);
      const std::uint64_t offset = segment.offset_of(piece.address);
      ASSERT_EQ(segment.at(offset), piece.address);
      ASSERT_GE(offset, begin);
      ASSERT_LE(offset + bytes, begin + heap_size);
      ASSERT_EQ(Extent::number_at(offset - begin),
                Extent::number_at(offset - begin + std::max<std::size_t>(bytes, 1) - 1));
      std::fill_n(piece.address, bytes, piece.filling);
      pieces.push_back(piece);
    } else {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      ASSERT_TRUE(is_filled(pieces.back(), pieces.back().filling));
      heap.free(pieces.back().address);
      pieces.pop_back();
    }
  }
  for (const Piece& piece : pieces) {
    ASSERT_TRUE(is_filled(piece, piece.filling));
    heap.free(piece.address);
  }
  EXPECT_EQ(heap.used(), 0U);
  EXPECT_EQ(heap.allocate(Extent::least), segment.at(begin)) << "the free blocks have not merged into one";
}

TEST(SharedHeap, NeighboursMergeInAnyOrder) {
  const Segment segment = Segment::create(1);
  std::vector<int> order{0, 1, 2};
  do {
    SharedHeap heap(segment, 0);
    std::vector<std::byte*> pieces;
    for (int k = 0; k < 4; ++k) pieces.push_back(heap.allocate(65536));
    for (const int k : order) heap.free(pieces[static_cast<std::size_t>(k)]);
    EXPECT_EQ(heap.allocate(3 * 65536), pieces[0]) << order[0] << order[1] << order[2];
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(SharedHeap, TheSmallestHoleThatFitsIsFilled) {
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  std::vector<std::byte*> pieces;
  for (const std::size_t bytes : {4096, 64, 1024, 64, 2048, 64}) pieces.push_back(heap.allocate(bytes));
  for (const std::size_t k : {0, 2, 4}) heap.free(pieces[k]);
  EXPECT_EQ(heap.allocate(1000), pieces[2]);
  EXPECT_EQ(heap.allocate(1025), pieces[4]);
}

TEST(SharedHeap, LargePiecesGiveTheirPagesBackAndAreZeroAgain) {
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  const std::size_t before = held_by(segment);
  const Piece piece{heap.allocate(8 * mebibyte), 8 * mebibyte, std::byte{7}};
  EXPECT_TRUE(is_filled(piece, std::byte{0}));
  std::fill_n(piece.address, piece.bytes, piece.filling);
  EXPECT_GE(held_by(segment), before + 8 * mebibyte);
  heap.free(piece.address);
  EXPECT_LE(held_by(segment), before + mebibyte);
  EXPECT_EQ(heap.allocate(8 * mebibyte), piece.address);
  EXPECT_TRUE(is_filled(piece, std::byte{0}));
}

TEST(SharedHeap, WhatComesBackIsZeroWhateverItsSize) {
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{5000}, SharedHeap::large - 64, SharedHeap::large + 64,
                                  3 * SharedHeap::large + 1000}) {
    heap.allocate(64);  // so that pieces begin within pages
    const Piece piece{heap.allocate(bytes), bytes, std::byte{7}};
    std::fill_n(piece.address, piece.bytes, piece.filling);
    heap.free(piece.address);
    ASSERT_EQ(heap.allocate(bytes), piece.address);
    EXPECT_TRUE(is_filled(piece, std::byte{0})) << bytes;
  }
}

TEST(SharedHeap, RefusesWhatItCannotServe) {
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  std::byte* const piece = heap.allocate(64);
  EXPECT_THROW(heap.allocate(64, 48), Error);
  EXPECT_THROW(heap.allocate(64, 0), Error);
  EXPECT_THROW(heap.allocate(64, 2 * Extent::least), Error);
  EXPECT_THROW(heap.allocate(Extent::number(extent_count - 1).bytes + 1), Error);
  EXPECT_THROW(heap.free(std::make_unique<std::byte>().get()), Error) << "memory of the heap";
  EXPECT_THROW(heap.free(piece + 64), Error);
  heap.free(nullptr);
  heap.free(piece);
  EXPECT_THROW(heap.free(piece), Error) << "twice";
}

TEST(SharedHeap, SaysThatMemoryIsFullAndGoesOn) {
  constexpr std::size_t absurd = Extent::number(extent_count - 1).bytes;
  if (memory_available() >= absurd) GTEST_SKIP() << "a machine that has room for " << absurd << " bytes";
  if (test::addresses_are_reserved) GTEST_SKIP() << test::why_addresses_are_reserved;
  const Segment segment = Segment::create(1);
  SharedHeap heap(segment, 0);
  std::string text;
  try {
    heap.allocate(absurd);
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_THAT(text, testing::MatchesRegex("the machine has no room for [0-9]+ KiB of shared memory: free memory, or "
                                          "raise the limit of this container"));
  std::byte* const next = heap.allocate(mebibyte);
  std::fill_n(next, mebibyte, std::byte{1});
  EXPECT_EQ(next, segment.at(segment.heap_offset(0))) << "the piece that failed is not free again";
  EXPECT_EQ(heap.used(), mebibyte);
}

// A filter of system calls answers with an error of its own, where an old system has a call's flag not known.
TEST(SharedHeap, DoesWithoutReservingByAddress) {
  const std::string answer = test::in_child([]() -> std::string {
    const Segment segment = Segment::create(1);
    SharedHeap heap(segment, 0);
    for (const int error : {EINVAL, EPERM, EACCES, ENOSYS}) {
      const bool is_refused = test::refuse_call(
          {.call = SYS_madvise, .error = error, .argument = 2, .value = MADV_POPULATE_WRITE, .by_argument = true});
      if (!is_refused) return "not allowed";
      const Piece piece{heap.allocate(mebibyte), mebibyte, std::byte{7}};
      if (!is_filled(piece, std::byte{0})) return "memory that is not zero";
      std::fill_n(piece.address, piece.bytes, piece.filling);
    }
    return held_by(segment) >= 4 * mebibyte ? "" : "pages that are not there";
  });
  if (answer == "not allowed") GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_EQ(answer, "");
}

// A program that closes all descriptors from 3 on, and then has a file of its own under the segment's number.
class OwnFile {
 public:
  /// Throws where there can be no such file.
  explicit OwnFile(const Segment& segment) {
    const int number = segment.fd();
    close_range(3, ~0U, 0);
    file_ = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const std::vector<std::byte> content(bytes, std::byte{9});
    if (write(file_, content.data(), bytes) != static_cast<ssize_t>(bytes)) throw std::runtime_error("no room in /tmp");
    if (dup2(file_, number) != number) throw std::runtime_error("the number cannot be had");
  }

  bool is_whole() const {
    std::vector<std::byte> content(bytes + 1);
    return pread(file_, content.data(), content.size(), 0) == static_cast<ssize_t>(bytes) &&
           std::count(content.begin(), content.end(), std::byte{9}) == static_cast<std::ptrdiff_t>(bytes);
  }

 private:
  static constexpr std::size_t bytes = 24 * mebibyte;
  int file_ = -1;
};

// Returns what is wrong.
std::string use_without_descriptor(const Segment& segment) {
  SharedHeap heap(segment, 1);
  std::byte* const early = heap.allocate(3 * mebibyte);
  std::fill_n(early, 3 * mebibyte, std::byte{1});
  const OwnFile file(segment);
  heap.free(early);
  for (const std::size_t bytes : {std::size_t{100}, 3 * mebibyte, 20 * mebibyte, 70 * mebibyte}) {
    const Piece piece{heap.allocate(bytes), bytes, std::byte{2}};
    if (!is_filled(piece, std::byte{0})) return "what is allocated is not zero";
    std::fill_n(piece.address, bytes, piece.filling);
    // The parent looks at the place to which rank 1 has put it, as a process that has the descriptor sees it.
    segment.whole().header().identity = segment.offset_of(piece.address);
    heap.free(heap.allocate(bytes));
  }
  if (!segment.is_held(0)) return "a rank is said to be gone that nobody can ask for";
  return file.is_whole() ? "" : "the program's own file is damaged";
}

TEST(SharedHeap, WorksOnWithoutItsDescriptorAndLeavesOthersFilesAlone) {
  const Segment segment = Segment::create(2);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    try {
      segment.record(1).note_failure(use_without_descriptor(segment));
    } catch (const std::exception& error) {
      segment.record(1).note_failure(error.what());
    }
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(segment.record(1).failure(), "");
  const Piece last{segment.at(segment.whole().header().identity), 70 * mebibyte, std::byte{2}};
  EXPECT_TRUE(is_filled(last, last.filling)) << "another process does not see it";
}

TEST(SharedHeap, SaysThatAddressesAreUsedUpAndGoesOn) {
  if (test::addresses_are_reserved) GTEST_SKIP() << test::why_addresses_are_reserved;
  const std::string answer = test::in_child([]() -> std::string {
    const Segment segment = Segment::create(2);
    SharedHeap heap(segment, 0);
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    std::byte* const small = heap.allocate(20 * mebibyte);
    try {
      heap.allocate(std::size_t{3} << 30, 4096);
    } catch (const Error& error) {
      const std::size_t used = heap.used();
      heap.free(small);
      return error.what() + ("; " + std::to_string(used));
    }
    return "had";
  });
  EXPECT_EQ(answer,
            "no room for 4GiB of addresses (Cannot allocate memory): raise the limit of virtual memory (ulimit -v); "
            "20971520");
}

}  // namespace
}  // namespace tutti::runtime
