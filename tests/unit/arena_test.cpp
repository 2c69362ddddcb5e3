/// @file
/// A rank's shared memory: what is handed out is apart, aligned, there, and comes back.

#include "runtime/transport/processes/arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/child.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t held_by(const Segment& segment) {
  struct stat status = {};
  EXPECT_EQ(fstat(segment.fd(), &status), 0);
  return static_cast<std::size_t>(status.st_blocks) * 512;
}

struct Piece {
  std::byte* address;
  std::size_t bytes;
  std::byte filling;
};

bool is_filled(const Piece& piece, std::byte filling) {
  return std::all_of(piece.address, piece.address + piece.bytes, [=](std::byte byte) { return byte == filling; });
}

TEST(Arena, PiecesAreAlignedAndNeverOverlap) {
  constexpr unsigned seed = 20240611;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const Segment segment = Segment::create(2);
  const std::span<std::byte> memory = segment.arena(1);
  Arena arena(segment, 1);
  std::vector<Piece> pieces;
  for (int turn = 0; turn < 4000; ++turn) {
    if (pieces.empty() || random() % 5 < 3) {
      const std::size_t bytes = random() % (std::size_t{1} << random() % 18);
      const std::size_t alignment = std::size_t{1} << random() % 14;
      const Piece piece{arena.allocate(bytes, alignment), bytes, static_cast<std::byte>(turn)};
      ASSERT_EQ(reinterpret_cast<std::size_t>(piece.address) % std::max<std::size_t>(alignment, 64), 0U);
      ASSERT_GE(piece.address, memory.data());
      ASSERT_LE(piece.address + bytes, memory.data() + memory.size());
      std::fill_n(piece.address, bytes, piece.filling);
      pieces.push_back(piece);
    } else {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      ASSERT_TRUE(is_filled(pieces.back(), pieces.back().filling));
      arena.free(pieces.back().address);
      pieces.pop_back();
    }
  }
  for (const Piece& piece : pieces) {
    ASSERT_TRUE(is_filled(piece, piece.filling));
    arena.free(piece.address);
  }
  EXPECT_EQ(arena.used(), 0U);
  EXPECT_EQ(arena.allocate(1), memory.data()) << "the free blocks have not merged into one";
}

TEST(Arena, NeighboursMergeInAnyOrder) {
  const Segment segment = Segment::create(1);
  std::vector<int> order{0, 1, 2};
  do {
    Arena arena(segment, 0);
    std::vector<std::byte*> pieces;
    for (int k = 0; k < 4; ++k) pieces.push_back(arena.allocate(65536));
    for (const int k : order) arena.free(pieces[static_cast<std::size_t>(k)]);
    EXPECT_EQ(arena.allocate(3 * 65536), pieces[0]) << order[0] << order[1] << order[2];
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Arena, TheSmallestHoleThatFitsIsFilled) {
  const Segment segment = Segment::create(1);
  Arena arena(segment, 0);
  std::vector<std::byte*> pieces;
  for (const std::size_t bytes : {4096, 64, 1024, 64, 2048, 64}) pieces.push_back(arena.allocate(bytes));
  for (const std::size_t k : {0, 2, 4}) arena.free(pieces[k]);
  EXPECT_EQ(arena.allocate(1000), pieces[2]);
  EXPECT_EQ(arena.allocate(1025), pieces[4]);
}

TEST(Arena, LargePiecesGiveTheirPagesBackAndAreZeroAgain) {
  const Segment segment = Segment::create(1);
  Arena arena(segment, 0);
  const std::size_t before = held_by(segment);
  const Piece piece{arena.allocate(8 * mebibyte), 8 * mebibyte, std::byte{7}};
  EXPECT_TRUE(is_filled(piece, std::byte{0}));
  std::fill_n(piece.address, piece.bytes, piece.filling);
  EXPECT_GE(held_by(segment), before + 8 * mebibyte);
  arena.free(piece.address);
  EXPECT_LE(held_by(segment), before + mebibyte);
  EXPECT_EQ(arena.allocate(8 * mebibyte), piece.address);
  EXPECT_TRUE(is_filled(piece, std::byte{0}));
}

TEST(Arena, WhatComesBackIsZeroWhateverItsSize) {
  const Segment segment = Segment::create(1);
  Arena arena(segment, 0);
  for (const std::size_t bytes :
       {std::size_t{64}, std::size_t{5000}, Arena::large - 64, Arena::large + 64, 3 * Arena::large + 1000}) {
    arena.allocate(64);  // so that pieces begin within pages
    const Piece piece{arena.allocate(bytes), bytes, std::byte{7}};
    std::fill_n(piece.address, piece.bytes, piece.filling);
    arena.free(piece.address);
    ASSERT_EQ(arena.allocate(bytes), piece.address);
    EXPECT_TRUE(is_filled(piece, std::byte{0})) << bytes;
  }
}

TEST(Arena, RefusesWhatItCannotServe) {
  const Segment segment = Segment::create(1);
  Arena arena(segment, 0);
  std::byte* const piece = arena.allocate(64);
  EXPECT_THROW(arena.allocate(64, 48), Error);
  EXPECT_THROW(arena.allocate(64, 0), Error);
  EXPECT_THROW(arena.allocate(segment.arena(0).size() + 1), Error);
  EXPECT_THROW(arena.allocate(segment.arena(0).size()), Error) << "beside the piece in use";
  EXPECT_THROW(arena.free(piece + 64), Error);
  arena.free(nullptr);
  arena.free(piece);
  EXPECT_THROW(arena.free(piece), Error) << "twice";
}

TEST(Arena, SaysThatSharedMemoryIsFullAndGoesOn) {
  const std::string answer = test::in_child([]() -> std::string {
    if (!test::has_own_shared_memory(4 * mebibyte)) return "not allowed";
    const Segment segment = Segment::create(1);
    Arena arena(segment, 0);
    std::string text;
    try {
      arena.allocate(8 * mebibyte);
    } catch (const Error& error) {
      text = error.what();
    }
    std::byte* const next = arena.allocate(mebibyte);
    std::fill_n(next, mebibyte, std::byte{1});
    if (next != segment.arena(0).data()) return "the piece that failed is not free again";
    return text + "; " + std::to_string(arena.used());
  });
  if (answer == "not allowed") GTEST_SKIP() << "no mount namespace to be had";
  EXPECT_EQ(
      answer,
      "/dev/shm has no room for 8192 KiB: free some or raise its size (mount -o remount,size=… /dev/shm); 1048576");
}

}  // namespace
}  // namespace tutti::runtime
