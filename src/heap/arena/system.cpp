#include "heap/arena/system.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "heap/memory.hpp"
#include "heap/pages.hpp"

namespace tutti::heap {
namespace {

/// A part of a limit on this process; all of `most` where it has none.
std::size_t share_of_limit(decltype(RLIMIT_AS) resource, std::size_t share, std::size_t most) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::min<std::size_t>(most, limit.rlim_cur / share);
}

constexpr int collapse = 25;  // MADV_COLLAPSE of Linux 6.1

/// Whether no page of these is there yet.
bool is_untouched(std::byte* memory) {
  std::array<unsigned char, large_page / page> pages{};
  return mincore(memory, large_page, pages.data()) == 0 &&
         std::none_of(pages.begin(), pages.end(), [](unsigned char is_there) { return (is_there & 1) != 0; });
}

}  // namespace

std::size_t most_addresses() noexcept {
  const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  const std::size_t all = pages * page * 4;
  const std::size_t most = share_of_limit(RLIMIT_AS, 8, all);
  constexpr std::size_t little = std::size_t{64} << 20;
  if (most < all && most < little) return 0;
  return share_of_limit(RLIMIT_FSIZE, 2, most);
}

std::uintptr_t reserve_lonely_addresses(std::size_t first, std::size_t bytes, std::size_t alignment) noexcept {
  // The system maps downwards from the stack, or upwards from libraries: it comes here after so many bytes.
  constexpr std::uintptr_t far = std::uintptr_t{16} << 40;
  std::byte* const near = own_pages(page);
  if (near == nullptr) return 0;
  munmap(near, page);
  const auto mapped = reinterpret_cast<std::uintptr_t>(near);
  constexpr int most_tries = 16;
  for (std::uintptr_t below = far + bytes, tries = 0; mapped > below && tries < most_tries; below += bytes, ++tries) {
    auto* const place = reinterpret_cast<std::byte*>((mapped - below) / alignment * alignment);  // NOLINT: an address
    if (reserve_there(place, first)) return reinterpret_cast<std::uintptr_t>(place);
  }
  return 0;
}

bool reserve_there(std::byte* memory, std::size_t bytes) noexcept {
  void* const got =
      mmap(memory, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  // Before Linux 4.17 the flag is unknown, and another place may come.
  if (got != MAP_FAILED && got != memory) munmap(got, bytes);
  return got == memory;
}

std::byte* own_pages(std::size_t bytes) noexcept {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

std::byte* common_page() noexcept {
  void* const memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

void give_page_back(void* common) noexcept { munmap(common, page); }

std::uint64_t random_number() noexcept {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != static_cast<ssize_t>(sizeof(number))) {
    number = reinterpret_cast<std::uintptr_t>(&number) ^ static_cast<std::uint64_t>(getpid()) << 40;
  }
  return number;
}

int make_sealed_file(std::size_t bytes, std::uint64_t number) noexcept {
  if (descriptors_are_few()) return -1;
  const int file = memory_file("tutti-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  // The limit of file sizes may have been lowered since addresses were reserved: to exceed it would end the process.
  const bool is_made = share_of_limit(RLIMIT_FSIZE, 1, bytes + page) == bytes + page && fchmod(file, 0600) == 0 &&
                       ftruncate(file, static_cast<off_t>(bytes + page)) == 0 &&
                       pwrite(file, &number, sizeof(number), static_cast<off_t>(bytes)) == sizeof(number) &&
                       fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  constexpr rlim_t room = 32;
  if (is_made) return moved_up(file, F_DUPFD_CLOEXEC, room);
  close(file);
  return -1;
}

bool identity_of(int file, std::uint64_t& device, std::uint64_t& inode) noexcept {
  struct stat status = {};
  if (fstat(file, &status) != 0) return false;
  device = status.st_dev;
  inode = status.st_ino;
  return true;
}

bool map_file(std::byte* memory, std::size_t bytes, int file, std::size_t offset) noexcept {
  return mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

bool map_own(std::byte* memory, std::size_t bytes) noexcept {
  return mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

std::byte* move_aside(std::byte* memory, std::size_t bytes) noexcept {
  void* const moved = mremap(memory, bytes, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED || moved != memory) return moved == MAP_FAILED ? nullptr : static_cast<std::byte*>(moved);
  // The kernel may leave it in its place: then another place is asked for.
  void* const place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  void* const there = mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  return there == MAP_FAILED ? nullptr : static_cast<std::byte*>(there);
}

bool take_pages(std::byte* memory, std::size_t bytes, int file, std::size_t offset) noexcept {
  int error = 0;
  do {
    error = madvise(memory, bytes, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  } while (error == EINTR || error == EAGAIN);
  if (error != EINVAL) return error == 0;
  do {  // before Linux 5.14
    error = fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  return error == 0;
}

bool read_file(int file, std::size_t offset, std::byte* to, std::size_t bytes) noexcept {
  const std::size_t end = offset + bytes;
  for (std::size_t at = offset; at < end;) {
    const off_t data = lseek(file, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0) return errno == ENXIO;  // a hole up to the end of the file
    if (static_cast<std::size_t>(data) >= end) return true;
    const off_t hole = lseek(file, data, SEEK_HOLE);
    if (hole < 0) return false;
    const std::size_t stop = std::min(end, static_cast<std::size_t>(hole));
    for (at = static_cast<std::size_t>(data); at < stop;) {
      const ssize_t n = pread(file, to + (at - offset), stop - at, static_cast<off_t>(at));
      if (n == 0 || (n < 0 && errno != EINTR)) return false;
      at += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
  }
  return true;
}

std::size_t bytes_held_by(int file) noexcept {
  constexpr std::size_t block = 512;  // unit of fstat()
  struct stat status = {};
  return fstat(file, &status) == 0 ? static_cast<std::size_t>(status.st_blocks) * block : 0;
}

bool memory_has_one_node() noexcept { return access("/sys/devices/system/node/node1", F_OK) != 0; }

bool overcommit_is_strict() noexcept {
  std::array<char, 8> text{};
  return read_beginning("/proc/sys/vm/overcommit_memory", text.data(), text.size()) > 0 && text[0] == '2';
}

void say(const char* words) noexcept {
  std::array<char, 512> line{};
  const std::size_t n = std::min(std::strlen(words), line.size() - 9);
  std::memcpy(line.data(), "tutti: ", 7);
  std::memcpy(line.data() + 7, words, n);
  line[n + 7] = '\n';
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), n + 8);
}

void give_up(const char* words) noexcept {
  say(words);
  std::abort();
}

void take_large_pages(std::byte* memory, std::size_t bytes) noexcept {
  const std::size_t skipped = (large_page - reinterpret_cast<std::uintptr_t>(memory) % large_page) % large_page;
  std::byte* const end = memory + bytes;
  for (std::byte* first = memory + std::min(skipped, bytes); end - first >= std::ptrdiff_t{large_page};) {
    std::byte* last = first;
    while (end - last >= std::ptrdiff_t{large_page} && is_untouched(last)) {
      // One page has to be there. It is read, because another thread may write it.
      [[maybe_unused]] const std::byte read = *static_cast<volatile std::byte*>(last);
      last += large_page;
    }
    if (last > first && madvise(first, static_cast<std::size_t>(last - first), collapse) != 0) return;
    first = last + large_page;
  }
}

}  // namespace tutti::heap
