/// @file
/// Pages of another mapping's memory that a process is told of; nothing else changes.

#include "transport/processes/peer_arenas.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace tutti::runtime {
namespace {

constexpr std::size_t bytes = std::size_t{6} << 20;
constexpr std::size_t window = std::size_t{64} << 10;

/// A file of memory that was written by way of one mapping, and another one that has not been touched.
class TwoMappings {
 public:
  explicit TwoMappings(int protection) : file_(memfd_create("pages", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(file_, bytes), 0);
    written_ = map(PROT_READ | PROT_WRITE);
    for (std::size_t at = 0; at < bytes; ++at) written_[at] = value(at);
    other_ = map(protection);
  }
  TwoMappings(const TwoMappings&) = delete;
  TwoMappings& operator=(const TwoMappings&) = delete;
  ~TwoMappings() {
    munmap(written_, bytes);
    munmap(other_, bytes);
    close(file_);
  }

  std::byte* other() const { return other_; }
  bool is_unchanged() const {
    for (std::size_t at = 0; at < bytes; ++at)
      if (written_[at] != value(at)) return false;
    return true;
  }
  /// Whether this process's page table has all pages of the other mapping there.
  bool are_known(std::size_t at, std::size_t n) const {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(other_) + at;
    const std::size_t first = address / page;
    std::vector<std::uint64_t> entries((address + n - 1) / page - first + 1);
    const int pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const std::size_t size = entries.size() * sizeof(std::uint64_t);
    const bool is_read = pread(pages, entries.data(), size, static_cast<off_t>(first * sizeof(std::uint64_t))) ==
                         static_cast<ssize_t>(size);
    close(pages);
    return is_read && std::all_of(entries.begin(), entries.end(), [](std::uint64_t entry) { return entry >> 63 == 1; });
  }

 private:
  static std::byte value(std::size_t at) { return static_cast<std::byte>(at * 2654435761U >> 24); }
  std::byte* map(int protection) const {
    return static_cast<std::byte*>(mmap(nullptr, bytes, protection, MAP_SHARED, file_, 0));
  }

  int file_;
  std::byte* written_ = nullptr;
  std::byte* other_ = nullptr;
};

bool system_finds_pages() {
  const TwoMappings memory(PROT_READ);
  return madvise(memory.other(), window, MADV_POPULATE_READ) == 0;
}

TEST(KnownPages, WholeWindowsOfWhatIsExpectedAreKnown) {
  if (!system_finds_pages()) GTEST_SKIP() << "this system finds pages one at a time";
  constexpr std::uint64_t seed = 20;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 6; ++round) {
    const bool writes = round % 2 == 1;
    const TwoMappings memory(writes ? PROT_READ | PROT_WRITE : PROT_READ);
    KnownPages pages(bytes);
    for (int k = 0; k < 10; ++k) {
      const std::size_t n = window + random() % (bytes / 4);
      const std::size_t at = random() % (bytes - n + 1);
      pages.expect(memory.other(), at, n, writes ? KnownPages::Use::write : KnownPages::Use::read);
      const std::size_t first = (at + window - 1) / window * window;
      const std::size_t end = (at + n) / window * window;
      ASSERT_TRUE(first >= end || memory.are_known(first, end - first)) << at << " " << n << ", seed " << seed;
    }
    EXPECT_TRUE(memory.is_unchanged());
  }
}

TEST(KnownPages, WhatWasFoundForReadingIsFoundForWriting) {
  const TwoMappings memory(PROT_READ);
  KnownPages pages(bytes);
  pages.expect(memory.other(), 0, bytes, KnownPages::Use::read);
  ASSERT_EQ(mprotect(memory.other(), bytes, PROT_READ | PROT_WRITE), 0);
  pages.expect(memory.other(), 0, bytes, KnownPages::Use::write);
  EXPECT_TRUE(memory.is_unchanged());
  std::memset(memory.other(), 1, bytes);
  EXPECT_FALSE(memory.is_unchanged());
}

// Short messages do not pay for a call of the system, and what lies outside is nobody's.
TEST(KnownPages, LittleIsLeftAlone) {
  const TwoMappings memory(PROT_READ);
  KnownPages pages(bytes);
  pages.expect(memory.other(), 0, window - 1, KnownPages::Use::read);
  EXPECT_FALSE(memory.are_known(0, 1));
  pages.expect(memory.other(), bytes - window, 2 * window, KnownPages::Use::read);
  EXPECT_FALSE(memory.are_known(bytes - window, 1));
}

}  // namespace
}  // namespace tutti::runtime
