#include "heap/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tutti::heap {

std::size_t read_beginning(const char* path, char* to, std::size_t bytes) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t n = read(file, to, bytes - 1);
  close(file);
  to[std::max<ssize_t>(n, 0)] = '\0';
  return static_cast<std::size_t>(std::max<ssize_t>(n, 0));
}

bool has_memory_for(std::size_t bytes) noexcept {
  constexpr std::array<char, 14> name{"MemAvailable:"};
  std::array<char, 512> text{};
  if (read_beginning("/proc/meminfo", text.data(), text.size()) == 0) return true;
  const char* const found = std::strstr(text.data(), name.data());
  if (found == nullptr) return true;
  return bytes / 1024 <= std::strtoull(found + name.size() - 1, nullptr, 10);
}

std::uintptr_t reserve_addresses(std::size_t bytes, std::size_t alignment) noexcept {
  void* const whole = mmap(nullptr, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return 0;
  auto* const begin = static_cast<std::byte*>(whole);
  const std::size_t skipped = (alignment - reinterpret_cast<std::uintptr_t>(whole) % alignment) % alignment;
  if (skipped > 0) munmap(begin, skipped);
  if (skipped < alignment) munmap(begin + skipped + bytes, alignment - skipped);
  return reinterpret_cast<std::uintptr_t>(begin + skipped);
}

int memory_file(const char* name, unsigned flags) noexcept {
  constexpr unsigned not_executable = 8;  // MFD_NOEXEC_SEAL of Linux 6.3, which some systems insist on
  const int file = memfd_create(name, flags | not_executable);
  return file < 0 && errno == EINVAL ? memfd_create(name, flags) : file;
}

int moved_up(int number, int duplicate, rlim_t room) noexcept {
  constexpr rlim_t usual_limit = 1024;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return number;
  const auto least = static_cast<int>(std::max(std::min(limit.rlim_cur, usual_limit), room) - room);
  const int high = least <= number ? -1 : fcntl(number, duplicate, least);
  if (high < 0) return number;
  close(number);
  return high;
}

}  // namespace tutti::heap
