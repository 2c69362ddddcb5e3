#include "transport/processes/reserve.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <system_error>

#include "base/check.hpp"
#include "heap/memory.hpp"

namespace tutti::runtime {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// The pages that lie in the memory as a whole; there may be none.
std::span<std::byte> whole_pages(std::byte* memory, std::size_t bytes) {
  const std::size_t page = page_size();
  const std::size_t skipped = (page - reinterpret_cast<std::size_t>(memory) % page) % page;
  if (skipped >= bytes) return {memory, 0};
  return {memory + skipped, (bytes - skipped) / page * page};
}

/// 0, or the error.
int allocate(int file, std::size_t offset, std::size_t bytes) {
  int error = 0;
  do {
    error = fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  return error;
}

/// The same by address; EINVAL where the system cannot, or lets nobody ask it for that: filters of system calls answer
/// with errors of their own.
int populate(std::byte* memory, std::size_t bytes) {
  const std::size_t before = reinterpret_cast<std::size_t>(memory) % page_size();
  int error = 0;
  do {
    error = madvise(memory - before, before + bytes, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  } while (error == EINTR || error == EAGAIN);
  if (error == EPERM || error == EACCES || error == ENOSYS) return EINVAL;
  if (error == 0 || error == EINVAL) return error;
  // What came before the memory was used up goes back: it is zero, as nothing is held there yet.
  if (const std::span<std::byte> pages = whole_pages(memory, bytes); !pages.empty()) {
    madvise(pages.data(), pages.size(), MADV_REMOVE);
  }
  return error == EFAULT ? ENOSPC : error;  // where touching the page would have killed the process
}

/// Shared memory without a name has no limit of its own, and the system ends processes where it runs out: so what is
/// large is only asked for where the machine has it to give.
bool may_ask_for(std::size_t bytes) {
  constexpr std::size_t small = std::size_t{64} << 20;
  return bytes < small || heap::has_memory_for(bytes);
}

void require_pages(int error, std::size_t bytes) {
  if (error == 0) return;
  const std::size_t kibibytes = (bytes + 1023) / 1024;
  if (error == ENOSPC || error == ENOMEM)
    fail(ErrorCode::unsupported,
         "the machine has no room for {} KiB of shared memory: free memory, or raise the limit of this container",
         kibibytes);
  if (error == EBADF)
    fail(ErrorCode::unsupported,
         "no more shared memory: the program has closed tutti's descriptor, which this version of Linux needs: leave "
         "descriptors alone that the program has not opened");
  fail(ErrorCode::unsupported,
       "the system cannot reserve {} KiB of shared memory ({}): free memory, or run fewer ranks", kibibytes,
       std::generic_category().message(error));
}

}  // namespace

void reserve_file(int file, std::size_t offset, std::size_t bytes) {
  require_pages(may_ask_for(bytes) ? allocate(file, offset, bytes) : ENOMEM, bytes);
}

void reserve_pages(const SegmentFile& file, std::size_t offset, std::byte* memory, std::size_t bytes) {
  if (bytes == 0) return;
  int error = may_ask_for(bytes) ? populate(memory, bytes) : ENOMEM;
  if (error == EINVAL) error = file.is_ours() ? allocate(file.number(), offset, bytes) : EBADF;
  require_pages(error, bytes);
}

void give_back_pages(std::byte* memory, std::size_t bytes) noexcept {
  const std::span<std::byte> pages = whole_pages(memory, bytes);
  // Refused where the program has locked its memory, for instance.
  const bool given = !pages.empty() && madvise(pages.data(), pages.size(), MADV_REMOVE) == 0;
  if (!given) {
    std::memset(memory, 0, bytes);
    return;
  }
  std::byte* const end = pages.data() + pages.size();
  std::memset(memory, 0, static_cast<std::size_t>(pages.data() - memory));
  std::memset(end, 0, static_cast<std::size_t>(memory + bytes - end));
}

}  // namespace tutti::runtime
