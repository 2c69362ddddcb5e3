/// @file
/// Mapping of a segment's memory: as it grows, once, by those that hear of it.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "transport/processes/shared_heap.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

// The mappings of the segment in this process: bytes in all, and of those that a core dump would have.
struct Mapped {
  std::size_t bytes = 0;
  std::size_t dumped = 0;
};

Mapped mapped_by(const Segment& segment) {
  struct stat status = {};
  EXPECT_EQ(fstat(segment.fd(), &status), 0);
  const std::string inode = " " + std::to_string(status.st_ino) + " ";
  Mapped mapped;
  std::ifstream file("/proc/self/smaps");
  std::size_t bytes = 0;
  for (std::string line; std::getline(file, line);) {
    std::size_t begin = 0;
    std::size_t end = 0;
    if (line.find(inode) != std::string::npos && std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2) {
      bytes = end - begin;
      mapped.bytes += bytes;
    } else if (line.starts_with("VmFlags:")) {
      if (line.find(" dd") == std::string::npos) mapped.dumped += bytes;
      bytes = 0;
    }
  }
  return mapped;
}

TEST(SharedHeap, IsMappedAsItGrowsAndNeverDumped) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const Segment segment = Segment::create(64);
  const std::size_t control = SegmentGeometry::of(64).heaps;
  EXPECT_EQ(mapped_by(segment).bytes, control);
  SharedHeap heap(segment, 7);
  EXPECT_EQ(mapped_by(segment).bytes, control) << "nothing is allocated";
  heap.allocate(1);
  EXPECT_EQ(mapped_by(segment).bytes, control + Extent::least);
  std::size_t asked = 0;
  for (const std::size_t bytes : {mebibyte, 3 * mebibyte, 20 * mebibyte, 20 * mebibyte, 70 * mebibyte}) {
    asked += bytes;
    heap.allocate(bytes, 4096);
    EXPECT_LE(mapped_by(segment).bytes, control + 4 * asked + Extent::least) << bytes;
  }
  const Mapped all = mapped_by(segment);
  EXPECT_GE(all.bytes, control + asked);
  EXPECT_EQ(all.dumped, 0U);
}

TEST(SegmentMap, APeerMapsWhatItHearsOf) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const Segment segment = Segment::create(3);
  SharedHeap heap(segment, 2);
  SegmentMap peer(SegmentFile(dup(segment.fd())), SegmentGeometry::of(3).heaps, 3);
  for (const std::size_t bytes : {std::size_t{100}, 3 * mebibyte, 40 * mebibyte}) {
    std::byte* const mine = heap.allocate(bytes);
    mine[bytes - 1] = std::byte{17};
    std::byte* const other = peer.at(segment.offset_of(mine));
    ASSERT_NE(other, mine);
    EXPECT_EQ(other[bytes - 1], std::byte{17});
    EXPECT_EQ(peer.offset_of(other), segment.offset_of(mine));
    EXPECT_EQ(peer.offset_of(mine), AddressIndex::none) << "mapped by another";
  }
  const std::vector<std::byte> own(5 * mebibyte);
  for (const void* const elsewhere : {static_cast<const void*>(own.data()), static_cast<const void*>(&segment)}) {
    EXPECT_EQ(peer.offset_of(elsewhere), AddressIndex::none);
  }
  EXPECT_EQ(peer.offset_of(nullptr), AddressIndex::none);
  EXPECT_EQ(peer.offset_of(peer.control()), 0U);
}

TEST(SegmentMap, HasNothingBehindTheLastHeap) {
  const Segment segment = Segment::create(2);
  const SegmentGeometry parts = SegmentGeometry::of(2);
  SegmentMap map(SegmentFile(dup(segment.fd())), parts.heaps, 2);
  for (const std::uint64_t offset : {std::uint64_t{parts.file_bytes}, std::uint64_t{1} << 50, std::uint64_t{1} << 62}) {
    EXPECT_THROW(map.at(offset), Error) << offset;
  }
}

TEST(SegmentMap, ThreadsMapTheSameExtentOnce) {
  const Segment segment = Segment::create(8);
  std::vector<std::vector<std::byte*>> seen(4);
  std::vector<std::thread> threads;
  for (std::vector<std::byte*>& mine : seen) {
    threads.emplace_back([&] {
      for (int rank = 0; rank < 8; ++rank) {
        for (int index = 0; index < 6; ++index) {
          const std::uint64_t offset = segment.heap_offset(rank) + Extent::number(index).offset + 7;
          mine.push_back(segment.at(offset));
          EXPECT_EQ(segment.offset_of(mine.back()), offset);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::byte*>& other : seen) EXPECT_EQ(other, seen.front());
}

}  // namespace
}  // namespace tutti::runtime
