#include "runtime/transport/processes/reserve.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/check.hpp"

namespace tutti::runtime {

void reserve_pages(int file, std::size_t offset, std::size_t bytes) {
  int error = 0;
  do {
    error = fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == 0) return;
  const std::size_t kibibytes = (bytes + 1023) / 1024;
  if (error == ENOSPC || error == ENOMEM)
    fail(ErrorCode::unsupported,
         "/dev/shm has no room for {} KiB: free some or raise its size (mount -o remount,size=… /dev/shm)", kibibytes);
  fail(ErrorCode::unsupported, "/dev/shm cannot reserve {} KiB ({}): mount a tmpfs there", kibibytes,
       std::generic_category().message(error));
}

void give_back_pages(int file, std::size_t offset, std::byte* memory, std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t end = (offset + bytes) / page * page;
  const bool given = first < end && fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                              static_cast<off_t>(first), static_cast<off_t>(end - first)) == 0;
  if (!given) {
    std::memset(memory, 0, bytes);
    return;
  }
  std::memset(memory, 0, first - offset);
  std::memset(memory + (end - offset), 0, offset + bytes - end);
}

}  // namespace tutti::runtime
